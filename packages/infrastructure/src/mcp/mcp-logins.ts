import { randomBytes } from "node:crypto";
import {
  type McpLoginBegun,
  type McpLoginEnd,
  McpLoginUnknownError,
  McpUnavailableError,
  type Trust,
} from "@cleveragents/application";
import type { McpServer } from "@cleveragents/domain";
import type { AuthProvider } from "@modelcontextprotocol/client";
import type { CredentialsFile } from "./credentials-file.ts";
import { executableOf } from "./executable-of.ts";
import { limitedFetch } from "./limited-fetch.ts";
import { LoginProvider, type LoginProviderDeps } from "./login-provider.ts";
import { McpError } from "./mcp-error.ts";
import { mcpErrorFrom } from "./sdk-error.ts";

export interface McpLoginsDeps {
  readonly credentials: CredentialsFile;
  readonly trust: Trust;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Pending {
  readonly server: McpServer;
  readonly provider: LoginProvider;
  readonly until: number;
}

const WITHIN_MS = 10 * 60_000;
const MOST_PENDING = 20;
const PROBE_MS = 15_000;

/** Logs users in at servers over HTTP, by code and PKCE, and renews what they were given. */
export class McpLogins {
  readonly #deps: McpLoginsDeps;
  /** By `state`. With the process they are gone: a login is begun anew then. */
  readonly #pending = new Map<string, Pending>();
  readonly #renewing = new Map<string, Promise<void>>();
  /** What was sent of late, by server, to be kept out of what it says. */
  readonly #secrets = new Map<string, readonly string[]>();

  constructor(deps: McpLoginsDeps) {
    this.#deps = deps;
  }

