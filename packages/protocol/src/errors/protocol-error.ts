import { type ErrorEntry, type ErrorName, errorCatalog } from "./error-catalog.ts";

/** A mistake in one parameter, `field` in dotted form. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface ProtocolErrorOptions {
  /** Replaces the catalogue's text. */
  readonly message?: string;
  /** Replaces the catalogue's reason, e.g. a tool's or a workspace's own. */
  readonly reason?: string;
  /** What to do next, in one sentence. */
  readonly hint?: string;
  /** Ids and facts for the caller; never anything of ours (paths, SQL, secrets). */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly violations?: readonly FieldViolation[];
  readonly cause?: unknown;
}

const MARK = Symbol.for("cleveragents.protocol-error");

/** An error that a peer may see. Recognise it with {@link ProtocolError.is}: packages may be there twice. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly kind: ErrorName;
  readonly reason: string;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly violations: readonly FieldViolation[];
  readonly [MARK] = true;

  constructor(kind: ErrorName, options: ProtocolErrorOptions = {}) {
    super(
      options.message ?? errorCatalog[kind].message,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.kind = kind;
    this.reason = options.reason ?? errorCatalog[kind].reason;
    this.hint = options.hint;
    this.details = options.details ?? {};
    this.violations = options.violations ?? [];
  }

  get entry(): ErrorEntry {
    return errorCatalog[this.kind];
  }

  static is(value: unknown): value is ProtocolError {
    return typeof value === "object" && value !== null && MARK in value;
  }
}

export interface ErrorContext {
  /** Shape of `data`: standard A2A methods and everything before dispatch, or the platform's own methods. */
  readonly family: "a2a" | "cleveragents";
  /** For our log and the caller to quote. */
  readonly requestId: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

/** The JSON-RPC error object of an error: A2A §9.5 on standard methods, the platform's own shape on the others. */
export function toErrorObject(error: ProtocolError, context: ErrorContext): ErrorObject {
  const { family, requestId, timestamp } = context;
  const facts = { ...error.details, ...(error.hint === undefined ? {} : { hint: error.hint }) };
  const details: unknown[] = [
    {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: error.reason,
      domain: family === "a2a" ? "a2a-protocol.org" : "cleveragents",
      metadata: stringMap({ ...facts, requestId, timestamp }),
    },
  ];
  if (error.violations.length > 0) {
    details.push({ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: error.violations });
  }
  const data =
    family === "a2a"
      ? details
      : { ...facts, reason: error.reason, request_id: requestId, timestamp, details };
  return { code: error.entry.code, message: error.message, data };
}

/** ErrorInfo's metadata is a map of strings. */
function stringMap(facts: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(facts).map(([key, value]) => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}
