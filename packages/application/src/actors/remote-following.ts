import type { RemotePlace } from "@cleveragents/domain";
import { type RemoteAgent, RemoteAgentError, type RemoteUpdate } from "../ports/remote-agent.ts";

const TRIES = 6;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Everything that comes of some work elsewhere, over any number of lost connections: each is followed by a look at what
 * there is by then. Throws what stays wrong for several tries in a row.
 */
export async function* followed(
  agent: RemoteAgent,
  begun: { readonly place: RemotePlace } | { readonly stream: AsyncIterable<RemoteUpdate> },
  signal: AbortSignal,
): AsyncGenerator<RemoteUpdate> {
  let place = "place" in begun ? begun.place : undefined;
  let stream = "stream" in begun ? begun.stream : agent.follow(begun.place, signal);
  for (let failures = 0; ; ) {
    try {
      for await (const update of stream) {
        failures = 0;
        if (update.kind === "taken") place = update.place;
        yield update;
        if (update.kind === "rest") return;
      }
      throw new RemoteAgentError("REMOTE_UNAVAILABLE", "the stream ended before the work did");
    } catch (error) {
      signal.throwIfAborted();
      const lost = error instanceof RemoteAgentError && error.transient && place !== undefined;
      if (!lost || ++failures >= TRIES) throw error;
    }
    await pause(Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS), signal);
    stream = agent.follow(place as RemotePlace, signal); // looked at above
  }
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(over, ms);
    function over() {
      clearTimeout(timer);
      signal.removeEventListener("abort", over);
      resolve();
    }
    signal.addEventListener("abort", over);
  });
  signal.throwIfAborted();
}
