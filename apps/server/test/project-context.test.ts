import { eventOf, logOf } from "@cleveragents/testing";
import { expect, test } from "vitest";
import { atRest, openThinking, type Thinking } from "./llm-server.ts";

const NOTHING = {
  calls: [{ name: "submit_strategy", arguments: { decisions: [], steps: [] } }],
};

async function withContext(server: Thinking, context_config: object): Promise<void> {
  const document = JSON.stringify({ name: "demo", path: server.repository.root, context_config });
  await server.client.call("_cleveragents/registry/project/update", { document });
}
const last = (server: Thinking, n: number) =>
  String(
    (server.models.requests[n - 1]?.body["messages"] as { content: unknown }[] | undefined)?.at(-1)?.content,
  );

test("models are told the files that their project has chosen, by phase and as they are by then, and what is left out", async () => {
  await using server = await openThinking([
    NOTHING,
    { calls: [{ name: "write_file", arguments: { path: "docs/rules.md", content: "Be brave.\n" } }] },
    { text: "Done." },
  ]);
  await server.repository.write("README.md", "Read me.\n");
  await server.repository.write("docs/rules.md", "Be kind.\n");
  await server.repository.write("docs/secret.md", "swordfish");
  await server.repository.write("docs/long.md", "x".repeat(3000));
  await server.repository.write("docs/picture.bin", "\0");
  await withContext(server, {
    include: ["docs/**"],
    exclude: ["docs/secret.md"],
    hot_max_tokens: 300,
    views: { strategize: { include: ["README.md", "docs/rules.md"] }, execute: { include: ["docs"] } },
  });
  const plan_id = await server.task("Write the rules");
  await atRest(server.client, plan_id);
  expect(last(server, 1)).toBe(
    "Files of the project that were chosen for you to know, as they are now:\n--- README.md\nRead me.\n\n--- docs/rules.md\nBe kind.\n",
  );
  expect(last(server, 2)).toContain("Be kind.");
  expect(last(server, 3)).toContain("--- docs/rules.md\nBe brave.\n");
  expect(last(server, 3)).toContain("- docs/long.md (more than 300 tokens together)");
  expect(JSON.stringify(server.models.requests)).not.toContain("swordfish");
  const asked = (await logOf(server.client, plan_id))
    .map(eventOf)
    .filter((event) => event?.event === "model.asked");
  expect(asked[0]).toMatchObject({
    context: { project_files: [{ path: "README.md", tokens: 6 }, { path: "docs/rules.md" }] },
  });
});

test("what a project says of its context is shown as it was said, and what is not kept here is refused with its line", async () => {
  await using server = await openThinking([]);
  const context_config = { include: ["README.md"], views: { apply: { max_files: 1 } } };
  await withContext(server, context_config);
  const shown = await server.client.call("_cleveragents/registry/project/show", { name: "demo" });
  expect(shown).toMatchObject({ context_config, project: { context_config } });
  await server.client.call("_cleveragents/registry/project/update", {
    name: "demo",
    description: "The demo",
  });
  expect(await server.client.call("_cleveragents/registry/project/show", { name: "demo" })).toMatchObject({
    description: "The demo",
    context_config,
  });
  const document = `name: demo\npath: ${server.repository.root}\ncontext_config:\n  warm_max_decisions: 5\n`;
  await expect(
    server.client.call("_cleveragents/registry/project/update", { document, file: "demo.yaml" }),
  ).rejects.toMatchObject({
    violations: [expect.objectContaining({ line: 4, description: expect.stringContaining("not kept here") })],
  });
});
