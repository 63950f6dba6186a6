import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Options {
  /** What a GET, the optional stream of the server's own messages, is answered with. */
  readonly get?: 404 | 405 | "stream";
  readonly post?: "json" | "sse";
  /** Answers a request of a session that it does not know so. */
  readonly gone?: 400 | 404 | 410;
  /** Speaks only the transport from before Streamable HTTP. */
  readonly legacy?: boolean;
  /** The only `Authorization` that it accepts. */
  readonly authorization?: string;
  /** Bytes of text of a call's result. */
  readonly bytes?: number;
  /** Gives tokens for these credentials, and accepts no others. */
  readonly oauth?: { readonly id: string; readonly secret: string };
}

type Message = { id?: unknown; method?: string; params?: { name?: string; protocolVersion?: string } };

/** An MCP server over HTTP, by hand, so that each of its habits can be chosen; it counts what it sees. */
export class HttpMcpServer implements AsyncDisposable {
  initialized = 0;
  calls = 0;
  readonly headers: IncomingMessage["headers"][] = [];
  readonly #options: Options;
  readonly #sessions = new Set<string>();
  readonly #streams = new Map<string, ServerResponse>();
  readonly #http = createServer((request, response) => void this.#handle(request, response));

  private constructor(options: Options) {
    this.#options = options;
  }

  static async start(options: Options = {}, port = 0): Promise<HttpMcpServer> {
    const server = new HttpMcpServer(options);
    await new Promise<void>((resolve) => server.#http.listen(port, "127.0.0.1", resolve));
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** As after a restart. */
  forgetSessions(): void {
    this.#sessions.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { oauth, authorization, legacy, get = 405 } = this.#options;
    const url = new URL(request.url ?? "/", this.origin);
    const text = await bodyOf(request);
    if (oauth !== undefined && this.#authorize(url, text, request, response)) return;
    this.headers.push(request.headers);
    const accepted = oauth === undefined ? authorization : "Bearer token-of-the-issuer";
    if (accepted !== undefined && request.headers.authorization !== accepted)
      return this.#refuse(response, 401);
    if (legacy === true) return this.#legacy(url, text, request, response);
    if (request.method === "GET") return get === "stream" ? open(response) : this.#refuse(response, get);
    if (request.method === "DELETE") return this.#refuse(response, 200);
    const session = request.headers["mcp-session-id"];
    const message = JSON.parse(text) as Message;
    if (
      message.method !== "initialize" &&
      !this.#sessions.has(String(session)) &&
      message.method !== "server/discover"
    )
      return this.#refuse(response, this.#options.gone ?? 404);
    const answer = this.#answer(message);
    if (message.method === "initialize") {
      // A request to begin anew that names an old session is none.
      if (session !== undefined) return this.#refuse(response, 400);
      const id = randomUUID();
      this.#sessions.add(id);
      response.setHeader("mcp-session-id", id);
    }
    if (answer === undefined) return this.#refuse(response, 202);
    if (this.#options.post === "sse") {
      open(response);
      response.end(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
    } else {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    }
  }

  #legacy(url: URL, text: string, request: IncomingMessage, response: ServerResponse): void {
    if (url.pathname === "/mcp" && request.method === "GET") {
      const id = randomUUID();
      open(response);
      response.write(`event: endpoint\ndata: /messages?id=${id}\n\n`);
      this.#streams.set(id, response);
    } else if (url.pathname === "/messages") {
      const answer = this.#answer(JSON.parse(text) as Message);
      response.writeHead(202).end();
      if (answer !== undefined)
        this.#streams
          .get(String(url.searchParams.get("id")))
          ?.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
    } else {
      this.#refuse(response, 405);
    }
  }

  #answer({ id, method, params }: Message): object | undefined {
    if (id === undefined) return undefined;
    const result = (value: object) => ({ jsonrpc: "2.0", id, result: value });
    switch (method) {
      case "initialize":
        this.initialized += 1;
        return result({
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "web", version: "1" },
        });
      case "tools/list":
        return result({ tools: [{ name: "hello", inputSchema: { type: "object" } }] });
      case "tools/call":
        this.calls += 1;
        return result({ content: [{ type: "text", text: "x".repeat(this.#options.bytes ?? 5) }] });
      default:
        return { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } };
    }
  }

  /** True if the request was one to the issuer of tokens. */
  #authorize(url: URL, text: string, request: IncomingMessage, response: ServerResponse): boolean {
    const json = (value: object) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (url.pathname.startsWith("/.well-known/oauth-protected-resource")) {
      json({ resource: this.url, authorization_servers: [this.origin] });
    } else if (url.pathname.startsWith("/.well-known/oauth-authorization-server")) {
      json({
        issuer: this.origin,
        authorization_endpoint: `${this.origin}/authorize`,
        token_endpoint: `${this.origin}/token`,
        response_types_supported: ["code"],
        grant_types_supported: ["client_credentials"],
        token_endpoint_auth_methods_supported: ["client_secret_basic"],
      });
    } else if (url.pathname === "/token") {
      const { id, secret } = this.#options.oauth as { id: string; secret: string };
      const given = Buffer.from(
        String(request.headers.authorization).replace("Basic ", ""),
        "base64",
      ).toString();
      const isRight = given === `${id}:${secret}` && text.includes("grant_type=client_credentials");
      if (isRight) json({ access_token: "token-of-the-issuer", token_type: "Bearer", expires_in: 3600 });
      else this.#refuse(response, 401);
    } else {
      return false;
    }
    return true;
  }

  #refuse(response: ServerResponse, status: number): void {
    response.writeHead(status).end();
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

function open(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.flushHeaders();
}
