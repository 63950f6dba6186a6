export const SCOPES = [
  "task:read",
  "task:write",
  "registry:read",
  "registry:write",
  "trust:write",
  "health:read",
  "auth:read",
  "auth:write",
] as const;
export type Scope = (typeof SCOPES)[number];

/** Who is calling. Everything that a principal makes belongs to it; nobody else can see it. */
export interface Principal {
  readonly id: string;
  readonly scopes: readonly Scope[];
  /**
   * The tenants that it may name in a call; none unless said. Whoever has a list, an empty one too, hands on no other
   * tenants; without one it is the operator, who gives any.
   */
  readonly tenants?: readonly string[] | undefined;
}

/** The user of this machine: stdio, the socket, the discovery file's token and `--no-auth` are all this principal. */
export const LOCAL_PRINCIPAL: Principal = { id: "local", scopes: SCOPES };

export interface Credentials {
  /** Header or parameter names in lower case. */
  readonly [name: string]: string | undefined;
}

/** Says who is calling; what they may do is the dispatcher's question. */
export interface Authenticator {
  /**
   * Undefined when the credentials are missing or wrong; never says which. Throws the `ProtocolError`
   * `AuthenticationUnavailable` where that cannot be told now.
   */
  authenticate(credentials: Credentials): Promise<Principal | undefined>;
  /** For the agent card: what is accepted is what is declared. */
  readonly schemes: readonly ("bearer" | "apiKey" | "jwt")[];
}
