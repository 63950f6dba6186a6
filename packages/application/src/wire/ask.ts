import { type AskRequest, type JsonObject, type JsonValue, type Message, textOf } from "@cleveragents/domain";
import {
  APPROVAL_EXTENSION,
  APPROVAL_MEDIA_TYPE,
  HITL_EXTENSION,
  type ResultOf,
} from "@cleveragents/protocol";
import { hitlAnswer } from "./hitl.ts";
import { compact } from "./message.ts";
import { iso } from "./task.ts";

export type WireAsk = NonNullable<ResultOf<"_cleveragents/plan/status">["waiting_for"]>;

export function toWireAsk(ask: AskRequest): WireAsk {
  return {
    request_id: ask.requestId,
    kind: ask.kind,
    prompt: ask.prompt,
    options: ask.options.map(({ id, label }) => ({ id, label })),
    free_text: ask.freeText,
    ...compact({
      digest: ask.digest,
      details: ask.details,
      expires_at: ask.expiresAt === undefined ? undefined : iso(ask.expiresAt),
    }),
  };
}

/** What the agent says at a gate: a text for people, and the same as data twice, as DESIGN §4 has it. */
export function askMessage(ask: AskRequest, messageId: string, contextId: string): Message {
  const data = { type: "approval_request", plan_id: ask.planId, ...toWireAsk(ask) } as JsonObject;
  return {
    messageId,
    role: "agent",
    contextId,
    taskId: ask.planId,
    parts: [
      { kind: "text", text: ask.prompt },
      { kind: "data", data, mediaType: APPROVAL_MEDIA_TYPE },
    ],
    extensions: [APPROVAL_EXTENSION],
    metadata: { [APPROVAL_EXTENSION]: data },
  };
}

/** An answer as a client may send it, in any of its forms. */
export interface GivenAnswer {
  readonly requestId?: string;
  readonly choice?: string;
  readonly text?: string;
  readonly digest?: string;
}

export type ReadAnswer =
  | { readonly kind: "structured"; readonly answer: GivenAnswer }
  | { readonly kind: "text"; readonly text: string }
  /** Two structured answers in one message that do not say the same. */
  | { readonly kind: "conflicting" };

/** Finds the answer in a message: data parts and metadata first, else its text. */
export function readAnswer(message: Message): ReadAnswer {
  const given: GivenAnswer[] = [];
  for (const part of message.parts) {
    if (
      part.kind === "data" &&
      (part.mediaType === APPROVAL_MEDIA_TYPE || typeOf(part.data) === "approval_response")
    ) {
      const answer = structured(part.data);
      if (answer !== undefined) given.push(answer);
    }
  }
  const fromMetadata = structured(message.metadata?.[APPROVAL_EXTENSION]);
  if (fromMetadata !== undefined) given.push(fromMetadata);
  const hitl = hitlAnswer(message.metadata?.[HITL_EXTENSION]);
  if (hitl === "unclear") return { kind: "conflicting" };
  if (hitl !== undefined) given.push(hitl);
  const [first, ...others] = given;
  if (first === undefined) return { kind: "text", text: textOf(message) };
  const same = others.every(
    (other) =>
      other.choice === first.choice &&
      other.requestId === first.requestId &&
      other.text === first.text &&
      other.digest === first.digest,
  );
  return same ? { kind: "structured", answer: first } : { kind: "conflicting" };
}

function structured(value: JsonValue | undefined): GivenAnswer | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const text = (key: string) => (typeof value[key] === "string" ? (value[key] as string) : undefined);
  const choice =
    text("choice") ??
    text("option") ??
    text("decision") ??
    (value["approved"] === true ? "yes" : value["approved"] === false ? "no" : undefined);
  return compact({ requestId: text("request_id"), choice, text: text("text"), digest: text("digest") });
}

function typeOf(value: JsonValue): string | undefined {
  return typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    typeof value["type"] === "string"
    ? value["type"]
    : undefined;
}
