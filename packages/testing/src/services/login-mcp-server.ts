import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Form = URLSearchParams;
interface Code {
  readonly challenge: string;
  readonly redirect: string;
  readonly client: string;
  readonly scope: string;
}

/**
 * An MCP server over HTTP that wants a user, and the authorization server that it names, in one: it registers whoever
 * asks, checks PKCE, and gives another token to renew with each time. By hand, so that it can be wrong.
 */
export class LoginMcpServer implements AsyncDisposable {
  /** Clients that were registered, and how often tokens were given for a code and renewed. */
  readonly registered: string[] = [];
  codes = 0;
  renewals = 0;
  /** Refuses what it would do otherwise. */
  refuses: "codes" | "renewals" | undefined;
  /** What a token has to be for, to call a tool. */
  wants: string | undefined;
  readonly #redirects = new Map<string, string>();
  readonly #codes = new Map<string, Code>();
  /** With what they are for. */
  readonly #access = new Map<string, string>();
  readonly #refresh = new Set<string>();
  readonly #http = createServer((request, response) => void this.#handle(request, response));

  static async start(): Promise<LoginMcpServer> {
    const server = new LoginMcpServer();
    await new Promise<void>((resolve) => server.#http.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** Tokens that were given are of no use any more; those to renew with are. */
  expire(): void {
    this.#access.clear();
  }

  /** What a browser does in which somebody has logged in: where it ends. */
  async visit(address: string): Promise<URLSearchParams> {
    const response = await fetch(address, { redirect: "manual" });
    await response.body?.cancel();
    return new URL(response.headers.get("location") ?? "http://nowhere.invalid").searchParams;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += chunk;
    const url = new URL(request.url ?? "/", this.origin);
    const json = (value: object, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (url.pathname.startsWith("/.well-known/oauth-protected-resource"))
      return void json({ resource: this.url, authorization_servers: [this.origin] });
    if (url.pathname.startsWith("/.well-known/oauth-authorization-server"))
      return void json({
        issuer: this.origin,
        authorization_endpoint: `${this.origin}/authorize`,
        token_endpoint: `${this.origin}/token`,
        registration_endpoint: `${this.origin}/register`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
      });
    if (url.pathname === "/register") {
      const asked = JSON.parse(text) as { redirect_uris: string[] };
      const client_id = `client-${this.registered.length + 1}`;
      this.registered.push(client_id);
      this.#redirects.set(client_id, asked.redirect_uris[0] ?? "");
      return void json({ ...asked, client_id }, 201);
    }
    if (url.pathname === "/authorize") return this.#authorize(url.searchParams, response);
    if (url.pathname === "/token") {
      const given = this.#tokens(new URLSearchParams(text));
      return void json(given ?? { error: "invalid_grant" }, given === undefined ? 400 : 200);
    }
    this.#serve(request, text, response, json);
  }

  #authorize(asked: Form, response: ServerResponse): void {
    const redirect = asked.get("redirect_uri") ?? "";
    const client = asked.get("client_id") ?? "";
    if (this.#redirects.get(client) !== redirect || asked.get("code_challenge_method") !== "S256") {
      response.writeHead(400).end();
      return;
    }
    const code = randomUUID();
    this.#codes.set(code, {
      challenge: asked.get("code_challenge") ?? "",
      redirect,
      client,
      scope: asked.get("scope") ?? "",
    });
    const back = new URL(redirect);
    back.searchParams.set("code", code);
    back.searchParams.set("state", asked.get("state") ?? "");
    response.writeHead(302, { location: back.href }).end();
  }

  #tokens(form: Form): object | undefined {
    if (form.get("grant_type") === "refresh_token") {
      if (this.refuses === "renewals" || !this.#refresh.delete(form.get("refresh_token") ?? ""))
        return undefined;
      this.renewals += 1;
      return this.#give("");
    }
    const code = this.#codes.get(form.get("code") ?? "");
    this.#codes.delete(form.get("code") ?? "");
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight =
      code !== undefined &&
      code.challenge === proof &&
      code.redirect === form.get("redirect_uri") &&
      code.client === form.get("client_id");
    if (!isRight || this.refuses === "codes") return undefined;
    this.codes += 1;
    return this.#give(code.scope);
  }

  #give(scope: string): object {
    const access_token = `access-${randomUUID()}`;
    const refresh_token = `refresh-${randomUUID()}`;
    this.#access.set(access_token, scope);
    this.#refresh.add(refresh_token);
    return { access_token, refresh_token, token_type: "Bearer", expires_in: 3600, scope };
  }

  #serve(
    request: IncomingMessage,
    text: string,
    response: ServerResponse,
    json: (value: object, status?: number) => unknown,
  ): void {
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (!this.#access.has(token)) {
      const resource = `${this.origin}/.well-known/oauth-protected-resource/mcp`;
      response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${resource}"` }).end();
      return;
    }
    if (request.method !== "POST") {
      response.writeHead(405).end();
      return;
    }
    const { id, method, params } = JSON.parse(text) as {
      id?: unknown;
      method?: string;
      params?: Record<string, unknown>;
    };
    const result = (value: object) => json({ jsonrpc: "2.0", id, result: value });
    if (id === undefined) response.writeHead(202).end();
    else if (method === "initialize")
      result({
        protocolVersion: params?.["protocolVersion"],
        capabilities: { tools: {} },
        serverInfo: { name: "login", version: "1" },
      });
    else if (method === "tools/list") result({ tools: [{ name: "token", inputSchema: { type: "object" } }] });
    else if (
      method === "tools/call" &&
      this.wants !== undefined &&
      !this.#access.get(token)?.includes(this.wants)
    )
      response
        .writeHead(403, { "www-authenticate": `Bearer error="insufficient_scope", scope="${this.wants}"` })
        .end();
    else if (method === "tools/call") result({ content: [{ type: "text", text: `you have sent ${token}` }] });
    else json({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
  }
}
