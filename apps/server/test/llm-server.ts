import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileModelProviders } from "@cleveragents/infrastructure/models";
import { atRest as atRestSoon, type PlanStatus } from "@cleveragents/testing";
import { type AnswerSource, ModelServer, type ModelServerOptions } from "@cleveragents/testing/model-server";
import { type Alter, type Altered, openAltered } from "./altered-server.ts";

/** A product whose models are a server of ours, with an actor and an action on it. */
export interface Thinking extends Altered {
  readonly models: ModelServer;
  /** Where `providers.yaml` lies, and what it says from now on. */
  readonly folder: string;
  providers(yaml: string): Promise<void>;
  /** Makes a plan of a task for the actor `local/coder`; `action` are more lines of its action. */
  task(description: string, profile?: string, action?: string): Promise<string>;
}

export interface ThinkingOptions {
  readonly kind?: "openai" | "anthropic";
  /** More lines of the actor's YAML, and of its provider's and its model's settings. */
  readonly actor?: string;
  readonly provider?: string | ((url: string) => string);
  readonly server?: ModelServerOptions;
  readonly alter?: Alter;
}

export async function openThinking(
  answers: AnswerSource,
  { kind = "openai", actor = "", provider = "", server = {}, alter = () => ({}) }: ThinkingOptions = {},
): Promise<Thinking> {
  const models = await ModelServer.start(answers, server);
  const folder = await mkdtemp(join(tmpdir(), "llm-"));
  const url = kind === "openai" ? models.openAiUrl : models.origin;
  await writeFile(
    join(folder, "providers.yaml"),
    `providers:\n  test:\n    kind: ${kind}\n    base_url: ${url}\n    retries: 0\n${typeof provider === "string" ? provider : provider(url)}`,
  );
  const altered = await openAltered((adapters) => ({
    modelProviders: new FileModelProviders({
      folder,
      documents: adapters.documents,
      env: { TEST_KEY: "sk-test-key" },
    }),
    ...alter(adapters),
  }));
  const document = `name: coder\ntype: llm\ndescription: Writes code\nmodel: test/model\n${actor}`;
  await altered.client.call("_cleveragents/registry/actor/add", { document, file: "coder.yaml" });
  let tasks = 0;
  return {
    ...altered,
    // Not copied: it is another one after each start.
    get composition() {
      return altered.composition;
    },
    models,
    folder,
    providers: (yaml) => writeFile(join(folder, "providers.yaml"), `providers:\n${yaml}`),
    async task(description, profile = "trusted", action = "") {
      const name = `task-${++tasks}`;
      const text = `name: ${name}\ndescription: ${JSON.stringify(description)}\ndefinition_of_done: it works\nexecution_actor: local/coder\n${action}`;
      await altered.client.call("_cleveragents/registry/action/add", { document: text });
      const used = await altered.client.call("_cleveragents/plan/use", {
        action_name: name,
        project: "demo",
        automation_profile: profile,
      });
      return used.plan_id;
    },
    async [Symbol.asyncDispose]() {
      await altered[Symbol.asyncDispose]();
      await models[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** So often in a row nothing may have happened. */
const MOST_STILL = 4;
/** What a test that has a whole task done may take: processes start slowly on a machine that is busy. */
export const WHOLE_TASK = { timeout: 240_000 };

/** Waits until a plan is over or asks for something, for as long as anything goes on in it. */
export async function atRest(client: Altered["client"], planId: string): Promise<PlanStatus> {
  let before = "";
  for (let still = 0; ; ) {
    try {
      return await atRestSoon(client, planId);
    } catch (error) {
      const now = JSON.stringify(await client.call("_cleveragents/plan/status", { plan_id: planId }));
      still = now === before ? still + 1 : 0;
      before = now;
      if (still === MOST_STILL) throw error;
    }
  }
}
