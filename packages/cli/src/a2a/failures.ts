import { TransportError } from "@cleveragents/protocol";
import { AgentCardError } from "@cleveragents/transport-http/client";
import { CliError } from "../cli-error.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { a2aError, toA2aError } from "./a2a-errors.ts";
import { AgentRefusal, toRefusal, unauthorized } from "./agent-errors.ts";

export interface FailureFacts {
  /** Of `--timeout`. */
  readonly signal?: AbortSignal | undefined;
  readonly isIdentified?: boolean;
  /** What to run to go on waiting, once a task is known. */
  readonly goOn?: string | undefined;
}

/**
 * Whatever went wrong, in one of the two layers of the a2a-cli specification (§11.4): what an agent refused by A2A's name,
 * everything else by a code of Appendix D.
 */
export function toFailure(
  error: unknown,
  { signal, isIdentified = false, goOn }: FailureFacts = {},
): CliError {
  if (signal?.aborted === true)
    return a2aError("TIMEOUT", "the time was over before the task rested", {
      cause: error,
      hint: goOn ?? "give it longer: --timeout 5m",
    });
  if (error instanceof AgentRefusal) return error;
  if (error instanceof CliError) return ofOurs(error);
  const refused = toRefusal(error, isIdentified);
  if (refused !== undefined) return refused;
  if (TransportError.is(error) && error.reason === "UNAUTHORIZED")
    return unauthorized(error.message, error, isIdentified);
  if (TransportError.is(error) || error instanceof AgentCardError) {
    const known = toA2aError(error, new AbortController().signal);
    if (known instanceof CliError) return known;
  }
  return a2aError("INTERNAL", error instanceof Error ? error.message : String(error), { cause: error });
}

const CODES: ReadonlyMap<ExitCode, "USAGE" | "UNREACHABLE" | "AUTH_FAILED"> = new Map([
  [EXIT.USAGE, "USAGE"],
  [EXIT.UNREACHABLE, "UNREACHABLE"],
  [EXIT.AUTHENTICATION, "AUTH_FAILED"],
]);

/** The rest of this command has words of its own for what is written wrongly. */
function ofOurs(error: CliError): CliError {
  if (error.code.startsWith("A2ACLI_ERR_")) return error;
  const { message, hint, lines, exitCode } = error;
  if (exitCode === EXIT.INTERRUPTED) return error;
  return a2aError(CODES.get(exitCode) ?? "INTERNAL", message, { cause: error, hint, lines });
}
