import { EntryNotFoundError, type Plan, type Script } from "@cleveragents/domain";
import type { RegistryStore } from "../ports/registry-store.ts";

/** The scripts that an action's actors declare: decisions of the strategy actor, steps of the execution actor. */
export async function scriptsOf(
  registry: RegistryStore,
  action: {
    readonly script?: Script | undefined;
    readonly strategy_actor?: string | undefined;
    readonly execution_actor?: string | undefined;
  },
): Promise<Plan["script"]> {
  if (action.script !== undefined) return action.script;
  const execution = await actorScript(registry, action.execution_actor as string); // the schema asks for one of them
  const strategy =
    action.strategy_actor === undefined ? execution : await actorScript(registry, action.strategy_actor);
  return { decisions: strategy.decisions, steps: execution.steps };
}

async function actorScript(registry: RegistryStore, name: string): Promise<Script> {
  const entry = await registry.find("actor", name);
  if (entry === undefined)
    throw new EntryNotFoundError(
      "actor",
      name,
      (await registry.list("actor")).map((known) => known.name),
    );
  return entry.document["script"] as unknown as Script; // checked when it was registered
}
