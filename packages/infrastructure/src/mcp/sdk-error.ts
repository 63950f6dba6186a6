import { CommandNotStartedError } from "@cleveragents/application";
import { McpError, type McpReason } from "./mcp-error.ts";

export interface Circumstances {
  readonly server: string;
  /** Who asked has stopped waiting. */
  readonly cancelled: boolean;
  /** Why the connection is over, if the line knows. */
  readonly fault: string | undefined;
  readonly stderr: string | undefined;
}

interface Shape {
  readonly code?: unknown;
  readonly status?: unknown;
  readonly message?: unknown;
  /** Of one that was refused for want of it. */
  readonly requiredScope?: unknown;
  readonly cause?: { readonly code?: unknown; readonly message?: unknown };
}

const CLOSED = new Set([
  "CONNECTION_CLOSED",
  "NOT_CONNECTED",
  "SEND_FAILED",
  "EPIPE",
  "ERR_STREAM_DESTROYED",
]);
const NO_INPUT = new Set([
  "INPUT_REQUIRED_ROUNDS_EXCEEDED",
  "UNSUPPORTED_RESULT_TYPE",
  "CAPABILITY_NOT_SUPPORTED",
]);

/**
 * What the SDK throws, in our words. Judged by its fields: its class is not loaded where no server is used, an abort is
 * reported as a time-out, and a server that died as a closed connection.
 */
export function mcpErrorFrom(error: unknown, circumstances: Circumstances): McpError {
  if (error instanceof McpError) return error;
  const { server, cancelled, fault, stderr } = circumstances;
  const say = (reason: McpReason, message: string): McpError =>
    new McpError(reason, server, message, { cause: error, stderr });
  const { code, status, message, cause } = (error ?? {}) as Shape;
  if (cancelled) return say("CANCELLED", "the call was cancelled");
  if (error instanceof CommandNotStartedError) return say("MCP_CONNECTION", error.message);
  if (fault !== undefined) return say("MCP_CONNECTION", fault);
  const scope = wantedScope(error);
  if (scope !== undefined)
    return say(
      "MCP_AUTHENTICATION",
      `it wants more than a user has agreed to (${scope}): agents mcp login ${server}`,
    );
  if (code === "REQUEST_TIMEOUT") return say("MCP_TIMEOUT", "it did not answer in time");
  if (status === 401 || status === 403 || (error as Error)?.name === "UnauthorizedError")
    return say("MCP_AUTHENTICATION", "it does not accept our credentials");
  if (typeof status === "number") return say("MCP_CONNECTION", `it answered with HTTP status ${status}`);
  if (typeof code === "string" && CLOSED.has(code)) return say("MCP_CONNECTION", "the connection was closed");
  if (typeof code === "string" && NO_INPUT.has(code))
    return say("MCP_INVOCATION", "it asks for input in the middle of a call, which this agent does not give");
  if (code === "ERA_NEGOTIATION_FAILED")
    return say("MCP_PROTOCOL", "it speaks no version of the protocol that it was asked for");
  // A number is what the server itself has answered, in JSON-RPC.
  if (typeof code === "number") return say("MCP_INVOCATION", String(message));
  if (error instanceof TypeError && cause !== undefined)
    return say("MCP_CONNECTION", `it cannot be reached (${String(cause.code ?? cause.message)})`);
  return say("MCP_PROTOCOL", `it answered what cannot be understood: ${firstLine(String(message ?? error))}`);
}

const firstLine = (text: string): string => text.split("\n", 1)[0]?.slice(0, 300) ?? "";

/** A server over HTTP does not know our session any more; it has looked no further than that. */
export function isLostSession(error: unknown): boolean {
  const { status } = (error ?? {}) as Shape;
  return status === 400 || status === 404 || status === 410;
}

/** What a server says that a token lacks, where it says so. */
export function wantedScope(error: unknown): string | undefined {
  const { requiredScope } = (error ?? {}) as Shape;
  return typeof requiredScope === "string" && requiredScope !== "" ? requiredScope : undefined;
}
