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
  AUTHENTICATION_REQUIRED: "agents login signs in there, or set CLEVERAGENTS_SERVER_TOKEN",
  UNAUTHORIZED: "agents login signs in there, or set CLEVERAGENTS_SERVER_TOKEN",
  NOT_CONNECTED: "is the server running, and is the address right? agents help connection",
  CONNECTION_LOST: "run the command again; plans go on by themselves",
  SHUTTING_DOWN: "run the command again; plans go on by themselves",
  PERMISSION_DENIED: "use a key that may: agents auth key create NAME --scope SCOPE, where the server runs",
  NOTHING_OPEN: "agents plan status ID says what the plan waits for",
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
    const hint = tlsHint(error) ?? HINTS[error.reason];
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

/** What is said of certificates needs another remedy than a wrong address. */
function tlsHint({ reason, message }: TransportError): string | undefined {
  const code =
    reason === "NOT_CONNECTED"
      ? /\(([A-Z_]*(?:CERT|SIGNED|VERIFY|TLS|SSL|EPROTO)[A-Z_]*)\)$/.exec(message)?.[1]
      : undefined;
  if (code === undefined) return undefined;
  if (/SSL|EPROTO/.test(code)) return "does the server speak https? its address may begin with http://";
  if (/EXPIRED|NOT_YET_VALID/.test(code))
    return "its certificate is not valid now: is this machine's clock right?";
  if (/ALTNAME/.test(code)) return "its certificate is for another name: is the address right?";
  return "NODE_EXTRA_CA_CERTS=/path/ca.pem makes a private CA known to this command";
}

function describeRemote(error: RemoteError): ErrorDescription {
  const { reason, data } = error;
  const problems = problemLines(error);
  const requestId = isRecord(data) && typeof data["request_id"] === "string" ? data["request_id"] : undefined;
  return {
    code: reason,
    message: messageOf(error, problems),
    lines: reason === "INTERNAL_ERROR" && requestId !== undefined ? [`request id ${requestId}`] : problems,
    hint: hintOf(error),
    exitCode: exitCodeOfReason(reason, error.code),
    a2aCode: error.code,
    ...(data === undefined ? {} : { data }),
  };
}

/** The peer's, unless ours begins like it and says more. */
function hintOf({ hint, reason, violations }: RemoteError): string | undefined {
  if (reason === "ARGUMENTS_INVALID") {
    const missing = violations.find(({ description }) => description === "required")?.field;
    const flag = missing === undefined ? "" : `--arg ${missing.replace(/^arguments\./, "")}=VALUE; `;
    return `${flag}${hint ?? ""}`;
  }
  const own = Object.hasOwn(HINTS, reason) ? HINTS[reason] : undefined;
  return own?.startsWith(hint ?? "") === true ? own : hint;
}

/** The first line of the message, unless that is the first of the problems, which stand below. */
function messageOf({ message }: RemoteError, problems: readonly string[]): string {
  const line = message.split("\n", 1)[0] ?? message;
  const [problem = line] = problems;
  const first = line.endsWith(`: ${problem}`) ? line.slice(0, -problem.length - 2) : line;
  return first === problems[0] ? `${count(problems.length, "problem")}:` : first;
}

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
