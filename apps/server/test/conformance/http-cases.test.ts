import { randomUUID } from "node:crypto";
import { SseDecoder } from "@cleveragents/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ScriptedServer, serveScripted } from "./serve-scripted.ts";

let server: ScriptedServer;
beforeAll(async () => {
  server = await serveScripted();
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server[Symbol.asyncDispose]();
});

type Headers = Readonly<Record<string, string>>;
const V1: Headers = { "a2a-version": "1.0" };
const message = (text: string, more: object = {}) => ({
  messageId: randomUUID(),
  role: "ROLE_USER",
  parts: [{ text }],
  ...more,
});

function post(path: string, body: string | object | undefined, headers: Headers = {}) {
  return fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { ...V1, ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

const rpc = (method: string, params: unknown, headers: Headers = {}, id: unknown = 1) =>
  post("/a2a", { jsonrpc: "2.0", id, method, params }, headers);
const rest = (verb: string, path: string, headers: Headers = {}) =>
  fetch(`${server.url}/a2a/rest${path}`, { method: verb, headers: { ...V1, ...headers } });

async function taskId(text: string, configuration: object = {}): Promise<string> {
  const answer = await rpc("SendMessage", { message: message(text), configuration });
  return ((await answer.json()) as { result: { task: { id: string } } }).result.task.id;
}

async function eventsOf(response: Response): Promise<{ data: unknown; lines: string[] }[]> {
  const text = await response.text();
  const frames = text.split("\n\n").filter((frame) => frame.includes("data:"));
  const events = new SseDecoder().push(Buffer.from(text)).filter(({ data }) => data !== "");
  return events.map(({ data }, n) => ({ data: JSON.parse(data), lines: frames[n]?.split("\n") ?? [] }));
}

describe("a stream over HTTP", () => {
  const stream = (headers: Headers = {}, text = "burst-3") =>
    rpc(
      "SendStreamingMessage",
      { message: message(text) },
      { accept: "text/event-stream", ...headers },
      "s-7",
    );

  test("is neither compressed nor kept back by proxies", async () => {
    const response = await stream({ "accept-encoding": "gzip, deflate, br" });
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(response.headers.get("cache-control")).toMatch(/no-(cache|store).*no-transform/);
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    await response.body?.cancel();
  });

  test("has one line of JSON in each event, the request's id in each, and a cursor beside it", async () => {
    const events = await eventsOf(await stream());
    expect(events.length).toBeGreaterThan(2);
    for (const { data, lines } of events) {
      expect(data).toMatchObject({ jsonrpc: "2.0", id: "s-7", result: expect.anything() });
      expect(lines.filter((line) => line.startsWith("data:"))).toHaveLength(1);
      expect(lines.filter((line) => /^id: [^:]+:\d+$/.test(line))).toHaveLength(1);
      expect(lines.filter((line) => line.startsWith("event:"))).toEqual([]);
    }
  });

  test("keeps line ends of texts inside the JSON", async () => {
    const response = await stream({}, "echo a\r\nb\rc\nd\u2028e");
    const events = await eventsOf(response);
    expect(JSON.stringify(events.map(({ data }) => data))).toContain("echo a\\r\\nb\\rc\\nd\u2028e");
  });

  test.each([
    ["an unknown task", "SubscribeToTask", () => ({ id: "ghost" }), -32001],
    ["parameters that are none", "SubscribeToTask", () => ({}), -32602],
    [
      "a message without parts",
      "SendStreamingMessage",
      () => ({ message: message("", { parts: [] }) }),
      -32602,
    ],
    [
      "a message to an unknown task",
      "SendStreamingMessage",
      () => ({ message: message("x", { taskId: "ghost" }) }),
      -32001,
    ],
  ])("that cannot begin, for %s, is an answer in JSON", async (_, method, params, code) => {
    const response = await rpc(method, params(), { accept: "text/event-stream" });
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({ id: 1, error: { code } });
  });

  test("that cannot begin over HTTP+JSON has the status of its error", async () => {
    const response = await rest("GET", "/tasks/ghost:subscribe", { accept: "text/event-stream" });
    expect([response.status, response.headers.get("content-type")]).toEqual([
      404,
      expect.stringMatching(/json/),
    ]);
    expect(await response.json()).toMatchObject({ error: { details: [{ reason: "TASK_NOT_FOUND" }] } });
  });

  test("begins with the present task at once, for a task that waits, and goes on when it is answered", async () => {
    const id = await taskId("ask");
    const response = await rest("GET", `/tasks/${id}:subscribe`);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const first = new SseDecoder().push((await reader.read()).value ?? new Uint8Array());
    expect(JSON.parse(first[0]?.data ?? "")).toMatchObject({
      task: { id, status: { state: "TASK_STATE_INPUT_REQUIRED" } },
    });
    await rpc("SendMessage", { message: message("echo Rex", { taskId: id }) });
    let later = "";
    for (let next = await reader.read(); !next.done; next = await reader.read())
      later += Buffer.from(next.value).toString();
    expect(later).toContain("TASK_STATE_COMPLETED");
  });
});

describe("HTTP+JSON", () => {
  test.each(["GET", "POST"])("subscribes by %s", async (verb) => {
    const id = await taskId("ask");
    const response = await rest(verb, `/tasks/${id}:subscribe`);
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    await response.body?.cancel();
  });

  test.each([
    ["without a body", undefined, {}],
    ["without a body but with its type", undefined, { "content-type": "application/json" }],
    ["with null", "null", {}],
    ["with an empty object", "{}", {}],
  ])("cancels %s", async (_, body, headers) => {
    const id = await taskId("ask");
    const response = await post(`/a2a/rest/tasks/${id}:cancel`, body, headers as Headers);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id, status: { state: "TASK_STATE_CANCELED" } });
  });

  test("deletes a configuration, also when a client names the type of the body that it does not send", async () => {
    const id = await taskId("ask");
    const configs = `/tasks/${id}/pushNotificationConfigs`;
    for (const headers of [{}, { "content-type": "application/json" }] as Headers[]) {
      await post(`/a2a/rest${configs}`, { id: "c", url: "https://example.com/hook" });
      const response = await rest("DELETE", `${configs}/c`, headers);
      expect([response.status, (await rest("GET", `${configs}/c`)).status]).toEqual([200, 404]);
    }
  });

  test.each([
    ["/tasks/{id}?historyLength=abc", "historyLength"],
    ["/tasks/{id}?historyLength=-1", "historyLength"],
    ["/tasks?pageSize=1.5", "pageSize"],
    ["/tasks?pageSize=0", "pageSize"],
    ["/tasks?status=TASK_STATE_BOGUS", "status"],
    ["/tasks?pageToken=!!!", "pageToken"],
    ["/tasks?includeArtifacts=TRUE", "includeArtifacts"],
    ["/tasks?includeArtifacts=1", "includeArtifacts"],
  ])("refuses %s and names the field", async (path, field) => {
    const response = await rest("GET", path.replace("{id}", await taskId("echo")));
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as {
      error: { status: string; details: { "@type": string }[] };
    };
    expect(error.status).toBe("INVALID_ARGUMENT");
    expect(error.details.map((each) => each["@type"]?.split(".").at(-1))).toContain("ErrorInfo");
    expect(JSON.stringify(error.details)).toContain(field);
  });

  test("ignores names in a query that it does not know", async () => {
    const response = await rest("GET", `/tasks/${await taskId("echo")}?shade=dark&__proto__=1`);
    expect(response.status).toBe(200);
  });

  test.each([
    ["GET", "/tasks/x"],
    ["GET", "/tasks"],
    ["POST", "/tasks/x:cancel"],
    ["GET", "/tasks/x:subscribe"],
    ["GET", "/tasks/x/pushNotificationConfigs"],
    ["GET", "/extendedAgentCard"],
    ["POST", "/_cleveragents/health/check"],
  ])("refuses a version that is not served, by %s %s, before anything is looked up", async (verb, path) => {
    const response = await rest(verb, path, { "a2a-version": "9.9" });
    const body = JSON.stringify(await response.json());
    if (path.includes("_cleveragents")) expect(body).toContain("VERSION");
    else expect([response.status, body]).toEqual([400, expect.stringContaining("VERSION_NOT_SUPPORTED")]);
  });
});

