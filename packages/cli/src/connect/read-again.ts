import { RemoteError, TransportError } from "@cleveragents/protocol";

const ATTEMPTS = 4;
const PAUSE_MS = 250;

/**
 * Asks once more when the agent was lost before it answered. Only for what changes nothing: nobody knows whether a
 * question that was lost has been carried out.
 */
export async function readAgain<T>(
  read: () => Promise<T>,
  { signal, pauseMs = PAUSE_MS }: { readonly signal?: AbortSignal; readonly pauseMs?: number } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (attempt === ATTEMPTS || signal?.aborted === true || !wasLost(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs * attempt));
  }
}

function wasLost(error: unknown): boolean {
  if (TransportError.is(error)) return error.reason === "CONNECTION_LOST";
  return RemoteError.is(error) && error.reason === "SHUTTING_DOWN";
}
