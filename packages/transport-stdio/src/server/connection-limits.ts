import {
  DEFAULT_FRAMING_LIMITS,
  DEFAULT_LIMITS,
  type FramingLimits,
  type MessageLimits,
} from "@cleveragents/protocol";

export interface ConnectionLimits {
  readonly message: MessageLimits;
  readonly framing: FramingLimits;
  /** Calls of one connection that run at once, streams among them; the next ones wait in line. */
  readonly maxConcurrent: number;
  /** Calls that wait in line; above it, and above one message's greatest size in bytes, the input is not read. */
  readonly maxWaiting: number;
  /** Milliseconds that calls still have when the input has ended, and that the peer has to take their answers. */
  readonly drainMs: number;
}

export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  message: DEFAULT_LIMITS,
  framing: DEFAULT_FRAMING_LIMITS,
  maxConcurrent: 256,
  maxWaiting: 256,
  drainMs: 3000,
};
