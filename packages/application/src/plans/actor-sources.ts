import {
  type Action,
  type ActorRole,
  ADVICE_ROLES,
  EntryNotFoundError,
  HISTORY_ESTIMATOR,
  type JsonObject,
  type Plan,
  type PlanSource,
  type RoleHint,
  type Script,
  suits,
  ToolActorSchema,
  toolScript,
} from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import type { RegistryStore } from "../ports/registry-store.ts";
import type { DecisionSource } from "./decision-source.ts";
import { whyNoAdvice } from "./script-advice.ts";

/** What of an action's actors is kept in a plan that is made with it. */
export type ActorSources = Pick<Plan, "script" | "sources">;

type Found = { readonly script: Script } | { readonly source: PlanSource };
type NamedActors = { readonly [K in `${ActorRole}_actor`]?: string | undefined } & Pick<Action, "script">;

/**
 * What an action's actors declare: decisions of the strategy actor, steps of the execution actor, and who looks on.
 * Throws `EntryNotFoundError`, and InvalidParams for an actor that cannot have the role.
 */
export async function sourcesOf(
  registry: Pick<RegistryStore, "find" | "list">,
  known: readonly DecisionSource[],
  action: Partial<NamedActors>,
): Promise<ActorSources> {
  const find = (name: string, role: ActorRole) => findSource(registry, known, name, role);
  const advice: { [role in ActorRole]?: PlanSource } = {};
  for (const role of ADVICE_ROLES) {
    const name = action[`${role}_actor`];
    if (name === undefined || name === HISTORY_ESTIMATOR) continue;
    const found = await find(name, role);
    if ("script" in found) {
      const why = whyNoAdvice(found.script);
      if (why !== undefined) throw unsuitable(name, role, why);
      const settings = found.script as unknown as JsonObject; // a document is JSON
      advice[role] = { kind: "script", actor: name, settings };
      continue;
    }
    if (!known.some(({ kind, advise }) => kind === found.source.kind && advise))
      throw unsuitable(name, role, "an actor of its type can only decide and work");
    advice[role] = found.source;
  }
  const withAdvice = (sources: NonNullable<Plan["sources"]>) => {
    const all = { ...sources, ...advice };
    return Object.keys(all).length === 0 ? {} : { sources: all };
  };
  if (action.script !== undefined) return { script: action.script, ...withAdvice({}) };
  const execution = await find(action.execution_actor as string, "execution"); // the schema asks for one of them
  const strategy =
    action.strategy_actor === undefined
      ? deciding(execution, known)
      : await find(action.strategy_actor, "strategy");
  return {
    script: {
      decisions: "script" in strategy ? strategy.script.decisions : [],
      steps: "script" in execution ? execution.script.steps : [],
    },
    ...withAdvice({
      ...("source" in strategy ? { strategy: strategy.source } : {}),
      ...("source" in execution ? { execution: execution.source } : {}),
    }),
  };
}

/** Who decides where nobody is named for it: who works, unless it has to be asked for that. */
function deciding(execution: Found, known: readonly DecisionSource[]): Found {
  if ("script" in execution) return execution;
  const asked = known.some(({ kind, worksOnly }) => kind === execution.source.kind && worksOnly === true);
  return asked ? { script: { decisions: [], steps: [] } } : execution;
}

async function findSource(
  registry: Pick<RegistryStore, "find" | "list">,
  known: readonly DecisionSource[],
  name: string,
  role: ActorRole,
): Promise<Found> {
  const document = (await registry.find("actor", name))?.document;
  const hint = document?.["role_hint"] as RoleHint | undefined; // checked when it was registered
  if (!suits(hint, role))
    throw unsuitable(name, role, `it says of itself that it is for ${hint} (role_hint)`);
  if (document?.["type"] === "tool") return { script: toolScript(ToolActorSchema.parse(document)) };
  if (document?.["script"] !== undefined) return { script: document["script"] as unknown as Script };
  for (const { kind, settingsOf } of known) {
    const settings: JsonObject | undefined = await settingsOf?.(
      name,
      document,
      async (other) => (await registry.find("actor", other))?.document,
    );
    if (settings !== undefined) return { source: { kind, actor: name, settings } };
  }
  throw new EntryNotFoundError(
    "actor",
    name,
    (await registry.list("actor")).map((entry) => entry.name),
  );
}

function unsuitable(name: string, role: ActorRole, why: string): ProtocolError {
  return new ProtocolError("InvalidParams", {
    message: `${name} cannot be the ${role} actor: ${why}`,
    violations: [{ field: `${role}_actor`, description: why }],
  });
}
