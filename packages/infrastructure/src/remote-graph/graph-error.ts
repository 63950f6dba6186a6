import { RemoteAgentError } from "@cleveragents/application";

/** The SDK puts errors of its own in the place of those that `fetch` throws, and does not say what they were. */
export class FetchFailures {
  #last: RemoteAgentError | undefined;

  /** The same `fetch`, whose failures are remembered. */
  watching(send: typeof fetch): typeof fetch {
    return async (input, init) => {
      this.#last = undefined;
      try {
        return await send(input, init);
      } catch (error) {
        if (error instanceof RemoteAgentError) this.#last = error;
        throw error;
      }
    };
  }

  /** What the SDK throws, as one of ours. */
  explain(error: unknown, signal: AbortSignal): Error {
    if (signal.aborted) return signal.reason instanceof Error ? signal.reason : new Error("aborted");
    if (this.#last !== undefined) return this.#last;
    for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
      if (at instanceof RemoteAgentError) return at;
    const { status } = (error ?? {}) as { status?: unknown };
    const words = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    if (typeof status === "number")
      return new RemoteAgentError(
        status >= 500 ? "REMOTE_UNAVAILABLE" : "REMOTE_REFUSED",
        `its server says: ${words}`,
        { cause: error },
      );
    return new RemoteAgentError("REMOTE_BAD_RESPONSE", `it answers with what cannot be used: ${words}`, {
      cause: error,
    });
  }
}
