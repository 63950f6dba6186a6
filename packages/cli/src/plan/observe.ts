import {
  APPROVAL_EXTENSION,
  PLATFORM_EXTENSION,
  RESUME_EXTENSION,
  type ResultOf,
} from "@cleveragents/protocol";
import { clean } from "../output/clean.ts";
import type { Ask } from "./ask-text.ts";

type Item = ResultOf<"SubscribeToTask">;
type Message = Extract<Item, { message: unknown }>["message"];
type Facts = Readonly<Record<string, unknown>>;

/** What one item of a plan's stream tells, in our words and safe for a terminal. Anything may be missing. */
export interface Observation {
  readonly taskState: string | undefined;
  /** The domain event that the item is about, with its members. */
  readonly event: { readonly name: string; readonly facts: Facts } | undefined;
  /** What a person is asked; `request_id` is empty where the peer names none. */
  readonly ask: Pick<Ask, "request_id" | "prompt" | "options" | "free_text"> | undefined;
  /** Words of the agent that are no question. */
  readonly text: string | undefined;
  /** A Task that stands for events that are not to be had any more. */
  readonly gap: boolean;
}

export function observe(item: Item): Observation {
  const raw = clean(item);
  if ("message" in raw) return { ...NOTHING, text: textOf(raw.message) };
  if ("artifactUpdate" in raw) {
    const { artifact, metadata } = raw.artifactUpdate;
    const event = eventOf(metadata);
    // What a tool writes are chunks of an artifact; the event only names them.
    const facts = { chunk: textOf(artifact), ...event?.facts };
    return { ...NOTHING, event: event === undefined ? undefined : { name: event.name, facts } };
  }
  const { status, metadata } = "task" in raw ? raw.task : raw.statusUpdate;
  const ask = isAsking(status.state) ? askOf(status.message) : undefined;
  const fromAgent = status.message?.role === "ROLE_AGENT" && ask === undefined && "statusUpdate" in raw;
  return {
    taskState: status.state,
    event: "task" in raw ? undefined : eventOf(metadata),
    ask,
    text: fromAgent ? textOf(status.message) : undefined,
    gap: "task" in raw && record(metadata?.[RESUME_EXTENSION])?.["gap"] === true,
  };
}

const NOTHING: Observation = {
  taskState: undefined,
  event: undefined,
  ask: undefined,
  text: undefined,
  gap: false,
};

function isAsking(state: string): boolean {
  return state === "TASK_STATE_INPUT_REQUIRED" || state === "TASK_STATE_AUTH_REQUIRED";
}

function eventOf(metadata: unknown): Observation["event"] {
  const own = record(record(metadata)?.[PLATFORM_EXTENSION]);
  const name = own?.["event"];
  return own !== undefined && typeof name === "string" ? { name, facts: own } : undefined;
}

function askOf(message: Message | undefined): Observation["ask"] {
  const ask = record(message?.metadata?.[APPROVAL_EXTENSION]) ?? {};
  const options = Array.isArray(ask["options"]) ? ask["options"].flatMap(optionOf) : [];
  return {
    request_id: stringOf(ask["request_id"]) ?? "",
    prompt: stringOf(ask["prompt"]) ?? textOf(message) ?? "an answer",
    options,
    free_text: ask["free_text"] === true,
  };
}

function optionOf(value: unknown): Ask["options"] {
  const { id, label } = record(value) ?? {};
  return typeof id === "string" ? [{ id, label: stringOf(label) ?? "" }] : [];
}

function textOf(message: Pick<Message, "parts"> | undefined): string | undefined {
  const text = (message?.parts ?? [])
    .flatMap((part) => (part.text === undefined ? [] : [part.text]))
    .join("\n");
  return text === "" ? undefined : text;
}

function record(value: unknown): Facts | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Facts) : undefined;
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
