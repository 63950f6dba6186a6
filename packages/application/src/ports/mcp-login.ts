import type { McpServer } from "@cleveragents/domain";

export interface McpLoginBegun {
  readonly server: string;
  /** What the browser brings back beside its code. */
  readonly state: string;
  /** Where the user logs in. */
  readonly url: string;
  /** Milliseconds since the epoch; afterwards it is begun anew. */
  readonly expiresAt: number;
}

/** What the browser has brought back. */
export interface McpLoginEnd {
  readonly code: string;
  readonly iss?: string | undefined;
}

/** Nobody has begun such a login here, or too long ago. */
export class McpLoginUnknownError extends Error {
  override readonly name = "McpLoginUnknownError";
  constructor() {
    super("no login was begun that ends so, or it took too long");
  }
}

/** Logs a user in at MCP servers, and keeps what comes of it where only the user can read it. */
export interface McpLogin {
  /**
   * Where the user logs in, to come back to `redirectUri`. Throws `McpUnavailableError` or `TrustRequiredError`; nothing
   * is kept yet.
   */
  begin(server: McpServer, redirectUri: string, signal: AbortSignal): Promise<McpLoginBegun>;
  /** Throws {@link McpLoginUnknownError} or `McpUnavailableError`. Whichever it is, the login is over. */
  finish(state: string, end: McpLoginEnd, signal: AbortSignal): Promise<{ readonly server: string }>;
  /** Forgets what came of a login; false if there was nothing. Never fails for a server that is gone. */
  forget(server: string): Promise<boolean>;
}
