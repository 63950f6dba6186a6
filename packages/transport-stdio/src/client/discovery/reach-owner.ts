import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TransportError } from "@cleveragents/protocol";
import { readDiscovery } from "./discovery.ts";
import { openOwner } from "./open-owner.ts";
import type { StartedOwner } from "./start-owner-process.ts";

export interface ReachOwnerOptions {
  readonly dataDir: string;
  /**
   * Starts an owner and returns; it may find that another was faster. Undefined: only an owner that is there. While one
   * that was started may still come up no other is: on a machine that is slow, each would make it slower.
   */
  readonly startOwner: (() => Promise<StartedOwner | undefined>) | undefined;
  /** Milliseconds for all of it. */
  readonly timeoutMs: number;
  /** Milliseconds between two starts at least; 2,000 by default. */
  readonly startAgainMs?: number | undefined;
  /** Gives up, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

const FIRST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 20;
/** An owner that was just leaving keeps its lock for a moment, and the one that was started meanwhile gives up. */
const START_AGAIN_MS = 2000;

/**
 * Connects to the owner that the discovery file of a data directory names, starting one as long as none answers.
 * `TransportError` NOT_CONNECTED when it does not work in time, TIMEOUT when an owner is there and is silent.
 */
export async function reachOwner<T>(
  { dataDir, startOwner, timeoutMs, startAgainMs = START_AGAIN_MS, signal }: ReachOwnerOptions,
  use: (socket: Socket) => T,
): Promise<T> {
  // Not known before the first attempt has failed, since even asking for the time costs a quick one something.
  let deadline: number | undefined;
  let wait = FIRST_WAIT_MS;
  let startAt = 0;
  let coming = false;
  let cause: unknown;
  for (;;) {
    signal?.throwIfAborted();
    const discovery = await readDiscovery(dataDir);
    try {
      if (discovery === undefined) throw new TransportError("NOT_CONNECTED", `${dataDir} names no owner`);
      return use(await openOwner(discovery.socket));
    } catch (error) {
      if (TransportError.is(error) && error.reason === "TIMEOUT")
        throw silent(dataDir, discovery?.pid, error);
      cause ??= error;
    }
    if (startOwner === undefined)
      throw new TransportError("NOT_CONNECTED", `no owner serves ${dataDir}`, { cause });
    const now = performance.now();
    deadline ??= now + timeoutMs;
    if (now >= deadline) {
      const message = `no owner of ${dataDir} answered within ${timeoutMs} ms; see its log, ${join(dataDir, "owner.log")}`;
      throw new TransportError("NOT_CONNECTED", message, { cause });
    }
    if (now >= startAt && !coming) {
      startAt = now + startAgainMs;
      coming = true;
      const gone = () => {
        coming = false;
      };
      const started = startOwner().then(
        (owner) => void (owner === undefined ? gone() : owner.ended.then(gone)),
        (error: unknown) => {
          cause = error;
          gone();
        },
      );
      await Promise.race([started, sleep(deadline - now, undefined, { ref: false })]);
    }
    await sleep(Math.min(wait, Math.max(0, deadline - performance.now())));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

/** It keeps the directory from everybody, and only its user can tell whether it may be ended. */
function silent(dataDir: string, pid: number | undefined, cause: TransportError): TransportError {
  const message = `process ${pid} owns ${dataDir} and does not answer; if it hangs or is stopped, end it (kill -KILL ${pid}) and try again`;
  return new TransportError("TIMEOUT", message, { cause });
}
