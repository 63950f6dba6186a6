import { atRest } from "@cleveragents/testing";
import { expect, test } from "vitest";
import { openAltered } from "./altered-server.ts";

test("what a project's own document declares is shown, and kept to by each of its plans", async () => {
  await using server = await openAltered();
  const { client } = server;
  const document = JSON.stringify({
    name: "local/demo",
    path: server.repository.root,
    invariants: ["Names stay", { text: "No a.txt", command: "test ! -e a.txt" }],
  });
  const updated = await client.call("_cleveragents/registry/project/update", { document });
  expect(updated).toMatchObject({ invariants: ["Names stay", "No a.txt"] });
  const plan_id = await server.plan("  steps:\n    - write: { path: a.txt, content: x }\n");
  const held = await atRest(client, plan_id);
  expect(held).toMatchObject({ phase: "execute", state: "constrained" });
  const { invariants } = await client.call("_cleveragents/invariant/list", { plan_id } as never);
  expect(JSON.stringify([invariants, held])).toContain("No a.txt");

  const broken = JSON.stringify({
    name: "local/demo",
    path: server.repository.root,
    invariants: [{ text: "Well", tool: "local/nobody" }],
  });
  await expect(
    client.call("_cleveragents/registry/project/update", { document: broken }),
  ).rejects.toMatchObject({ code: -32602 });
  const emptied = await client.call("_cleveragents/registry/project/update", {
    name: "demo",
    invariants: [],
  });
  expect(emptied).not.toHaveProperty("invariants");
  expect((await atRest(client, await server.plan("  steps:\n    - say: { text: hello }\n"))).state).not.toBe(
    "constrained",
  );
});
