import { TransportError } from "@cleveragents/protocol";
import { AgentCardError } from "@cleveragents/transport-http/client";
import { CliError, type CliErrorOptions } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";

/** The codes that the a2a-cli specification has for failures of the command's own (its Appendix D), and how they exit. */
const EXITS = {
  USAGE: EXIT.USAGE,
  CARD_NOT_FOUND: EXIT.UNREACHABLE,
  CARD_INVALID: EXIT.FAILED,
  UNREACHABLE: EXIT.UNREACHABLE,
  CREDENTIALS_MISSING: EXIT.AUTHENTICATION,
  AUTH_FAILED: EXIT.AUTHENTICATION,
  TIMEOUT: EXIT.TIMEOUT,
  INTERNAL: EXIT.FAILED,
} as const;

export function a2aError(
  code: keyof typeof EXITS,
  message: string,
  options: Omit<CliErrorOptions, "exitCode"> = {},
): CliError {
  return new CliError(`A2ACLI_ERR_${code}`, message, { ...options, exitCode: EXITS[code] });
}

/** What went wrong between this command and an agent, in the words of the a2a-cli specification. */
export function toA2aError(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return a2aError("TIMEOUT", "no answer in time", { cause: error });
  if (error instanceof AgentCardError) return ofCard(error);
  if (TransportError.is(error) && error.reason !== "BAD_RESPONSE")
    return error.reason === "UNAUTHORIZED"
      ? a2aError("AUTH_FAILED", error.message, { cause: error })
      : a2aError("UNREACHABLE", error.message, { cause: error });
  return error;
}

function ofCard(error: AgentCardError): CliError {
  const { message, reason } = error;
  switch (reason) {
    case "NOT_FOUND":
      return a2aError("CARD_NOT_FOUND", message, {
        cause: error,
        hint: "give the address of the agent, or that of its card",
      });
    case "NOT_A_CARD":
      return a2aError("CARD_INVALID", message, { cause: error });
    case "UNAUTHORIZED":
      return a2aError("AUTH_FAILED", message, { cause: error });
    case "REFUSED":
      return a2aError("UNREACHABLE", message, { cause: error });
  }
}
