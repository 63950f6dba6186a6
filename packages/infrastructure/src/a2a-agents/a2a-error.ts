import { RemoteAgentError } from "@cleveragents/application";

const LONGEST = 500;

/** What the SDK throws, as one of ours. Refusals of the agent have a code or are of a class of A2A's. */
export function toRemoteError(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted) return signal.reason instanceof Error ? signal.reason : new Error("aborted");
  const known = within(error);
  if (known !== undefined) return known;
  const message = error instanceof Error ? error.message : String(error);
  const words = message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message;
  const refused = isRefusal(error);
  return new RemoteAgentError(
    refused ? "REMOTE_REFUSED" : "REMOTE_BAD_RESPONSE",
    refused ? `it refuses: ${words}` : `it answers with what cannot be used: ${words}`,
    { cause: error },
  );
}

export function isRefusal(error: unknown): boolean {
  const { name = "", envelopeCode } = (error ?? {}) as { name?: string; envelopeCode?: unknown };
  return (
    typeof envelopeCode === "number" ||
    (/^(JsonRpc|Rest)?[A-Z]\w+Error$/.test(name) && name !== "TypeError" && name !== "SyntaxError")
  );
}

/** Whether what was asked for is not done here, or not for this task. */
export function isUnsupported(error: unknown): boolean {
  const { name = "", envelopeCode } = (error ?? {}) as { name?: string; envelopeCode?: unknown };
  return (
    /UnsupportedOperation|TaskNotFound|TaskNotCancelable|MethodNotFound/.test(name) ||
    envelopeCode === -32601 ||
    envelopeCode === -32004 ||
    envelopeCode === -32001 ||
    envelopeCode === -32002
  );
}

function within(error: unknown): RemoteAgentError | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if (at instanceof RemoteAgentError) return at;
  return undefined;
}
