import type { Readable, Writable } from "node:stream";
import type { Dispatcher, Principal } from "@cleveragents/protocol";
import { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from "./connection-limits.ts";
import { ServedConnection } from "./served-connection.ts";

export interface ServeConnectionOptions {
  readonly dispatcher: Dispatcher;
  readonly input: Readable;
  /** May be the same stream as `input`, e.g. a socket; one that allows a half-open connection. */
  readonly output: Writable;
  readonly principal: Principal;
  readonly limits?: Partial<ConnectionLimits> | undefined;
  /** Told about what should not happen (a dispatcher that throws). Lost peers are no errors. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export interface Connection {
  /** Settles when both streams are done with; never rejects. */
  readonly closed: Promise<void>;
  /** How many of the peer's calls are open, streams among them, and how many there have been. */
  readonly calls: { readonly open: number; readonly begun: number };
  /**
   * Takes no more requests, waits up to `graceMs` (0 by default) for those in flight, then answers the rest: a call
   * with `ShuttingDown`, a stream with its end, so that its client comes back with the cursor.
   */
  close(graceMs?: number): Promise<void>;
}

/**
 * Serves a dispatcher on a pair of streams as `docs/bindings/stdio.md` says. It owns both: they end with the
 * connection. What was begun for a caller who leaves is aborted by its signal, which never stops a task.
 */
export function serveConnection(options: ServeConnectionOptions): Connection {
  const { limits, onError, ...rest } = options;
  return new ServedConnection({
    ...rest,
    limits: { ...DEFAULT_CONNECTION_LIMITS, ...limits },
    onError: onError ?? (() => {}),
  });
}
