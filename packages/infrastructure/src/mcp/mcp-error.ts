/** Stable words for what can go wrong between us and a server. */
export type McpReason =
  | "MCP_CONNECTION"
  | "MCP_TIMEOUT"
  | "MCP_PROTOCOL"
  | "MCP_AUTHENTICATION"
  | "MCP_TOOL_NOT_FOUND"
  | "MCP_INVOCATION"
  | "MCP_STOPPED"
  | "CANCELLED";

/** Something is wrong with one server, which is named; others are not concerned. */
export class McpError extends Error {
  override readonly name = "McpError";
  readonly reason: McpReason;
  readonly server: string;
  /** The end of what the server has written to stderr, where that may say why. */
  readonly stderr: string | undefined;
  constructor(
    reason: McpReason,
    server: string,
    message: string,
    options: ErrorOptions & { readonly stderr?: string | undefined } = {},
  ) {
    super(`MCP server ${server}: ${message}`, options);
    this.reason = reason;
    this.server = server;
    this.stderr = options.stderr === "" ? undefined : options.stderr;
  }
}
