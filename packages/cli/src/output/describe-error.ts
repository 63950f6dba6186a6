import { RemoteError, TransportError } from "@cleveragents/protocol";
import { CliError } from "../cli-error.ts";
import { EXIT, type ExitCode, exitCodeOfReason } from "../exit-codes.ts";
import { clean } from "./clean.ts";
import { problemLines } from "./problem-lines.ts";
import { count } from "./words.ts";

/** What went wrong, in the form that text, JSON and the exit code are made from. */
export interface ErrorDescription {
  readonly code: string;
  readonly message: string;
  /** Facts, one a line. */
  readonly lines: readonly string[];
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;
  /** The peer's JSON-RPC code and data, where a peer answered. */
  readonly a2aCode?: number;
  readonly data?: unknown;
}

/** Hints for what the peer gave none for. */
const HINTS: Readonly<Record<string, string>> = {
  AUTHENTICATION_REQUIRED: "set CLEVERAGENTS_SERVER_TOKEN to a token or key of that server",
  UNAUTHORIZED: "set CLEVERAGENTS_SERVER_TOKEN to a token or key of that server",
  NOT_CONNECTED: "is the server running, and is the address right? agents help connection",
  CONNECTION_LOST: "run the command again; plans go on by themselves",
  TIMEOUT: "plans go on by themselves: agents plan list",
  PLAN_NOT_FOUND: "agents plan list shows your plans; parts of ids need six characters",
  SESSION_NOT_FOUND: "agents session list shows your sessions",
  METHOD_NOT_FOUND: "this agent does not have that method; is it a CleverAgents server of this version?",
  DIGEST_MISMATCH: "look at the changes as they are now: agents plan diff ID",
  ALREADY_EXISTS: "choose another name, or replace it with --update where the command has it",
  INTERNAL_ERROR: "the server's log says more; quote the request id",
};

export function describeError(error: unknown): ErrorDescription {
  if (error instanceof CliError) {
    const { code, hint, exitCode, lines } = error;
    return clean({ code, message: error.message, lines, hint, exitCode });
  }
  if (RemoteError.is(error)) return clean(describeRemote(error));
  if (TransportError.is(error)) {
    const hint = HINTS[error.reason];
    return clean({
      code: error.reason,
      message: error.message,
      lines: [],
      hint,
      exitCode: exitCodeOfReason(error.reason),
    });
  }
  const message = error instanceof Error ? error.message : String(error);
  const code = isSystemError(error) ? error.code : "INTERNAL_ERROR";
  return clean({ code, message, lines: [], hint: undefined, exitCode: EXIT.FAILED });
}

function describeRemote(error: RemoteError): ErrorDescription {
  const { reason, data } = error;
  const problems = problemLines(error);
  const requestId = isRecord(data) && typeof data["request_id"] === "string" ? data["request_id"] : undefined;
  return {
    code: reason,
    message: messageOf(error, problems),
    lines: reason === "INTERNAL_ERROR" && requestId !== undefined ? [`request id ${requestId}`] : problems,
    hint: error.hint ?? (Object.hasOwn(HINTS, reason) ? HINTS[reason] : undefined),
    exitCode: exitCodeOfReason(reason, error.code),
    a2aCode: error.code,
    ...(data === undefined ? {} : { data }),
  };
}

/** The first line of the message, unless that is the first of the problems, which stand below. */
function messageOf({ message }: RemoteError, problems: readonly string[]): string {
  const first = message.split("\n", 1)[0] ?? message;
  return first === problems[0] ? `${count(problems.length, "problem")}:` : first;
}

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
