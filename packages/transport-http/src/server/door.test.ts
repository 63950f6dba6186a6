import {
  type Authenticator,
  type Dispatcher,
  failure,
  type JsonRpcRequest,
  type MethodRow,
  methods,
  ProtocolError,
  parseMessage,
  resolveMethod,
  toErrorObject,
} from "@cleveragents/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpServer, type HttpServer } from "./create-http-server.ts";

const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close(0)));
});

/** A server whose dispatcher refuses every call with this. */
function open(authenticator: Authenticator | undefined, error = new ProtocolError("TaskNotFound")) {
  let dispatched = 0;
  const dispatcher: Dispatcher = {
    async dispatch(message) {
      dispatched++;
      const parsed = message instanceof Uint8Array ? parseMessage(message) : message;
      const { method, id } = (parsed as { request: JsonRpcRequest }).request;
      const name = resolveMethod(method);
      const row: MethodRow | undefined = name === undefined ? undefined : methods[name];
      const context = { family: row?.family ?? "a2a", requestId: "r", timestamp: "2026-01-01T00:00:00Z" };
      return {
        kind: "one",
        response: failure(id ?? null, toErrorObject(error, context)),
        serviceParameters: {},
      };
    },
  };
  const server = createHttpServer({
    dispatcher,
    authenticator,
    card: () => ({}) as never, // never asked for
    probes: { service: "s", version: "1", ready: async () => ({ ready: true, checks: {} }) },
    allowedHosts: [],
  });
  servers.push(server);
  const send = (route: string, headers: Record<string, string> = {}) => {
    const [method, url] = route.split(" ") as ["GET" | "POST", string];
    return server.inject({
      method,
      url,
      headers: { "content-type": "application/json", ...headers },
      ...(method === "POST"
        ? {
            payload:
              url === "/a2a" ? '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"t"}}' : "{}",
          }
        : {}),
    });
  };
  return { send, dispatched: () => dispatched };
}

const ROUTES = [
  "POST /a2a",
  "GET /a2a/rest/tasks/t",
  "GET /a2a/rest/v1/tasks/t",
  "POST /a2a/rest/message:stream",
  "POST /a2a/rest/_cleveragents/plan/list",
  "GET /a2a/rest/acme/tasks",
  "GET /a2a/rest/nothing",
];

describe("without a credential", () => {
  const nobody: Authenticator = {
    schemes: ["bearer", "apiKey", "jwt"],
    authenticate: async () => undefined,
  };
  it.each(ROUTES)("%s is 401 with every scheme once, and nothing is looked up", async (route) => {
    const { send, dispatched } = open(nobody);
    const response = await send(route);
    expect([response.statusCode, response.headers["www-authenticate"]]).toEqual([
      401,
      'Bearer realm="cleveragents", ApiKey realm="cleveragents", header="X-API-Key"',
    ]);
    expect(response.body).toContain("AUTHENTICATION_REQUIRED");
    expect(dispatched()).toBe(0);
  });

  it("a wrong one is called invalid", async () => {
    const { send } = open(nobody);
    for (const headers of [{ authorization: "Bearer x" }, { "x-api-key": "x" }] as Record<string, string>[])
      expect((await send("POST /a2a", headers)).headers["www-authenticate"]).toMatch(
        /^Bearer realm="cleveragents", error="invalid_token", ApiKey/,
      );
  });

  it("one in the address is none", async () => {
    const seen: unknown[] = [];
    const { send } = open({
      schemes: ["bearer"],
      async authenticate(credentials) {
        seen.push(credentials);
        return undefined;
      },
    });
    expect((await send("POST /a2a?access_token=good&api_key=good")).statusCode).toBe(401);
    expect(JSON.stringify(seen)).not.toContain("good");
  });
});

it.each(ROUTES)("%s is 503 where it cannot be told who is calling", async (route) => {
  const { send, dispatched } = open({
    schemes: ["jwt"],
    authenticate: async () => {
      throw new ProtocolError("AuthenticationUnavailable", { cause: new Error("secret detail") });
    },
  });
  const response = await send(route);
  expect([response.statusCode, response.headers["retry-after"]]).toEqual([503, "5"]);
  expect(response.body).toContain("AUTHENTICATION_UNAVAILABLE");
  expect(response.body).not.toContain("secret");
  expect(dispatched()).toBe(0);
});

describe("a caller who may not", () => {
  const scope = { details: { scope: "task:read" } };
  it.each([
    ["POST /a2a", "PermissionDenied"],
    ["GET /a2a/rest/tasks/t", "PermissionDenied"],
    ["POST /a2a/rest/_cleveragents/plan/list", "Forbidden"],
  ] as const)("is answered by %s with 403 and the scope that is missing", async (route, name) => {
    const response = await open(undefined, new ProtocolError(name, scope)).send(route);
    expect([response.statusCode, response.headers["www-authenticate"]]).toEqual([
      403,
      'Bearer realm="cleveragents", error="insufficient_scope", scope="task:read"',
    ]);
  });

  it("is told of no scope where it is not for a scope", async () => {
    const denied = new ProtocolError("PermissionDenied", { details: { tenant: "acme" } });
    const response = await open(undefined, denied).send("POST /a2a");
    expect([response.statusCode, response.headers["www-authenticate"]]).toEqual([
      403,
      'Bearer realm="cleveragents", error="insufficient_scope"',
    ]);
  });
});

describe("an error under A2A 0.3", () => {
  const error = { code: -32001, message: "Task not found", data: [{ reason: "TASK_NOT_FOUND" }] };
  it("over HTTP+JSON is code, message and data alone, with the status of the binding", async () => {
    const { send } = open(undefined);
    const byPath = await send("GET /a2a/rest/v1/tasks/t");
    expect([byPath.statusCode, byPath.json()]).toMatchObject([404, error]);
    const byHeader = await send("GET /a2a/rest/tasks/t", { "a2a-version": "0.3" });
    expect([byHeader.statusCode, byHeader.json()]).toMatchObject([404, error]);
  });

  it("is a google.rpc.Status where the version that is named is 1.0", async () => {
    const { send } = open(undefined);
    const response = await send("GET /a2a/rest/v1/tasks/t", { "a2a-version": "1.0" });
    expect(response.json()).toMatchObject({ error: { code: 404, status: "NOT_FOUND" } });
  });

  it("is the same where this layer refuses", async () => {
    const nobody: Authenticator = { schemes: ["bearer"], authenticate: async () => undefined };
    const response = await open(nobody).send("GET /a2a/rest/v1/tasks/t");
    expect([response.statusCode, response.json()]).toMatchObject([401, { code: -32000 }]);
    expect(response.json()).not.toHaveProperty("error");
  });
});
