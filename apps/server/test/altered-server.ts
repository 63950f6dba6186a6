import { InMemoryEngineState, InMemoryPlanEngine } from "@cleveragents/infrastructure/memory";
import { createRepository, type Harness, inProcess, type Repository } from "@cleveragents/testing";
import type { Adapters } from "../src/adapters.ts";
import { type ComposeOptions, type Composition, compose } from "../src/compose.ts";
import { bootMachine, type Machine, VERSION } from "./in-memory-server.ts";

/** A product some of whose adapters misbehave, with a project of its own. */
export interface Altered extends AsyncDisposable {
  readonly machine: Machine;
  readonly composition: Composition;
  readonly harness: Harness;
  readonly client: Harness["client"];
  readonly repository: Repository;
  /** Registers an action with this script and makes a plan of it, which goes on by itself. */
  plan(script: string, profile?: string): Promise<string>;
  /** Ends as by SIGKILL, and starts again on what was stored. */
  killAndStart(): Promise<void>;
}

export type Alter = (adapters: Adapters) => Partial<Adapters>;

export async function openAltered(
  alter: Alter = () => ({}),
  options: Partial<ComposeOptions> = {},
): Promise<Altered> {
  const machine = await bootMachine();
  const repository = await createRepository("plain");
  const runs = new InMemoryEngineState();
  let engine: InMemoryPlanEngine;
  let composition: Composition;
  async function start(): Promise<void> {
    engine = new InMemoryPlanEngine({ state: runs, concurrency: 12, retryDelayMs: 5 });
    const adapters: Adapters = { ...machine.adapters, engine };
    composition = compose(
      { ...adapters, ...alter(adapters) },
      { version: VERSION, checkResults: true, ...options },
    );
    await composition.start();
  }
  await start();
  // The callers stay the same over a restart.
  const harness = await inProcess({
    dispatcher: { dispatch: (message, context) => composition.dispatcher.dispatch(message, context) },
  });
  const { client } = harness;
  await client.call("_cleveragents/registry/project/add", { name: "demo", path: repository.root });
  let actions = 0;
  return {
    machine,
    harness,
    client,
    repository,
    get composition() {
      return composition;
    },
    async plan(script, profile = "trusted") {
      const name = `action-${++actions}`;
      const document = `name: ${name}\ndescription: x\ndefinition_of_done: x\nscript:\n${script}`;
      await client.call("_cleveragents/registry/action/add", { document });
      const used = await client.call("_cleveragents/plan/use", {
        action_name: name,
        project: "demo",
        automation_profile: profile,
      });
      return used.plan_id;
    },
    async killAndStart() {
      engine.kill();
      await start();
    },
    async [Symbol.asyncDispose]() {
      await harness[Symbol.asyncDispose]();
      await composition.stop(1000);
      await machine[Symbol.asyncDispose]();
      await repository[Symbol.asyncDispose]();
    },
  };
}
