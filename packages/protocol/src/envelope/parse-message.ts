import type { JsonRpcRequest, RequestId } from "./json-rpc.ts";

export interface MessageLimits {
  /** Bytes of the text; above it the message is refused unread. */
  readonly maxBytes: number;
  readonly maxDepth: number;
  readonly maxBatch: number;
}
export const DEFAULT_LIMITS: MessageLimits = { maxBytes: 10 * 1024 * 1024, maxDepth: 100, maxBatch: 100 };

/** A message that is no request: what is wrong with it, and the id to answer to (null where it cannot be known). */
export interface InvalidMessage {
  readonly kind: "invalid";
  readonly id: RequestId;
  readonly error: "ParseError" | "InvalidRequest" | "RequestTooLarge";
  readonly message?: string;
}
export interface CallMessage {
  readonly kind: "call";
  readonly request: JsonRpcRequest;
}
export type ParsedMessage =
  | CallMessage
  | InvalidMessage
  | { readonly kind: "batch"; readonly entries: readonly (CallMessage | InvalidMessage)[] };

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads one JSON-RPC message or batch (JSON-RPC 2.0 §4, §6). Never throws. Invalid UTF-8, too much depth and text that
 * is not JSON are `ParseError`; JSON that is no request is `InvalidRequest`. Keys named `__proto__` are dropped.
 */
export function parseMessage(
  input: string | Uint8Array,
  limits: MessageLimits = DEFAULT_LIMITS,
): ParsedMessage {
  const read = readJson(input, limits);
  if (!("json" in read)) return read;
  const { json } = read;
  if (!Array.isArray(json)) return readRequest(json);
  if (json.length === 0) return invalid(null, "a batch holds at least one request");
  if (json.length > limits.maxBatch)
    return invalid(null, `a batch holds at most ${limits.maxBatch} requests`);
  return { kind: "batch", entries: json.map(readRequest) };
}

/** Any JSON text within the limits, or what is wrong with it. Never throws. */
export function readJson(
  input: string | Uint8Array,
  limits: MessageLimits = DEFAULT_LIMITS,
): { readonly json: unknown } | InvalidMessage {
  if (input.length > limits.maxBytes) return { kind: "invalid", id: null, error: "RequestTooLarge" };
  try {
    const text = typeof input === "string" ? input : decoder.decode(input);
    if (depthOf(text, limits.maxDepth) > limits.maxDepth) {
      return {
        kind: "invalid",
        id: null,
        error: "ParseError",
        message: `JSON is nested deeper than ${limits.maxDepth} levels`,
      };
    }
    return { json: parseJson(text) };
  } catch {
    return { kind: "invalid", id: null, error: "ParseError" };
  }
}

/** Escapes of what must not get in: letters of `__proto__`, halves of surrogate pairs. */
const SUSPICIOUS = /__proto__|\\u(?:00(?:5f|6f|7[024])|d[89a-f])/i;

/**
 * `JSON.parse` without `__proto__` keys, which could become a prototype where an object is copied, and with U+FFFD for
 * half a surrogate pair, which no UTF-8 can carry on and not every database stores.
 */
export function parseJson(text: string): unknown {
  if (!SUSPICIOUS.test(text) && text.isWellFormed()) return JSON.parse(text);
  return JSON.parse(text, function (key, value: unknown) {
    if (key === "__proto__" && !Array.isArray(this)) return undefined;
    if (typeof value === "string") return value.toWellFormed();
    return isMap(value) ? withWellFormedKeys(value) : value;
  });
}

function withWellFormedKeys(object: Record<string, unknown>): Record<string, unknown> {
  if (Object.keys(object).every((key) => key.isWellFormed())) return object;
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key.toWellFormed(), value]));
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readRequest(json: unknown): CallMessage | InvalidMessage {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return invalid(null, "a request is an object");
  const raw = json as Record<string, unknown>;
  const hasId = Object.hasOwn(raw, "id");
  const id = raw["id"];
  if (hasId && !isRequestId(id)) return invalid(null, "an id is a string, an integer or null");
  const answerTo = hasId ? (id as RequestId) : null;
  if ("request_id" in raw || "operation" in raw || "a2a_version" in raw) {
    return invalid(
      answerTo,
      "request_id, operation and a2a_version are names of an older protocol: use jsonrpc, id, method, params",
    );
  }
  if (raw["jsonrpc"] !== "2.0") return invalid(answerTo, 'jsonrpc must be "2.0"');
  if (typeof raw["method"] !== "string" || raw["method"].trim() === "")
    return invalid(answerTo, "method must be a string that is not blank");
  const parameters = raw["a2a"];
  if (parameters !== undefined && !isStringMap(parameters))
    return invalid(answerTo, "a2a must be an object of strings");
  return {
    kind: "call",
    request: {
      jsonrpc: "2.0",
      method: raw["method"],
      ...(hasId ? { id: answerTo } : {}),
      ...(Object.hasOwn(raw, "params") ? { params: raw["params"] } : {}),
      ...(parameters === undefined ? {} : { a2a: parameters }),
    },
  };
}

export function isRequestId(value: unknown): value is RequestId {
  return (
    value === null || typeof value === "string" || (typeof value === "number" && Number.isSafeInteger(value))
  );
}

function isStringMap(value: unknown): value is Record<string, string> {
  return isMap(value) && Object.values(value).every((v) => typeof v === "string");
}

function invalid(id: RequestId, message: string): InvalidMessage {
  return { kind: "invalid", id, error: "InvalidRequest", message };
}

/** Greatest nesting of a JSON text; stops counting past `limit`. Brackets inside strings do not count. */
function depthOf(text: string, limit: number): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (inString) {
      if (c === 0x5c) i++;
      else if (c === 0x22) inString = false;
    } else if (c === 0x22) inString = true;
    else if (c === 0x7b || c === 0x5b) {
      depth++;
      if (depth > deepest) deepest = depth;
      if (deepest > limit) return deepest;
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
  return deepest;
}
