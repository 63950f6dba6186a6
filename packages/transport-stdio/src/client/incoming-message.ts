import {
  FramingError,
  isRequestId,
  type JsonRpcResponse,
  parseJson,
  type RequestId,
  type StdioFraming,
} from "@cleveragents/protocol";
import { readElement } from "../resume/stream-element.ts";

export interface StreamedElement {
  readonly seq: number;
  readonly result: unknown;
  /** Of an element that is a notification of its own: its method, and its cursor. */
  readonly event?: string | undefined;
  readonly cursor?: string | undefined;
}

/** What a server sends: answers, elements of streams, and what claims to be an answer but is none. */
export type IncomingMessage =
  | { readonly kind: "answer"; readonly id: RequestId; readonly response: JsonRpcResponse }
  | ({ readonly kind: "element"; readonly id: RequestId } & StreamedElement)
  | { readonly kind: "malformed"; readonly id: RequestId; readonly message: string };

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The messages of one frame. What is not for a client is left out, as is a line that is no JSON: agents print. With
 * the other framings such text is a `FramingError`, since their lengths promise a message.
 */
export function readIncoming(frame: Uint8Array, framing: StdioFraming): IncomingMessage[] {
  let json: unknown;
  try {
    json = parseJson(decoder.decode(frame));
  } catch {
    if (framing === "newline") return [];
    throw new FramingError("BROKEN", "what has a message's length is no JSON");
  }
  const all = Array.isArray(json) ? json : [json];
  return all.map(toIncoming).filter((message) => message !== undefined);
}

function toIncoming(json: unknown): IncomingMessage | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const raw = json as Record<string, unknown>;
  if ("method" in raw) return toElement(raw);
  const id = raw["id"];
  if (!isRequestId(id)) return undefined;
  const error = raw["error"];
  if (error !== undefined && error !== null) {
    return isErrorObject(error)
      ? answer(id, json)
      : malformed(id, "the answer's error has no code or message");
  }
  return "result" in raw ? answer(id, json) : malformed(id, "the answer has neither result nor error");
}

function toElement(message: Record<string, unknown>): IncomingMessage | undefined {
  const element = readElement(message);
  if (element === undefined) return undefined;
  const { id, seq, result, event, cursor } = element;
  if (typeof seq !== "number" || result === undefined)
    return malformed(id, "an element of the stream has no seq or result");
  return { kind: "element", id, seq, result, ...(event === undefined ? {} : { event, cursor }) };
}

function answer(id: RequestId, json: object): IncomingMessage {
  return { kind: "answer", id, response: json as JsonRpcResponse }; // checked by the caller
}

function malformed(id: RequestId, message: string): IncomingMessage {
  return { kind: "malformed", id, message };
}

function isErrorObject(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, message } = error as Record<string, unknown>;
  return typeof code === "number" && typeof message === "string";
}
