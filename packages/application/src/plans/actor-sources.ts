import {
  EntryNotFoundError,
  type JsonObject,
  type Plan,
  type PlanSource,
  type Script,
} from "@cleveragents/domain";
import type { RegistryStore } from "../ports/registry-store.ts";
import type { DecisionSource } from "./decision-source.ts";

/** What of an action's actors is kept in a plan that is made with it. */
export type ActorSources = Pick<Plan, "script" | "sources">;

type Found = { readonly script: Script } | { readonly source: PlanSource };

/** What an action's actors declare: decisions of the strategy actor, steps of the execution actor. */
export async function sourcesOf(
  registry: Pick<RegistryStore, "find" | "list">,
  known: readonly DecisionSource[],
  action: {
    readonly script?: Script | undefined;
    readonly strategy_actor?: string | undefined;
    readonly execution_actor?: string | undefined;
  },
): Promise<ActorSources> {
  if (action.script !== undefined) return { script: action.script };
  const find = (name: string) => findSource(registry, known, name);
  const execution = await find(action.execution_actor as string); // the schema asks for one of them
  const strategy = action.strategy_actor === undefined ? execution : await find(action.strategy_actor);
  const sources = {
    ...("source" in strategy ? { strategy: strategy.source } : {}),
    ...("source" in execution ? { execution: execution.source } : {}),
  };
  return {
    script: {
      decisions: "script" in strategy ? strategy.script.decisions : [],
      steps: "script" in execution ? execution.script.steps : [],
    },
    ...(Object.keys(sources).length === 0 ? {} : { sources }),
  };
}

async function findSource(
  registry: Pick<RegistryStore, "find" | "list">,
  known: readonly DecisionSource[],
  name: string,
): Promise<Found> {
  const document = (await registry.find("actor", name))?.document;
  // Checked when it was registered.
  if (document?.["script"] !== undefined) return { script: document["script"] as unknown as Script };
  for (const { kind, settingsOf } of known) {
    const settings: JsonObject | undefined = settingsOf?.(name, document);
    if (settings !== undefined) return { source: { kind, actor: name, settings } };
  }
  throw new EntryNotFoundError(
    "actor",
    name,
    (await registry.list("actor")).map((entry) => entry.name),
  );
}
