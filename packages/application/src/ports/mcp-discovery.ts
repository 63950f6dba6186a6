import type { EnforcementLevel, McpListing, McpServer } from "@cleveragents/domain";

export interface McpDiscovered {
  readonly listing: Omit<McpListing, "found_at">;
  /** From its start to its first answer. */
  readonly startedMs: number;
  /** How its process was isolated; undefined for one that is not started here. */
  readonly level?: EnforcementLevel;
  /** Processes of it that were left when it was stopped. */
  readonly leftRunning: number;
  /** Lines on its stdout that were no messages. */
  readonly skippedLines: number;
}

/** A server cannot be used; `reason` is stable. */
export class McpUnavailableError extends Error {
  override readonly name = "McpUnavailableError";
  readonly server: string;
  readonly reason: string;
  constructor(server: string, reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.server = server;
    this.reason = reason;
  }
}

/** Finds out what MCP servers offer. */
export interface McpDiscovery {
  /**
   * Starts a server of its own, outside of any project, lists what it offers and stops it. Throws
   * {@link McpUnavailableError} or `TrustRequiredError`; nothing is left running either way.
   */
  discover(server: McpServer, signal: AbortSignal): Promise<McpDiscovered>;
  /** Lists are stored anew; those of the servers that are named are others than before. */
  changed(servers: readonly string[]): Promise<void>;
}
