export type TransportReason =
  | "NOT_CONNECTED"
  | "CONNECTION_LOST"
  | "TIMEOUT"
  | "ABORTED"
  | "BAD_RESPONSE"
  | "UNAUTHORIZED";

const MARK = Symbol.for("cleveragents.transport-error");

/** A call that got no answer worth the name. Stays on this side of the wire. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly reason: TransportReason;
  readonly [MARK] = true;
  constructor(reason: TransportReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }

  static is(value: unknown): value is TransportError {
    return typeof value === "object" && value !== null && MARK in value;
  }
}
