export const TRANSPORTS = ["socket", "stdio", "http"] as const;
export type TransportName = (typeof TRANSPORTS)[number];

/** What was asked for on the command line and in the environment; the selector makes a transport of it. */
export interface ConnectRequest {
  /** Where an agent is served over HTTP. */
  readonly server: string | undefined;
  /** The server's token or key; a local agent's own is found by itself. */
  readonly token: string | undefined;
  readonly transport: TransportName | undefined;
  readonly dataDir: string | undefined;
  readonly timeoutMs: number | undefined;
  /** Told what a spawned agent writes to its stderr, as it comes. */
  readonly onAgentLog: ((text: string) => void) | undefined;
}
