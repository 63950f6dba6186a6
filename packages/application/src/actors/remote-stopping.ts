import type { RemotePlace, RemoteWork } from "@cleveragents/domain";
import type { RemoteActor } from "../ports/remote-agent.ts";
import type { RemoteDeps } from "./remote-turn.ts";

/** To reach somebody elsewhere who is to stop, and to tell them. */
const REACH_MS = 10_000;

type OpenWork = Pick<RemoteWork, "place"> & {
  readonly [known in "pending" | "asks" | "abandoned"]?: RemoteWork[known] | undefined;
};

/** Whether something is done elsewhere, or may be. */
export function isOpen({ pending, asks, abandoned }: OpenWork): boolean {
  return pending !== undefined || asks !== undefined || abandoned !== undefined;
}

/** Asks for all of it to be stopped, in bounded time; answers by which tasks. Throws what stands in the way. */
export async function stopWork(
  { agents, unsent }: RemoteDeps,
  actor: RemoteActor,
  { pending, asks, place, abandoned }: OpenWork,
  stop?: AbortSignal,
): Promise<readonly RemotePlace[]> {
  const late = AbortSignal.timeout(REACH_MS);
  const signal = stop === undefined ? late : AbortSignal.any([stop, late]);
  const surelyUnsent = pending !== undefined && pending.taken === undefined && unsent.has(pending.messageId);
  if (surelyUnsent && asks === undefined && abandoned === undefined) return [];
  const agent = await agents.open(actor, signal);
  const places: RemotePlace[] = [];
  if (abandoned !== undefined) places.push(abandoned);
  if (asks !== undefined && asks.ours !== true) places.push(place);
  if (pending !== undefined && !surelyUnsent) {
    // It may have been cut off while it was handed over.
    const taken = pending.taken ?? (await agent.find(pending.messageId, pending.place, signal));
    if (typeof taken === "object") places.push(taken);
  }
  const known = places.filter(({ taskId }) => taskId !== undefined);
  for (const one of known) await agent.cancel(one, signal);
  return known;
}
