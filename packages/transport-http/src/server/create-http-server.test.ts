import {
  type Authenticator,
  buildAgentCard,
  type CallContext,
  type DispatchAnswer,
  type Dispatcher,
  failure,
  LOCAL_PRINCIPAL,
  type Principal,
  parseMessage,
  success,
} from "@cleveragents/protocol";
import { describe, expect, it } from "vitest";
import { createHttpServer } from "./create-http-server.ts";
import type { HttpServerOptions } from "./http-server-options.ts";

const ALICE: Principal = { id: "alice", scopes: ["task:read"] };
const CARD = buildAgentCard({ version: "1", baseUrl: "http://localhost", schemes: [], retentionSeconds: 1 });

/** Answers every call with its method, and keeps what it was told. */
class EchoDispatcher implements Dispatcher {
  readonly calls: CallContext[] = [];
  answer: DispatchAnswer | undefined;

  async dispatch(message: string | Uint8Array, context: CallContext): Promise<DispatchAnswer> {
    this.calls.push(context);
    if (this.answer !== undefined) return this.answer;
    const parsed = parseMessage(message);
    const serviceParameters = { "A2A-Extensions": "urn:x" };
    if (parsed.kind === "invalid") {
      const code = parsed.error === "ParseError" ? -32700 : -32600;
      return {
        kind: "one",
        response: failure(parsed.id, { code, message: parsed.error }),
        serviceParameters,
      };
    }
    if (parsed.kind === "batch") {
      const responses = parsed.entries.flatMap((entry) =>
        entry.kind === "call" && entry.request.id !== undefined
          ? [success(entry.request.id, entry.request.method)]
          : [],
      );
      return { kind: "batch", responses, serviceParameters };
    }
    const { id, method } = parsed.request;
    if (method === "Crash") throw new Error("secret detail at /home/x.ts:1");
    return id === undefined
      ? { kind: "none" }
      : { kind: "one", response: success(id, method), serviceParameters };
  }
}

const keys: Authenticator = {
  schemes: ["bearer", "apiKey"],
  async authenticate(credentials) {
    return /^bearer\s+good$/i.test(credentials["authorization"] ?? "") || credentials["x-api-key"] === "good"
      ? ALICE
      : undefined;
  },
};

function open(options: Partial<HttpServerOptions> = {}) {
  const dispatcher = new EchoDispatcher();
  const probes = {
    service: "cleveragents",
    version: "1.2.3",
    ready: async () => ({ ready: true, checks: { store: "ok" } }),
  };
  const server = createHttpServer({
    dispatcher,
    authenticator: undefined,
    card: () => CARD,
    probes,
    allowedHosts: [],
    ...options,
  });
  const post = (payload: string | Buffer, headers: Record<string, string> = {}, url = "/a2a") =>
    server.inject({
      method: "POST",
      url,
      payload,
      headers: { host: "localhost", "content-type": "application/json", ...headers },
    });
  const get = (
    url: string,
    headers: Record<string, string> = {},
    method: "GET" | "HEAD" | "OPTIONS" | "PUT" = "GET",
  ) => server.inject({ method, url, headers: { host: "localhost", ...headers } });
  return { server, dispatcher, post, get };
}

const call = (id: unknown, method = "GetTask") => JSON.stringify({ jsonrpc: "2.0", id, method, params: {} });
const reasonOf = (body: { error: { data: { reason: string }[] } }) => body.error.data[0]?.reason;

