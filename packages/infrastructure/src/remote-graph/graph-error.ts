import { RemoteAgentError } from "@cleveragents/application";

/** What the SDK throws, as one of ours. */
export function toGraphError(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted) return signal.reason instanceof Error ? signal.reason : new Error("aborted");
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if (at instanceof RemoteAgentError) return at;
  const { status } = (error ?? {}) as { status?: unknown };
  const message = error instanceof Error ? error.message : String(error);
  const words = message.slice(0, 500);
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
