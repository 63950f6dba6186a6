import { type Action, type JsonObject, type Message, textOf } from "@cleveragents/domain";
import type { RegistryStore } from "../ports/registry-store.ts";

/** What an action may call the argument that takes what somebody says. */
const PLACES = ["message", "prompt", "request", "text"];

/**
 * What a message asks of a session whose actor is an action: its text is the argument that is named for that, else the
 * only one that is required. Undefined where the actor is no action, or has no place for a text.
 */
export async function toldAction(
  registry: Pick<RegistryStore, "find">,
  actor: string,
  message: Message,
): Promise<{ readonly action: string; readonly arguments: JsonObject } | undefined> {
  const entry = await registry.find("action", actor);
  const text = textOf(message);
  if (entry === undefined || text === "") return undefined;
  const place = placeFor(entry.document as unknown as Action); // checked when it was registered
  return place === undefined ? undefined : { action: actor, arguments: { [place]: text } };
}

function placeFor({ arguments: declared = [] }: Action): string | undefined {
  const texts = declared.filter(({ type }) => type === "string");
  const named = PLACES.find((place) => texts.some(({ name }) => name === place));
  const required = declared.filter(({ required: needed }) => needed);
  const [only] = required;
  if (named !== undefined) return required.every(({ name }) => name === named) ? named : undefined;
  return required.length === 1 && only !== undefined && texts.includes(only) ? only.name : undefined;
}