describe("the content type of a request", () => {
  const types: readonly [type: string | undefined, ok: boolean][] = [
    ["application/json", true],
    ["application/json; charset=utf-8", true],
    ["Application/JSON", true],
    ["application/a2a+json", true],
    ['application/json;a="b"', false],
    ["text/plain; x=application/json", false],
    [undefined, true],
  ];
  const bindings = [
    ["JSON-RPC", "/a2a", () => ({ jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} })],
    ["HTTP+JSON", "/a2a/rest/message:send", () => ({ message: message("echo") })],
  ] as const;
  describe.each(bindings)("%s", (_name, path, body) => {
    test.each(types)("%s: taken %s", async (type, ok) => {
      const response = await fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { ...V1, ...(type === undefined ? {} : { "content-type": type }) },
        // Bytes, so that fetch adds no type of its own.
        body: Buffer.from(JSON.stringify(body())),
      });
      const text = await response.text();
      if (ok) expect([response.status, text]).toEqual([200, expect.not.stringContaining('"error"')]);
      else
        expect([[400, 415].includes(response.status), text]).toEqual([
          true,
          expect.stringContaining("CONTENT_TYPE"),
        ]);
    });
  });
});

describe("the size of a request", () => {
  test.each(["/a2a", "/a2a/rest/message:send"])(
    "at %s above the limit is 413 in JSON, and the next is served",
    async (path) => {
      const response = await post(path, `{"x":"${"y".repeat(10 * 1024 * 1024)}"}`);
      const text = await response.text();
      expect([response.status, response.headers.get("content-type")]).toEqual([
        413,
        expect.stringMatching(/json/),
      ]);
      expect(JSON.parse(text)).toHaveProperty("error");
      expect(text).not.toMatch(/node_modules|<html|\.ts:/);
      expect((await rpc("ListTasks", {})).status).toBe(200);
    },
  );
});

