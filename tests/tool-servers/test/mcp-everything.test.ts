import { expect, test } from "vitest";
import { published, ServerWorld } from "./mcp-servers.ts";

test("the server of the protocol's own project is started, listed, called and stopped", async () => {
  await using world = new ServerWorld();
  const adapter = world.adapter(published("everything", "stdio"));
  const tools = (await adapter.discoverTools()).map(({ name }) => name);
  expect(tools).toEqual(
    expect.arrayContaining(["echo", "get-sum", "get-tiny-image", "get-structured-content"]),
  );
  expect((await adapter.invoke("get-sum", { a: 2, b: 40 })).value["text"]).toContain("42");
  const picture = await adapter.invoke("get-tiny-image", {});
  expect(picture.parts).toMatchObject([{ kind: "bytes", mediaType: "image/png" }]);
  expect((await adapter.invoke("get-structured-content", { location: "Chicago" })).value).toMatchObject({
    structured: { temperature: expect.any(Number) },
  });
  await adapter.disconnect();
  expect(await world.running()).toBe(0);
});
