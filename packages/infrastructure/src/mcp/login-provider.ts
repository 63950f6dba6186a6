import type { McpServer } from "@cleveragents/domain";
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { CredentialsFile, McpCredentials } from "./credentials-file.ts";

type Login = Extract<NonNullable<McpServer["oauth"]>, { login: true }>;

export interface LoginProviderDeps {
  readonly server: McpServer;
  readonly login: Login;
  readonly credentials: CredentialsFile;
  readonly clientSecret: string | undefined;
  /** Where the browser comes back to; of a provider that only renews tokens, the last one. */
  readonly redirectUri: string;
  readonly state?: string;
  /** Told where somebody has to log in. Throws where nobody can. */
  readonly onRedirect: (url: URL) => void;
}

/** What the SDK's OAuth needs of us for one server: where it keeps what, and who we are. */
export class LoginProvider implements OAuthClientProvider {
  readonly #deps: LoginProviderDeps;
  #verifier = "";
  #discovery: OAuthDiscoveryState | undefined;
  /** Absent where the document says who we are: the SDK registers whoever can keep what comes of it. */
  readonly saveClientInformation?: NonNullable<OAuthClientProvider["saveClientInformation"]>;

  constructor(deps: LoginProviderDeps) {
    this.#deps = deps;
    const { login, redirectUri } = deps;
    if (login.client_id === undefined)
      this.saveClientInformation = (client) =>
        this.#change((known) => ({ ...known, client: { ...client, redirect_uri: redirectUri } }));
  }

  get redirectUrl(): string {
    return this.#deps.redirectUri;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { login, redirectUri } = this.#deps;
    return {
      client_name: "CleverAgents",
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      ...(login.scope === undefined ? {} : { scope: login.scope }),
    };
  }

  state(): string {
    return this.#deps.state ?? "";
  }

  async clientInformation(
    _context?: OAuthClientInformationContext,
  ): Promise<StoredOAuthClientInformation | undefined> {
    const { login, clientSecret, redirectUri } = this.#deps;
    if (login.client_id !== undefined)
      return {
        client_id: login.client_id,
        ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
        ...(login.issuer === undefined ? {} : { issuer: login.issuer }),
      };
    const { client } = await this.#known();
    if (client === undefined) return undefined;
    // Registered for another address to come back to, it would be refused there.
    const { redirect_uri: registered, ...rest } = client;
    return registered === redirectUri ? rest : undefined;
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    return (await this.#known()).tokens;
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    // Not every server gives another one to renew them with.
    await this.#change(({ tokens: old, wanted: _, ...known }) => ({
      ...known,
      ...(this.#discovery === undefined ? {} : { discovery: this.#discovery }),
      tokens: {
        ...(old?.refresh_token === undefined ? {} : { refresh_token: old.refresh_token }),
        ...tokens,
      },
    }));
  }

  redirectToAuthorization(url: URL): void {
    this.#deps.onRedirect(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  async discoveryState(): Promise<OAuthDiscoveryState | undefined> {
    return this.#discovery ?? (await this.#known()).discovery;
  }

  async invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): Promise<void> {
    if (scope === "all" || scope === "discovery") this.#discovery = undefined;
    await this.#change(({ url, tokens, client, discovery }) => ({
      url,
      ...(tokens === undefined || scope === "all" || scope === "tokens" ? {} : { tokens }),
      ...(client === undefined || scope === "all" || scope === "client" ? {} : { client }),
      ...(discovery === undefined || scope === "all" || scope === "discovery" ? {} : { discovery }),
    }));
  }

  async #known(): Promise<McpCredentials> {
    const { server, credentials } = this.#deps;
    const url = server.url as string; // one over HTTP
    return (await credentials.find(server.name, url)) ?? { url };
  }

  async #change(change: (known: McpCredentials) => McpCredentials): Promise<void> {
    const { server, credentials } = this.#deps;
    await credentials.change(server.name, server.url as string, change);
  }
}
