import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Models } from "@cleveragents/application";
import { FileModelProviders } from "@cleveragents/infrastructure/models";
import { expect, test } from "vitest";
import { atRest, openThinking } from "./llm-server.ts";

const example = (name: string) => readFile(new URL(`../../../examples/${name}`, import.meta.url), "utf8");

test("the actor and the action of the examples make a plan that is worked on by a model", async () => {
  const provider = (url: string) => `  ollama: { base_url: '${url}' }\n`;
  const nothing = { name: "submit_strategy", arguments: { decisions: [], steps: [] } };
  await using server = await openThinking([{ calls: [nothing] }, { text: "They pass already." }], {
    provider,
  });
  const actor = (await example("llm-coder.yaml")).replace("local/coder", "local/example");
  const reviewer = await example("llm-reviewer.yaml");
  const action = (await example("llm-mend.yaml"))
    .replaceAll("local/coder", "local/example")
    .replace("${TEST_COMMAND:npm test}", "true");
  await server.client.call("_cleveragents/registry/actor/add", { document: actor });
  await server.client.call("_cleveragents/registry/actor/add", { document: reviewer });
  await server.client.call("_cleveragents/registry/action/add", { document: action });
  const { plan_id } = await server.client.call("_cleveragents/plan/use", {
    action_name: "local/mend",
    project: "demo",
    automation_profile: "trusted",
  });
  expect(await atRest(server.client, plan_id)).toMatchObject({ state: "applied" });
  expect(JSON.stringify(server.models.requests[0]?.body["messages"])).toContain(
    "Write the test before the change",
  );
});

test("the providers of the examples are read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "llm-example-"));
  try {
    await writeFile(join(folder, "providers.yaml"), await example("llm-providers.yaml"));
    await using server = await openThinking([]);
    const { documents, clock, logger } = server.machine.adapters;
    const models = new Models({
      providers: new FileModelProviders({ folder, documents, env: {} }),
      clock,
      logger,
    });
    await expect(models.find("gateway/big")).resolves.toMatchObject({ settings: { context: 200_000 } });
  } finally {
    await rm(folder, { recursive: true });
  }
});