describe("a JSON-RPC request over HTTP", () => {
  it.each(["/a2a", "/rpc", "/a2a/", "/rpc/"])("is answered at %s", async (url) => {
    const response = await open().post(call(1), {}, url);
    expect(response.statusCode).toBe(200);
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(response.json()).toEqual({ jsonrpc: "2.0", id: 1, result: "GetTask" });
  });

  it.each([0, "", "7", null, -3])("gets its id %j back unchanged", async (id) => {
    expect((await open().post(call(id))).json().id).toBe(id);
  });

  it("is a 200 also when the answer is an error", async () => {
    const response = await open().post("[]");
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it.each(['{"jsonrpc":"2.0","id":1,', "", "   ", Buffer.from([0x7b, 0xff, 0x7d])])(
    "that is no JSON is -32700: %j",
    async (payload) => {
      const response = await open().post(payload);
      expect(response.statusCode).toBe(200);
      expect(response.json()).toMatchObject({ id: null, error: { code: -32700 } });
    },
  );

  it("without an id is executed and answered with nothing", async () => {
    const { post, dispatcher } = open();
    const response = await post('{"jsonrpc":"2.0","method":"CancelTask"}');
    expect([response.statusCode, response.body, response.headers["content-type"]]).toEqual([
      204,
      "",
      undefined,
    ]);
    expect(dispatcher.calls).toHaveLength(1);
  });

  it("in a batch is answered beside the others; a batch of notifications is answered with nothing", async () => {
    const { post } = open();
    expect((await post(`[${call(1)},{"jsonrpc":"2.0","method":"X"},${call("b")}]`)).json()).toEqual([
      success(1, "GetTask"),
      success("b", "GetTask"),
    ]);
    const silent = await post('[{"jsonrpc":"2.0","method":"X"}]');
    expect([silent.statusCode, silent.body]).toEqual([204, ""]);
  });

  it("arrives as the bytes that were sent", async () => {
    const { post } = open();
    expect((await post(call("ä😀", "Größe"))).json()).toEqual(success("ä😀", "Größe"));
  });

  it("hands on its service parameters in lower case and nothing else", async () => {
    const { post, dispatcher } = open();
    await post(call(1), {
      "A2A-Version": "1.0",
      "A2A-Extensions": "urn:a,urn:b",
      "Last-Event-ID": "t:3",
      traceparent: "00-a",
      "X-Other": "x",
    });
    expect(dispatcher.calls[0]).toMatchObject({ principal: LOCAL_PRINCIPAL, binding: "http" });
    expect(dispatcher.calls[0]?.serviceParameters).toEqual({
      "a2a-version": "1.0",
      "a2a-extensions": "urn:a,urn:b",
      "last-event-id": "t:3",
      traceparent: "00-a",
    });
  });

  it("may carry the version in its URL; the header wins", async () => {
    const { post, dispatcher } = open();
    await post(call(1), {}, "/a2a?A2A-Version=1.0");
    await post(call(1), { "a2a-version": "0.3" }, "/a2a?A2A-Version=1.0");
    expect(dispatcher.calls.map((c) => c.serviceParameters["a2a-version"])).toEqual(["1.0", "0.3"]);
  });

  it("gets the answer's service parameters as headers", async () => {
    expect((await open().post(call(1))).headers["a2a-extensions"]).toBe("urn:x");
  });

  it("has a context whose signal survives a copy", async () => {
    const { post, dispatcher } = open();
    await post(call(1));
    expect({ ...dispatcher.calls[0]! }.signal).toBeInstanceOf(AbortSignal);
  });
});

describe("a request that HTTP itself refuses", () => {
  const refused = async (response: {
    statusCode: number;
    body: string;
    headers: Record<string, unknown>;
  }) => {
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
    const body = JSON.parse(response.body);
    expect(body).toMatchObject({
      jsonrpc: "2.0",
      id: null,
      error: { data: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", domain: "a2a-protocol.org" }] },
    });
    return [response.statusCode, body.error.code, reasonOf(body)];
  };

  it("for its credentials is 401 with a challenge, and is not dispatched", async () => {
    const { post, dispatcher } = open({ authenticator: keys });
    const response = await post(call(1));
    expect(await refused(response)).toEqual([401, -32000, "AUTHENTICATION_REQUIRED"]);
    expect(response.headers["www-authenticate"]).toBe(
      'Bearer realm="cleveragents", ApiKey realm="cleveragents", header="X-API-Key"',
    );
    const wrong = await post(call(1), { authorization: "Bearer bad" });
    expect(wrong.headers["www-authenticate"]).toContain('error="invalid_token"');
    expect(wrong.body).not.toContain("bad");
    expect(dispatcher.calls).toHaveLength(0);
  });

  it("with two Authorization headers is 401, since nobody knows which one counts", async () => {
    const { server } = open({ authenticator: keys });
    const headers = {
      host: "localhost",
      "content-type": "application/json",
      authorization: ["Bearer good", "Bearer good"] as unknown as string,
    };
    expect((await server.inject({ method: "POST", url: "/a2a", payload: call(1), headers })).statusCode).toBe(
      401,
    );
  });

  it.each([{ authorization: "bearer good" }, { authorization: "BEARER  good" }, { "x-api-key": "good" }])(
    "is served with %j",
    async (credential) => {
      const { post, dispatcher } = open({ authenticator: keys });
      expect((await post(call(1), credential)).statusCode).toBe(200);
      expect(dispatcher.calls[0]?.principal).toBe(ALICE);
    },
  );

  it("for its host or origin is 403, whatever the route", async () => {
    const { post, get, dispatcher } = open();
    expect(await refused(await post(call(1), { host: "evil.example" }))).toEqual([
      403,
      -32000,
      "PERMISSION_DENIED",
    ]);
    expect(await refused(await post(call(1), { origin: "https://evil.example" }))).toEqual([
      403,
      -32000,
      "PERMISSION_DENIED",
    ]);
    const probed = await get("/health", { host: "evil.example" });
    expect(probed.statusCode).toBe(403);
    expect(probed.body).toContain("a proxy in front of it passes on the Host of its callers");
    expect(dispatcher.calls).toHaveLength(0);
  });

  it("for its content type is 415; none at all is fine", async () => {
    const { post, server } = open();
    expect(await refused(await post(call(1), { "content-type": "text/plain" }))).toEqual([
      415,
      -32005,
      "CONTENT_TYPE_NOT_SUPPORTED",
    ]);
    expect(await refused(await post(call(1), { "content-type": "garbage" }))).toEqual([
      415,
      -32005,
      "CONTENT_TYPE_NOT_SUPPORTED",
    ]);
    const bare = await server.inject({
      method: "POST",
      url: "/a2a",
      payload: Buffer.from(call(1)),
      headers: { host: "localhost" },
    });
    expect(bare.json()).toEqual(success(1, "GetTask"));
  });

  it("for its size is 413, announced or not", async () => {
    const { post, server } = open({ limits: { maxBodyBytes: 100 } });
    expect(await refused(await post("x".repeat(101)))).toEqual([413, -32000, "REQUEST_TOO_LARGE"]);
    expect((await post(call(1).padEnd(100))).statusCode).toBe(200);
    const { Readable } = await import("node:stream");
    const headers = { host: "localhost", "content-type": "application/json" };
    const unannounced = await server.inject({
      method: "POST",
      url: "/a2a",
      payload: Readable.from([Buffer.alloc(60, 32), Buffer.alloc(60, 32)]),
      headers,
    });
    expect(await refused(unannounced)).toEqual([413, -32000, "REQUEST_TOO_LARGE"]);
  });

  it("for a fault of ours is 500 without any detail", async () => {
    const logged: Record<string, unknown>[] = [];
    const logger = { error: (fields: Record<string, unknown>) => logged.push(fields) };
    const response = await open({ logger }).post(call(1, "Crash"));
    expect(await refused(response)).toEqual([500, -32603, "INTERNAL_ERROR"]);
    expect(response.body).not.toContain("secret");
    expect(logged).toHaveLength(1);
    expect(response.body).toContain(String(logged[0]?.["requestId"]));
  });
});

describe("a route that is not there", () => {
  it("is 404 in JSON, whatever the verb", async () => {
    const { get, post } = open();
    for (const response of [
      await get("/nope"),
      await post(call(1), {}, "/"),
      await get("/nope?x=1", {}, "OPTIONS"),
    ]) {
      expect(response.statusCode).toBe(404);
      expect(response.json()).toMatchObject({ error: { code: 404, status: "NOT_FOUND" } });
    }
  });

  it("is 405 with Allow where only the verb is wrong", async () => {
    const { get, post } = open();
    const wrong = await get("/a2a");
    expect([wrong.statusCode, wrong.headers["allow"], wrong.json().error.status]).toEqual([
      405,
      "POST, OPTIONS",
      "METHOD_NOT_ALLOWED",
    ]);
    expect((await get("/rpc/", {}, "PUT")).statusCode).toBe(405);
    expect((await post("{}", {}, "/health")).headers["allow"]).toBe("GET, HEAD, OPTIONS");
    expect((await get("/a2a", {}, "HEAD")).statusCode).toBe(405);
  });

  it("answers OPTIONS with what the path takes, and no CORS header by default", async () => {
    const response = await open({ authenticator: keys }).get(
      "/a2a",
      { origin: "http://localhost:5173" },
      "OPTIONS",
    );
    expect([response.statusCode, response.body, response.headers["allow"]]).toEqual([
      204,
      "",
      "POST, OPTIONS",
    ]);
    expect(response.headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("is JSON also for a URL that cannot be read", async () => {
    const response = await open().get("/%zz");
    expect([response.statusCode, response.json().error.status]).toEqual([400, "INVALID_ARGUMENT"]);
  });
});

describe("a page of an origin that the operator named", () => {
  const options = { authenticator: keys, allowedOrigins: ["https://ui.example"] };
  const origin = "https://ui.example";

  it("gets its preflight without a credential", async () => {
    const { headers, statusCode } = await open(options).get("/a2a", { origin }, "OPTIONS");
    expect(statusCode).toBe(204);
    expect(headers).toMatchObject({
      "access-control-allow-origin": origin,
      vary: "Origin",
      "access-control-allow-methods": "POST, OPTIONS",
    });
    expect(headers["access-control-allow-headers"]).toMatch(/Authorization.*A2A-Version/);
  });

  it("gets a card that caches keep apart by origin and version", async () => {
    expect((await open(options).get("/.well-known/agent-card.json", { origin })).headers["vary"]).toBe(
      "Origin, A2A-Version",
    );
  });

  it("may read every answer, refusals too", async () => {
    const { post } = open(options);
    expect((await post(call(1), { origin })).headers["access-control-allow-origin"]).toBe(origin);
    expect(
      (await post(call(1), { origin, "x-api-key": "good" })).headers["access-control-allow-origin"],
    ).toBe(origin);
  });
});

describe("the probes", () => {
  it("say who is there, without a credential and without being stored", async () => {
    const { get } = open({ authenticator: keys });
    const health = await get("/health");
    expect(health.json()).toEqual({
      status: "healthy",
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      version: "1.2.3",
      service: "cleveragents",
    });
    expect(health.headers["cache-control"]).toBe("no-store");
    expect((await get("/live")).json()).toEqual({ status: "live" });
    expect((await get("/version")).json()).toEqual({ service: "cleveragents", version: "1.2.3" });
    expect((await get("/ready")).json()).toEqual({ ready: true, checks: { store: "ok" } });
  });

  it("are 503 where work cannot be taken on, or nobody knows", async () => {
    const probes = (ready: () => Promise<{ ready: boolean; checks: Record<string, string> }>) => ({
      service: "s",
      version: "1",
      ready,
    });
    const starting = await open({
      probes: probes(async () => ({ ready: false, checks: { store: "migrating" } })),
    }).get("/ready");
    expect([starting.statusCode, starting.json()]).toEqual([
      503,
      { ready: false, checks: { store: "migrating" } },
    ]);
    const failing = await open({ probes: probes(async () => Promise.reject(new Error("secret"))) }).get(
      "/ready",
    );
    expect([failing.statusCode, failing.body.includes("secret")]).toEqual([503, false]);
  });
});