  /** See `McpLogin.begin`. */
  async begin(server: McpServer, redirectUri: string, signal: AbortSignal): Promise<McpLoginBegun> {
    await this.#deps.trust.demand(executableOf(server));
    const state = randomBytes(24).toString("base64url");
    let address: URL | undefined;
    return await this.#said(server, async () => {
      const provider = this.#provider(server, redirectUri, {
        state,
        onRedirect: (url) => {
          address = url;
        },
      });
      const { auth, computeScopeUnion } = await import("@modelcontextprotocol/client");
      const { resourceMetadataUrl, scope: challenged } = await this.#challenge(server, signal);
      const { login } = loginOf(server);
      const known = await this.#deps.credentials.find(server.name, server.url as string);
      // What it wants besides does not take away what was agreed to before.
      const wanted =
        known?.wanted === undefined ? undefined : computeScopeUnion(known.tokens?.scope, known.wanted);
      const scope = computeScopeUnion(login.scope ?? challenged, wanted);
      await auth(provider, {
        serverUrl: server.url as string,
        forceReauthorization: true,
        fetchFn: this.#fetch(server, signal),
        ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
        ...(scope === undefined ? {} : { scope }),
      });
      if (address === undefined)
        throw new McpError("MCP_AUTHENTICATION", server.name, "it asks for no login");
      this.#keep(state, { server, provider, until: Date.now() + WITHIN_MS });
      return { server: server.name, state, url: address.href, expiresAt: Date.now() + WITHIN_MS };
    });
  }

  /** See `McpLogin.finish`. */
  async finish(
    state: string,
    { code, iss }: McpLoginEnd,
    signal: AbortSignal,
  ): Promise<{ readonly server: string }> {
    const pending = this.#pending.get(state);
    this.#pending.delete(state);
    if (pending === undefined || pending.until < Date.now()) throw new McpLoginUnknownError();
    const { server, provider } = pending;
    return await this.#said(server, async () => {
      const { auth } = await import("@modelcontextprotocol/client");
      await auth(provider, {
        serverUrl: server.url as string,
        authorizationCode: code,
        fetchFn: this.#fetch(server, signal),
        ...(iss === undefined ? {} : { iss }),
      });
      return { server: server.name };
    });
  }

  /** A call was refused since what was agreed to does not suffice: the next login asks for that too. */
  async wants({ name, url = "" }: McpServer, scope: string): Promise<void> {
    await this.#deps.credentials
      .change(name, url, (known) => ({ ...known, wanted: scope }))
      .catch(() => undefined);
  }

  async forget(server: string): Promise<boolean> {
    return await this.#deps.credentials.forget(server);
  }

  /** Secrets that a server was sent, to be kept out of what it says. */
  secretsOf(server: string): readonly string[] {
    return this.#secrets.get(server) ?? [];
  }

  /** For a line to a server: its token, which is renewed by whoever is refused first, for all. */
  authFor(server: McpServer): AuthProvider {
    const { credentials } = this.#deps;
    const url = server.url as string;
    let sent: string | undefined;
    const token = async () => {
      const known = await credentials.find(server.name, url);
      sent = known?.tokens?.access_token;
      const secrets = [sent, known?.tokens?.refresh_token, known?.client?.client_secret];
      this.#secrets.set(
        server.name,
        secrets.flatMap((secret) => secret ?? []),
      );
      return sent;
    };
    return {
      token,
      onUnauthorized: async ({ response, fetchFn }) => {
        const refused = sent;
        // Somebody else has renewed it meanwhile.
        if ((await token()) !== refused) return;
        const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/client");
        const { resourceMetadataUrl } = extractWWWAuthenticateParams(response);
        const renewed =
          this.#renewing.get(server.name) ??
          this.#renew(server, resourceMetadataUrl, fetchFn).finally(() => this.#renewing.delete(server.name));
        this.#renewing.set(server.name, renewed);
        await renewed;
      },
    };
  }

  async #renew(
    server: McpServer,
    resourceMetadataUrl: URL | undefined,
    fetchFn: typeof fetch | ((url: string | URL, init?: RequestInit) => Promise<Response>),
  ): Promise<void> {
    const known = await this.#deps.credentials.find(server.name, server.url as string);
    const wanted = () => {
      throw loginWanted(server);
    };
    if (known?.tokens?.refresh_token === undefined) throw loginWanted(server);
    const provider = this.#provider(server, known.client?.redirect_uri ?? "http://127.0.0.1/callback", {
      onRedirect: wanted,
    });
    const { auth } = await import("@modelcontextprotocol/client");
    await auth(provider, {
      serverUrl: server.url as string,
      fetchFn: fetchFn as never,
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    });
  }

  #provider(
    server: McpServer,
    redirectUri: string,
    more: Pick<LoginProviderDeps, "onRedirect"> & { readonly state?: string },
  ): LoginProvider {
    const { credentials, env } = this.#deps;
    const { login } = loginOf(server);
    const name = login.client_secret_env;
    const clientSecret = name === undefined ? undefined : env[name];
    if (name !== undefined && (clientSecret === undefined || clientSecret === ""))
      throw new McpError(
        "MCP_AUTHENTICATION",
        server.name,
        `the variable ${name} is not set in the agent's environment`,
      );
    return new LoginProvider({ server, login, credentials, clientSecret, redirectUri, ...more });
  }

  /** What the server says of where tokens for it are given, when it is asked without one. */
  async #challenge(server: McpServer, signal: AbortSignal) {
    const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/client");
    const isSse = server.transport === "sse";
    const response = await this.#fetch(server, signal)(server.url as string, {
      method: isSse ? "GET" : "POST",
      headers: {
        ...server.headers,
        accept: isSse ? "text/event-stream" : "application/json, text/event-stream",
        "content-type": "application/json",
      },
      ...(isSse ? {} : { body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "ping" }) }),
    });
    await response.body?.cancel();
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    return {
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      ...(scope === undefined ? {} : { scope }),
    };
  }

  #fetch(server: McpServer, signal: AbortSignal) {
    const limited = limitedFetch(server.max_message_bytes);
    return async (url: string | URL, init?: RequestInit) =>
      await limited(url, { ...init, signal: AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]) });
  }

  #keep(state: string, pending: Pending): void {
    this.#pending.set(state, pending);
    for (const oldest of this.#pending.keys()) {
      if (this.#pending.size <= MOST_PENDING) break;
      this.#pending.delete(oldest);
    }
  }

  async #said<T>(server: McpServer, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { reason, message } = loginError(server.name, error);
      throw new McpUnavailableError(server.name, reason, message, { cause: error });
    }
  }
}

function loginOf(server: McpServer) {
  const { oauth, name } = server;
  if (oauth === undefined || !("login" in oauth))
    throw new McpError("MCP_AUTHENTICATION", name, "its document does not say `oauth: { login: true }`");
  return { login: oauth };
}

function loginWanted({ name }: McpServer): McpError {
  return new McpError("MCP_AUTHENTICATION", name, `it wants a user to log in: agents mcp login ${name}`);
}

/** OAuth's own words are short and say what is wrong; everything else is told as of any server. */
function loginError(server: string, error: unknown): McpError {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (error instanceof McpError) return error;
  if (typeof code === "string" && /^[a-z_]+$/.test(code))
    return new McpError(
      "MCP_AUTHENTICATION",
      server,
      `the login was refused (${code}): ${String(message).slice(0, 300)}`,
    );
  const known = mcpErrorFrom(error, { server, cancelled: false, fault: undefined, stderr: undefined });
  return known.reason === "MCP_PROTOCOL"
    ? new McpError("MCP_AUTHENTICATION", server, `the login failed: ${String(message).slice(0, 300)}`, {
        cause: error,
      })
    : known;
}
