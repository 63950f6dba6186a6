import { type Action, ActionSchema, EntryNotFoundError, isProviderActor } from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import { type ActorSources, sourcesOf } from "../plans/actor-sources.ts";
import type { DecisionSource } from "../plans/decision-source.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import { fullName } from "./registry/references.ts";

/** What is done in the place of a registered action where somebody says in words what is to be done, and who does it. */
export async function promptAction(
  registry: Pick<RegistryStore, "find" | "list">,
  { text, actor }: { readonly text: string; readonly actor: string },
  name: string,
): Promise<Action> {
  const action = ActionSchema.parse({
    name: "prompt",
    description: text,
    definition_of_done: "What was asked for is done.",
    execution_actor: await actorName(registry, actor),
  });
  return { ...action, name };
}

/** Who carries it out. What is to be done is said already, so that nobody decides it first. Throws InvalidParams for a script. */
export async function promptSources(
  registry: Pick<RegistryStore, "find" | "list">,
  known: readonly DecisionSource[],
  action: Action,
): Promise<ActorSources> {
  const { script, sources = {} } = await sourcesOf(registry, known, action);
  const { strategy: _, ...rest } = sources;
  if (rest.execution === undefined)
    throw new ProtocolError("InvalidParams", {
      message: `${action.execution_actor} is a script, which takes no words`,
      violations: [{ field: "actor", description: "it is a script, which takes no words" }],
    });
  return { script: { decisions: [], steps: script.steps }, sources: rest };
}

/** The full name of a registered actor, or a provider's model. Throws `EntryNotFoundError`, which lists what there is. */
async function actorName(registry: Pick<RegistryStore, "find" | "list">, name: string): Promise<string> {
  if (isProviderActor(name)) return name;
  const full = fullName(name);
  if ((await registry.find("actor", full)) !== undefined) return full;
  const known = await registry.list("actor");
  throw new EntryNotFoundError(
    "actor",
    full,
    known.map((entry) => entry.name),
  );
}
