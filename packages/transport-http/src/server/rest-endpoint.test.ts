import {
  type CallContext,
  type Dispatcher,
  failure,
  type JsonRpcRequest,
  ProtocolError,
  parseMessage,
  success,
  toErrorObject,
} from "@cleveragents/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpServer, type HttpServer } from "./create-http-server.ts";

const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close(0)));
});

interface Asked {
  readonly method: string;
  readonly params: unknown;
  readonly context: CallContext;
}

/** A server that answers every call with what it understood. */
function serve(options: { readonly token?: string; readonly error?: ProtocolError } = {}) {
  const asked: Asked[] = [];
  const dispatcher: Dispatcher = {
    async dispatch(message, context) {
      const parsed = message instanceof Uint8Array ? parseMessage(message) : message;
      const { method, params } = (parsed as { request: JsonRpcRequest }).request;
      asked.push({ method, params, context });
      const family = method.startsWith("_") ? "cleveragents" : "a2a";
      const response =
        options.error === undefined
          ? success(0, { method, params })
          : failure(
              0,
              toErrorObject(options.error, { family, requestId: "r-1", timestamp: "2026-01-01T00:00:00Z" }),
            );
      return { kind: "one", response, serviceParameters: { "A2A-Extensions": "urn:x" } };
    },
  };
  const principal = { id: "alice", scopes: [] } as const;
  const server = createHttpServer({
    dispatcher,
    authenticator:
      options.token === undefined
        ? undefined
        : {
            schemes: ["bearer"],
            authenticate: async ({ authorization }) =>
              authorization === `Bearer ${options.token}` ? principal : undefined,
          },
    card: () => ({}) as never, // never asked for
    probes: { service: "s", version: "1", ready: async () => ({ ready: true, checks: {} }) },
    allowedHosts: [],
  });
  servers.push(server);
  type Verb = "GET" | "POST" | "DELETE" | "PUT" | "OPTIONS";
  const send = (method: Verb, path: string, body?: string, headers: Record<string, string> = {}) =>
    server.inject({
      method,
      url: `/a2a/rest${path}`,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
  return { asked, send };
}

describe("HTTP+JSON", () => {
  it.each([
    ["POST", "/message:send", "SendMessage", {}],
    ["POST", "/message:stream", "SendStreamingMessage", {}],
    ["GET", "/tasks/t%2F1", "GetTask", { id: "t/1" }],
    ["GET", "/tasks/a:b", "GetTask", { id: "a:b" }],
    ["GET", "/tasks", "ListTasks", {}],
    ["POST", "/tasks/t1:cancel", "CancelTask", { id: "t1" }],
    ["GET", "/tasks/t1:subscribe", "SubscribeToTask", { id: "t1" }],
    ["POST", "/tasks/t1:subscribe", "SubscribeToTask", { id: "t1" }],
    ["GET", "/acme/tasks/t1", "GetTask", { id: "t1", tenant: "acme" }],
    ["POST", "/acme/message:send", "SendMessage", { tenant: "acme" }],
    ["POST", "/_cleveragents/plan/status", "_cleveragents/plan/status", {}],
    ["POST", "/session.create", "session.create", {}],
    ["GET", "/tasks/", "ListTasks", {}],
  ] as const)("%s %s is %s", async (verb, path, method, params) => {
    const { send } = serve();
    const { statusCode, headers, body } = await send(verb, path);
    expect([statusCode, JSON.parse(body)]).toEqual([200, { method, params }]);
    expect(headers["a2a-extensions"]).toBe("urn:x");
  });

  it("takes a version that is named, and else the one that the path is of", async () => {
    const { send, asked } = serve();
    await send("GET", "/tasks/x");
    await send("GET", "/tasks/x", undefined, { "a2a-version": "9.9" });
    await send("GET", "/v1/tasks/x");
    await send("GET", "/tasks/x?A2A-Version=1.0.3");
    expect(asked.map(({ context }) => [context.serviceParameters["a2a-version"], context.encoding])).toEqual(
      ["1.0", "9.9", "0.3", "1.0.3"].map((version) => [version, "http+json"]),
    );
  });

  it("reads queries as the types of the method's parameters, and ignores names that it does not have", async () => {
    const { send, asked } = serve();
    await send(
      "GET",
      "/tasks?pageSize=2&includeArtifacts=true&contextId=7&status=TASK_STATE_WORKING&shade=blue",
    );
    expect(asked[0]?.params).toEqual({
      pageSize: 2,
      includeArtifacts: true,
      contextId: "7",
      status: "TASK_STATE_WORKING",
    });
  });

  it("reads names in snake_case under 0.3 alone", async () => {
    const { asked, send } = serve();
    await send("GET", "/v1/tasks/t1?history_length=2");
    await send("GET", "/tasks/t1?history_length=2", undefined, { "a2a-version": "0.3" });
    await send("GET", "/tasks/t1?history_length=2");
    expect(asked.map(({ params }) => params)).toEqual([
      { id: "t1", historyLength: 2 },
      { id: "t1", historyLength: 2 },
      { id: "t1" },
    ]);
  });

  it("leaves what is no number and no lower-case boolean for the method's schema to refuse", async () => {
    const { send, asked } = serve();
    await send("GET", "/tasks?historyLength=abc&includeArtifacts=TRUE&pageSize=1&pageSize=2");
    expect(asked[0]?.params).toEqual({
      historyLength: "abc",
      includeArtifacts: "TRUE",
      pageSize: ["1", "2"],
    });
  });

  it.each([undefined, "", "null", "{}"])("takes the body %j for no parameters", async (body) => {
    const { send, asked } = serve();
    expect((await send("POST", "/tasks/t1:cancel", body)).statusCode).toBe(200);
    expect(asked[0]?.params).toEqual({ id: "t1" });
  });

  it("refuses a body or query that says something else than the path", async () => {
    const { send, asked } = serve();
    const answers = [
      await send("POST", "/tasks/t1:cancel", '{"id":"t2"}'),
      await send("POST", "/acme/message:send", '{"tenant":"other"}'),
      await send("GET", "/acme/tasks?tenant=other"),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400]);
    expect(asked).toEqual([]);
    expect((await send("POST", "/acme/message:send", '{"tenant":"acme"}')).statusCode).toBe(200);
  });

  it.each([
    ['{"id":', "PARSE_ERROR"],
    ["[1]", "INVALID_PARAMS"],
    ['"x"', "INVALID_PARAMS"],
  ])("refuses the body %j as google.rpc.Status", async (body, reason) => {
    const { send, asked } = serve();
    const answer = await send("POST", "/message:send", body);
    expect(answer.statusCode).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({
      error: {
        code: 400,
        status: "INVALID_ARGUMENT",
        details: [
          { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org" },
        ],
      },
    });
    expect(asked).toEqual([]);
  });

  it.each([
    ["application/json; charset=utf-8", 200],
    ["Application/JSON", 200],
    ["application/a2a+json", 200],
    ["text/plain; x=application/json", 400],
    ["application/xml", 400],
  ])("a body of the type %s is answered with %i", async (type, status) => {
    const { send } = serve();
    const answer = await send("POST", "/message:send", "{}", { "content-type": type });
    expect(answer.statusCode).toBe(status);
    if (status !== 200) expect(answer.body).toContain("CONTENT_TYPE_NOT_SUPPORTED");
  });

  it("answers in the caller's own media type, else in A2A's", async () => {
    const { send } = serve();
    const typeOf = async (...sent: Parameters<typeof send>) => (await send(...sent)).headers["content-type"];
    expect(await typeOf("POST", "/message:send", "{}")).toMatch(/^application\/json(;|$)/);
    expect(await typeOf("POST", "/message:send", "{}", { "content-type": "application/a2a+json" })).toMatch(
      /^application\/a2a\+json(;|$)/,
    );
    expect(await typeOf("GET", "/tasks")).toMatch(/^application\/a2a\+json(;|$)/);
    expect(await typeOf("GET", "/tasks", undefined, { accept: "application/json" })).toMatch(
      /^application\/json(;|$)/,
    );
  });

  it.each([
    [new ProtocolError("TaskNotFound"), "/tasks/x", 404, "NOT_FOUND"],
    [new ProtocolError("TaskNotCancelable"), "/tasks/x", 400, "FAILED_PRECONDITION"],
    [new ProtocolError("PushNotificationNotSupported"), "/tasks/x", 400, "FAILED_PRECONDITION"],
    [new ProtocolError("UnsupportedOperation"), "/tasks/x", 400, "FAILED_PRECONDITION"],
    [new ProtocolError("ContentTypeNotSupported"), "/tasks/x", 400, "INVALID_ARGUMENT"],
    [new ProtocolError("VersionNotSupported"), "/tasks/x", 400, "FAILED_PRECONDITION"],
    [
      new ProtocolError("InvalidParams", { reason: "ARGUMENTS_INVALID" }),
      "/tasks/x",
      400,
      "INVALID_ARGUMENT",
    ],
    [new ProtocolError("PermissionDenied"), "/tasks/x", 403, "PERMISSION_DENIED"],
    [new ProtocolError("InternalError"), "/tasks/x", 500, "INTERNAL"],
  ] as const)("%s over %s is %i %s", async (error, path, status, word) => {
    const { send } = serve({ error });
    const answer = await send("GET", path);
    expect(answer.statusCode).toBe(status);
    expect(JSON.parse(answer.body).error).toMatchObject({
      code: status,
      status: word,
      message: error.message,
      details: [{ reason: error.reason }],
    });
  });

  it("keeps the facts of a platform error beside its details", async () => {
    const { send } = serve({ error: new ProtocolError("PlanNotFound", { details: { plan_id: "p" } }) });
    const answer = await send("POST", "/_cleveragents/plan/status", '{"plan_id":"p"}');
    expect(answer.statusCode).toBe(404);
    expect(JSON.parse(answer.body).error.details[1]).toMatchObject({
      value: { plan_id: "p", reason: "PLAN_NOT_FOUND" },
    });
  });

  it("says which verbs a path takes, and that others are not there", async () => {
    const { send } = serve();
    const wrong = await send("PUT", "/tasks/t1");
    expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, "GET, OPTIONS"]);
    expect((await send("GET", "/nothing")).statusCode).toBe(404);
    expect((await send("GET", "/v1/tasks")).statusCode).toBe(404);
    expect((await send("GET", "/tasks/%zz")).statusCode).toBeGreaterThanOrEqual(400);
  });

  it("asks who is calling before it looks at anything, but not in a preflight", async () => {
    const { send, asked } = serve({ token: "t" });
    const refused = await send("GET", "/nothing");
    expect(refused.statusCode).toBe(401);
    expect(refused.headers["www-authenticate"]).toMatch(/^Bearer/);
    expect(JSON.parse(refused.body).error).toMatchObject({ code: 401, status: "UNAUTHENTICATED" });
    expect((await send("OPTIONS", "/tasks/t1")).statusCode).toBe(204);
    expect((await send("GET", "/tasks/t1", undefined, { authorization: "Bearer t" })).statusCode).toBe(200);
    expect(asked).toHaveLength(1);
  });
});
