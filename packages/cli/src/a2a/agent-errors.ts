import { RemoteError, TransportError } from "@cleveragents/protocol";
import { RestError } from "@cleveragents/transport-http/client";
import { CliError, type CliErrorOptions } from "../cli-error.ts";
import { problemLines } from "../output/problem-lines.ts";
import { a2aError } from "./a2a-errors.ts";
import { listOf, objectOf } from "./answers.ts";

/** What an agent refused, by the name that A2A has for it (§3.3.2), with the code that its binding gave. */
export class AgentRefusal extends CliError {
  readonly a2aCode: number | undefined;
  constructor(name: string, message: string, a2aCode?: number, options: CliErrorOptions = {}) {
    super(name, message, options);
    this.a2aCode = a2aCode;
  }
}

/** JSON-RPC's codes and A2A's (§5.4). */
const NAMES: ReadonlyMap<number, string> = new Map([
  [-32700, "JSONParseError"],
  [-32600, "InvalidRequestError"],
  [-32601, "MethodNotFoundError"],
  [-32602, "InvalidParamsError"],
  [-32603, "InternalError"],
  [-32001, "TaskNotFoundError"],
  [-32002, "TaskNotCancelableError"],
  [-32003, "PushNotificationNotSupportedError"],
  [-32004, "UnsupportedOperationError"],
  [-32005, "ContentTypeNotSupportedError"],
  [-32006, "InvalidAgentResponseError"],
  [-32007, "ExtendedAgentCardNotConfiguredError"],
  [-32008, "ExtensionSupportRequiredError"],
  [-32009, "VersionNotSupportedError"],
]);
/** The same by the reason in a `google.rpc.ErrorInfo` (§11.6), so that bindings do not differ. */
const NAMES_BY_REASON: ReadonlyMap<string, string> = new Map(
  [...NAMES.values()].map((name) => [reasonOf(name), name]),
);
/** What is left where an HTTP status is all that an agent says. */
const NAMES_BY_STATUS: ReadonlyMap<number, string> = new Map([
  [400, "InvalidParamsError"],
  [404, "TaskNotFoundError"],
  [405, "MethodNotFoundError"],
  [415, "ContentTypeNotSupportedError"],
  [422, "InvalidParamsError"],
  [501, "UnsupportedOperationError"],
]);

const HINTS: Readonly<Record<string, string>> = {
  TaskNotFoundError: "is the id whole, and is it of this agent? --debug shows what it answered",
  TaskNotCancelableError: "it has ended already: agents a2a task get shows how",
  PushNotificationNotSupportedError: "wait for the task instead: agents a2a task get --wait",
  VersionNotSupportedError: "agents a2a card get shows the versions; choose with --a2a-version",
};
const LOOK_CLOSER = "--debug shows what was sent and what the agent answered";

export function reasonOf(name: string): string {
  return name
    .replace(/Error$/, "")
    .replace(/([a-z])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3_$2$4")
    .toUpperCase();
}

export function refusal(
  name: string,
  message: string,
  options: { readonly hint?: string } = {},
): AgentRefusal {
  return new AgentRefusal(name, message, undefined, { hint: options.hint ?? HINTS[name] ?? LOOK_CLOSER });
}

/** Undefined for what is no answer of an agent's. */
export function toRefusal(error: unknown, wasIdentified: boolean): CliError | undefined {
  if (RemoteError.is(error)) return fromCode(error.code, error, wasIdentified);
  if (error instanceof RestError) return fromRest(error, wasIdentified);
  if (TransportError.is(error) && error.reason === "BAD_RESPONSE")
    return new AgentRefusal("InvalidAgentResponseError", error.message, undefined, {
      cause: error,
      hint: LOOK_CLOSER,
    });
  return undefined;
}

/** The name that a refusal would have, for those who react to one. */
export function refusalName(error: unknown): string | undefined {
  return toRefusal(error, false)?.code;
}

function fromRest(error: RestError, wasIdentified: boolean): CliError {
  const body = objectOf(error.json);
  const said = body["error"] === undefined ? body : objectOf(body["error"]);
  const message = typeof said["message"] === "string" ? said["message"] : error.message;
  const code = typeof said["code"] === "number" && said["code"] < 0 ? said["code"] : undefined;
  const remote = new RemoteError({ code: code ?? 0, message, data: listOf(said["details"]) });
  if (error.status === 401 || error.status === 403) return unauthorized(message, error, wasIdentified);
  if (code !== undefined) return fromCode(code, remote, wasIdentified);
  const name =
    NAMES_BY_REASON.get(remote.reason) ??
    NAMES_BY_STATUS.get(error.status) ??
    (error.status >= 500 ? "InternalError" : "InvalidRequestError");
  return named(name, remote, error.status);
}

function fromCode(code: number, error: RemoteError, wasIdentified: boolean): CliError {
  const name = NAMES_BY_REASON.get(error.reason) ?? NAMES.get(code);
  if (name !== undefined) return named(name, error, code);
  if (
    /^(AUTHENTICATION_REQUIRED|UNAUTHENTICATED|UNAUTHORIZED|PERMISSION_DENIED|FORBIDDEN)$/.test(error.reason)
  )
    return unauthorized(error.message, error, wasIdentified);
  // A2A has no name for it; what it stands for the message says.
  return named("InternalError", error, code);
}

function named(name: string, error: RemoteError, code: number): AgentRefusal {
  return new AgentRefusal(name, error.message, code, {
    cause: error,
    hint: error.hint === undefined ? (HINTS[name] ?? LOOK_CLOSER) : `${error.hint}; ${LOOK_CLOSER}`,
    lines: problemLines(error),
  });
}

export function unauthorized(message: string, cause: unknown, wasIdentified: boolean): CliError {
  return wasIdentified
    ? a2aError("AUTH_FAILED", `the agent does not accept the credential: ${message}`, { cause })
    : a2aError("CREDENTIALS_MISSING", `the agent asks for a credential: ${message}`, {
        cause,
        hint: "give --bearer TOKEN (A2ACLI_BEARER) or --api-key KEY (A2ACLI_API_KEY)",
      });
}
