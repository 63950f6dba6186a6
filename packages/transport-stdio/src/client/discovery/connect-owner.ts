import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ClientTransport, TransportError } from "@cleveragents/protocol";
import { connectSocket } from "../connect-socket.ts";
import { createReconnectingTransport } from "../reconnecting-transport.ts";
import type { StreamTransport } from "../stream-transport.ts";
import { readDiscovery } from "./discovery.ts";

export interface ConnectOwnerOptions {
  readonly dataDir: string;
  /** Starts an owner and returns; it may find that another was faster. Undefined: only an owner that is there. */
  readonly startOwner: (() => Promise<void>) | undefined;
  /** Milliseconds for all of it. */
  readonly timeoutMs: number;
}

const FIRST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 50;
/** An owner that was just leaving keeps its lock for a moment, and the one that was started meanwhile gives up. */
const START_AGAIN_MS = 2000;

/**
 * Connects to the owner of a data directory, starting one if none answers. After a lost connection the next call
 * connects, and if need be starts, again. `TransportError` NOT_CONNECTED when none answers in time.
 */
export async function connectOwner(options: ConnectOwnerOptions): Promise<ClientTransport> {
  const connected = await connectOnce(options);
  return createReconnectingTransport(() => connectOnce(options), connected);
}

async function connectOnce({
  dataDir,
  startOwner,
  timeoutMs,
}: ConnectOwnerOptions): Promise<StreamTransport> {
  const deadline = performance.now() + timeoutMs;
  let wait = FIRST_WAIT_MS;
  let startAt = 0;
  let cause: unknown;
  for (;;) {
    try {
      return await connectPresent(dataDir);
    } catch (error) {
      cause ??= error;
    }
    if (startOwner === undefined)
      throw new TransportError("NOT_CONNECTED", `no owner serves ${dataDir}`, { cause });
    const now = performance.now();
    if (now >= deadline) {
      const message = `no owner of ${dataDir} answered within ${timeoutMs} ms; see its log, ${join(dataDir, "owner.log")}`;
      throw new TransportError("NOT_CONNECTED", message, { cause });
    }
    if (now >= startAt) {
      startAt = now + START_AGAIN_MS;
      const started = startOwner().catch((error: unknown) => {
        cause = error;
      });
      await Promise.race([started, sleep(deadline - now, undefined, { ref: false })]);
    }
    await sleep(Math.min(wait, Math.max(0, deadline - performance.now())));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

async function connectPresent(dataDir: string): Promise<StreamTransport> {
  const discovery = await readDiscovery(dataDir);
  if (discovery === undefined) throw new TransportError("NOT_CONNECTED", `${dataDir} names no owner`);
  return await connectSocket(discovery.socket);
}
