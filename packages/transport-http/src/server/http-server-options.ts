import type { A2aVersion, AgentCard, Authenticator, Dispatcher } from "@cleveragents/protocol";

/** Where the server tells its operator. Never given credentials or the content of a message. */
export interface HttpLogger {
  error(fields: Record<string, unknown>, message: string): void;
}

export interface Probes {
  readonly service: string;
  readonly version: string;
  /** Whether work can be taken on now, and why not. */
  ready(): Promise<{ readonly ready: boolean; readonly checks: Readonly<Record<string, unknown>> }>;
}

/** A text for everybody, the same as long as the process runs. */
export interface PublicDocument {
  /** Its media type. */
  readonly type: string;
  /** Called once, when it is first asked for. */
  readonly text: () => string;
}

export interface HttpLimits {
  /** Bytes of a request's body. */
  readonly maxBodyBytes: number;
  /** Milliseconds that a stream's reader may take nothing before it is cut off; it can resume. */
  readonly stallMs: number;
}
export const DEFAULT_HTTP_LIMITS: HttpLimits = { maxBodyBytes: 10 * 1024 * 1024, stallMs: 60_000 };

export interface HttpServerOptions {
  readonly dispatcher: Dispatcher;
  /** Undefined: no credential is asked for, and everybody is the principal `local`. */
  readonly authenticator: Authenticator | undefined;
  /**
   * The public card, as A2A 1.0 has it; `base` is where a trusted proxy says that the agent is reached. The same object
   * is the same card.
   */
  readonly card: (base?: string) => AgentCard | Promise<AgentCard>;
  /** Versions of A2A in which there is a card; all unless said otherwise. */
  readonly versions?: readonly A2aVersion[] | undefined;
  /** Addresses or networks of proxies whose forwarded headers are believed; none by default. */
  readonly trustedProxies?: readonly string[] | undefined;
  readonly probes: Probes;
  /** By path; served to everybody, beside the card. */
  readonly documents?: Readonly<Record<string, PublicDocument>> | undefined;
  /**
   * Host names (without port) that this server answers to, besides loopback names and the address that it is bound
   * to; `*` is every name. Pages of these hosts may call it too.
   */
  readonly allowedHosts: readonly string[];
  /** Origins, e.g. `https://ui.example`, whose pages may read the answers (CORS); none by default. */
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly limits?: Partial<HttpLimits> | undefined;
  /** Milliseconds between the comments that keep a silent stream alive; 15,000 by default. */
  readonly heartbeatMs?: number | undefined;
  readonly logger?: HttpLogger | undefined;
}