test("what is refused over both bindings has the same reason, and the status and code of A2A's table", async () => {
  const done = await taskId("echo");
  const bad = message("", { parts: [{ raw: "AA==", mediaType: "application/x-unheard-of" }] });
  const cases: readonly [string, unknown, Promise<Response>, number, number, string][] = [
    ["GetTask", { id: "ghost" }, rest("GET", "/tasks/ghost"), -32001, 404, "TASK_NOT_FOUND"],
    ["CancelTask", { id: done }, rest("POST", `/tasks/${done}:cancel`), -32002, 400, "TASK_NOT_CANCELABLE"],
    [
      "SubscribeToTask",
      { id: done },
      rest("GET", `/tasks/${done}:subscribe`),
      -32004,
      400,
      "UNSUPPORTED_OPERATION",
    ],
    [
      "SendMessage",
      { message: bad },
      post("/a2a/rest/message:send", { message: bad }),
      -32005,
      400,
      "CONTENT_TYPE_NOT_SUPPORTED",
    ],
    ["ListTasks", { pageSize: 0 }, rest("GET", "/tasks?pageSize=0"), -32602, 400, "INVALID_PARAMS"],
  ];
  for (const [method, params, overRest, code, status, reason] of cases) {
    const { error } = (await (await rpc(method, params)).json()) as {
      error: { code: number; data: { reason?: string }[] };
    };
    const response = await overRest;
    const body = (await response.json()) as { error: { code: number; details: { reason?: string }[] } };
    expect([method, error.code, error.data[0]?.reason]).toEqual([method, code, reason]);
    expect([method, response.status, body.error.code, body.error.details[0]?.reason]).toEqual([
      method,
      status,
      status,
      reason,
    ]);
  }
});
