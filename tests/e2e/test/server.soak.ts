import { expect, test } from "vitest";
import { Place } from "./support.ts";

const SLOW = 120_000;

test("a second server on the same directory serves it through the owner", { timeout: SLOW }, async () => {
  await using place = new Place();
  await place.server(["--demo"]);
  const second = await place.server();
  expect(second.output()).toContain(`owned by process ${place.discovery().pid}`);
  const ran = await place.agents(["plan", "list", "-o", "json", "--server", second.url], {
    env: { CLEVERAGENTS_SERVER_TOKEN: place.discovery().token },
  });
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  expect((JSON.parse(ran.stdout) as { plans: unknown[] }).plans).toHaveLength(1);
});
