import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type DispatchAnswer,
  type Dispatcher,
  failure,
  LOCAL_PRINCIPAL,
  type ParsedMessage,
  ProtocolError,
  RESUME_EXTENSION,
  type RequestId,
  toErrorObject,
} from "@cleveragents/protocol";
import { inProcess, openWorld, toGate, type World } from "@cleveragents/testing";
import { writeDiscovery } from "@cleveragents/transport-stdio/client";
import { type SocketServer, serveSocket } from "@cleveragents/transport-stdio/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Forwarding, forwardTo } from "../src/owner/forwarding-dispatcher.ts";
import { openServer } from "./in-memory-server.ts";

/** A dispatcher behind an owner's socket, and the front that forwards to it. */
async function frontOf(
  dispatcher: Dispatcher,
): Promise<{ front: Forwarding; socket: SocketServer } & AsyncDisposable> {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), "cleveragents-front-")));
  const path = join(dataDir, "s", "owner.sock");
  const socket = await serveSocket({
    path,
    dispatcher,
    principal: LOCAL_PRINCIPAL,
    onError: () => undefined,
  });
  await writeDiscovery(dataDir, {
    version: 1,
    pid: process.pid,
    started_at: new Date().toISOString(),
    product_version: "0",
    socket: path,
    token: "t",
  });
  const front = await forwardTo({ dataDir });
  return {
    front,
    socket,
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      await socket.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const contextOf = (parameters: Readonly<Record<string, string>> = {}, signal?: AbortSignal) => ({
  principal: LOCAL_PRINCIPAL,
  serviceParameters: { "a2a-version": "1.0", ...parameters },
  binding: "http" as const,
  signal: signal ?? new AbortController().signal,
});

/** What a peer would see of an answer; of a stream its elements, as many as there are at once. */
async function seenOf(answer: DispatchAnswer, elements: number): Promise<unknown> {
  if (answer.kind !== "stream") return JSON.parse(JSON.stringify(answer));
  const seen: unknown[] = [];
  const { failed, elements: all, ...head } = answer;
  const iterator = all[Symbol.asyncIterator]();
  try {
    while (seen.length < elements) {
      const next = await iterator.next();
      if (next.done === true) break;
      seen.push(next.value);
    }
  } catch (thrown) {
    seen.push(failed(thrown));
  }
  await iterator.return?.();
  return JSON.parse(JSON.stringify({ ...head, seen }));
}

/** The id of a message that the socket has parsed. */
function idOf(message: Parameters<Dispatcher["dispatch"]>[0]): RequestId {
  const isCall = typeof message === "object" && "kind" in message && message.kind === "call";
  return isCall ? (message.request.id ?? null) : null;
}

/** Ids and times of errors differ from call to call. */
function withoutChance(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/"(requestId|request_id|timestamp)":"[^"]*"/g, '"$1":"…"')
    .replaceAll(/"detail_id":"[^"]*"/g, "");
  return JSON.parse(text);
}

describe("a front", () => {
  let world: World;
  let planId: string;
  let dispatcher: Dispatcher;
  let opened: Awaited<ReturnType<typeof frontOf>>;
  beforeAll(async () => {
    world = await openWorld(
      async (server) => {
        ({ dispatcher } = server);
        return inProcess(server);
      },
      openServer,
      { project: "plain" },
    );
    opened = await frontOf(dispatcher);
    const local = world.as(LOCAL_PRINCIPAL.id);
    ({ plan_id: planId } = await toGate(local, "touch"));
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  const call = (id: unknown, method: string, params: object = {}, more: object = {}) => ({
    jsonrpc: "2.0",
    ...(id === undefined ? {} : { id }),
    method,
    params,
    ...more,
  });
  test.each<[string, () => unknown, Readonly<Record<string, string>>?]>([
    ["a result", () => call(1, "_cleveragents/plan/status", { plan_id: planId })],
    ["an error of ours", () => call("a", "_cleveragents/plan/status", { plan_id: "nope" })],
    ["an error of A2A's", () => call(null, "GetTask", { id: "nope" })],
    ["an unknown method", () => call(2, "Nope")],
    ["a notification", () => call(undefined, "_cleveragents/plan/list")],
    ["text that is no message", () => ({ hello: "world" })],
    [
      "activated extensions",
      () => call(3, "GetTask", { id: planId }),
      { "a2a-extensions": RESUME_EXTENSION },
    ],
    [
      "service parameters in the body, which HTTP has headers for",
      () => call(4, "GetTask", { id: planId }, { a2a: { "A2A-Extensions": RESUME_EXTENSION } }),
    ],
    [
      "a stream with activated extensions",
      () => call(5, "SubscribeToTask", { id: planId }),
      { "a2a-extensions": `${RESUME_EXTENSION}, urn:unknown` },
    ],
    ["a stream that is refused", () => call(6, "SubscribeToTask", { id: "nope" })],
    ["a stream without an id", () => call(undefined, "SubscribeToTask", { id: planId })],
    [
      "a batch with a stream in it",
      () => [
        call(7, "SubscribeToTask", { id: planId }),
        call(8, "GetTask", { id: "nope" }),
        call(undefined, "Nope"),
        3,
      ],
    ],
  ])("answers %s as the owner itself", async (_, message, parameters) => {
    const text = JSON.stringify(message());
    const [direct, forwarded] = await Promise.all(
      [dispatcher, opened.front.dispatcher].map(async (one) =>
        withoutChance(await seenOf(await one.dispatch(text, contextOf(parameters)), 1)),
      ),
    );
    expect(forwarded).toEqual(direct);
  });

  test.each<[string, string, () => object]>([
    ["a task", "GetTask", () => ({ id: planId })],
    ["a task that is not there", "GetTask", () => ({ id: "nope" })],
    [
      "a field that is wrong, by the caller's name for it",
      "SendMessage",
      () => ({ message: { messageId: "m", role: "ROLE_USER", content: [] } }),
    ],
    ["a parameter that cannot be read", "SendMessage", () => ({ configuration: { blocking: "yes" } })],
    ["a method that 0.3 does not have there", "ListTasks", () => ({})],
    ["a method of the platform's", "_cleveragents/plan/status", () => ({ plan_id: planId })],
    ["notifications of a task", "ListTaskPushNotificationConfigs", () => ({ parent: `tasks/${planId}` })],
  ])("answers %s over HTTP+JSON of A2A 0.3 as the owner itself", async (_, method, params) => {
    const request = { jsonrpc: "2.0", id: 0, method, params: params() } as const;
    const context = { ...contextOf({ "a2a-version": "0.3" }), encoding: "http+json" as const };
    const [direct, forwarded] = await Promise.all(
      [dispatcher, opened.front.dispatcher].map(async (one) =>
        withoutChance(await seenOf(await one.dispatch({ kind: "call", request }, context), 1)),
      ),
    );
    expect(forwarded).toEqual(direct);
  });
});

test("an error in the middle of a stream stays what it is through a front", async () => {
  const error = new ProtocolError("TaskNotFound", { details: { taskId: "t" } });
  const object = toErrorObject(error, { family: "a2a", requestId: "r", timestamp: "now" });
  await using opened = await frontOf({
    dispatch: async (message) => ({
      kind: "stream",
      id: idOf(message),
      serviceParameters: {},
      failed: () => ({ jsonrpc: "2.0", id: idOf(message), error: object }),
      elements: (async function* () {
        yield { cursor: "t:1", seq: 1, result: { task: { id: "t" } } };
        throw error;
      })(),
    }),
  });
  const answer = await opened.front.dispatcher.dispatch(
    JSON.stringify({ jsonrpc: "2.0", id: "mine", method: "SubscribeToTask", params: { id: "t" } }),
    contextOf(),
  );
  expect(await seenOf(answer, 5)).toMatchObject({
    seen: [
      { cursor: "t:1", seq: 1 },
      { id: "mine", error: object },
    ],
  });
});

test("a call whose owner has gone is refused in the words of its own family, and may be tried again", async () => {
  const opened = await frontOf({ dispatch: async () => ({ kind: "none" }) });
  await using _front = opened.front;
  await opened.socket.close();
  const call = (method: string) =>
    opened.front.dispatcher.dispatch(
      JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: {} }),
      contextOf(),
    );
  expect(await call("_cleveragents/plan/list")).toMatchObject({
    response: { error: { data: { reason: "SHUTTING_DOWN" } } },
  });
  expect(await call("GetTask")).toMatchObject({
    response: { error: { data: [{ reason: "SHUTTING_DOWN", domain: "a2a-protocol.org" }] } },
  });
});

test("a stream whose client goes away before the first element, or later, ends at the owner too", async () => {
  let open = 0;
  const endless: Dispatcher = {
    dispatch: async (message, { signal }) => ({
      kind: "stream",
      id: idOf(message),
      serviceParameters: {},
      failed: () => ({ jsonrpc: "2.0", id: idOf(message), error: { code: 0, message: "", data: [] } }),
      elements: (async function* () {
        open++;
        try {
          yield { cursor: "t:1", seq: 1, result: { task: { id: "t" } } };
          await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        } finally {
          open--;
        }
      })(),
    }),
  };
  await using opened = await frontOf(endless);
  for (const taken of [0, 1]) {
    const gone = new AbortController();
    const answer = await opened.front.dispatcher.dispatch(
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id: "t" } }),
      contextOf({}, gone.signal),
    );
    if (answer.kind !== "stream") throw new Error("no stream");
    const iterator = answer.elements[Symbol.asyncIterator]();
    if (taken === 1) await iterator.next();
    expect(open).toBe(1);
    gone.abort();
    await iterator.return?.();
    await expect.poll(() => open).toBe(0);
  }
});

/** A task of ten events that any owner can tell, from a cursor on. */
const tenEvents = (asked: string[]): Dispatcher => ({
  dispatch: async (message, { serviceParameters, signal }) => {
    const isCall = typeof message === "object" && "kind" in message && message.kind === "call";
    asked.push(isCall ? message.request.method : "");
    const after = Number(/:(\d+)$/.exec(serviceParameters["last-event-id"] ?? "")?.[1] ?? 0);
    const resumable = serviceParameters["a2a-extensions"]?.includes(RESUME_EXTENSION) === true;
    return {
      kind: "stream",
      id: idOf(message),
      serviceParameters: {},
      failed: () => ({ jsonrpc: "2.0", id: idOf(message), error: { code: 0, message: "", data: [] } }),
      elements: (async function* () {
        const from = resumable ? after : 0;
        yield {
          cursor: `t:${from}`,
          seq: from,
          result: { task: { id: "t", status: { state: "TASK_STATE_WORKING" } } },
        };
        for (let seq = from + 1; seq <= 10; seq++) {
          const state = seq === 10 ? "TASK_STATE_COMPLETED" : "TASK_STATE_WORKING";
          yield { cursor: `t:${seq}`, seq, result: { statusUpdate: { taskId: "t", status: { state } } } };
          // Each owner gets as far as three events.
          if (seq === from + 3) await new Promise((resolve) => signal.addEventListener("abort", resolve));
        }
      })(),
    };
  },
});

/** An owner whose stream of notifications has ten of them, and that leaves after three. */
function tenNotifications(asked: (string | undefined)[]): Dispatcher {
  return {
    async dispatch(message, context) {
      const { request } = message as Extract<ParsedMessage, { kind: "call" }>;
      const last = context.serviceParameters["last-event-id"];
      if (request.method === "_cleveragents/event/subscribe") asked.push(last);
      const from = Number(last?.slice(1) ?? 0);
      return {
        kind: "stream",
        id: request.id ?? null,
        failed: () => failure(request.id ?? null, { code: -32603, message: "failed" }),
        serviceParameters: {},
        elements: (async function* () {
          yield {
            cursor: `e${from}`,
            seq: from,
            event: "event/subscribed",
            result: { subscription: {}, sequence: from },
          };
          for (let seq = from + 1; seq <= Math.min(10, from + 3); seq++) {
            const final = seq === 10 ? { final: true } : {};
            yield { cursor: `e${seq}`, seq, event: "task/statusUpdate", result: { sequence: seq, ...final } };
          }
        })(),
      };
    },
  };
}

test("a stream of notifications through a front goes on by its cursors, and keeps their names", async () => {
  const asked: (string | undefined)[] = [];
  await using opened = await frontOf(tenNotifications(asked));
  const answer = await opened.front.dispatcher.dispatch(
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "_cleveragents/event/subscribe", params: {} }),
    contextOf(),
  );
  if (answer.kind !== "stream") throw new Error("no stream");
  const seen: string[] = [];
  for await (const { cursor, event } of answer.elements) seen.push(`${cursor} ${event}`);
  expect(seen).toEqual([
    "e0 event/subscribed",
    ...Array.from({ length: 10 }, (_, n) => `e${n + 1} task/statusUpdate`),
  ]);
  expect(asked).toEqual([undefined, "e3", "e6", "e9"]);
});

test("a stream through a front goes on with the next owner, and its reader sees every event once", async () => {
  const asked: string[] = [];
  await using opened = await frontOf(tenEvents(asked));
  let { socket } = opened;
  const answer = await opened.front.dispatcher.dispatch(
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id: "t" } }),
    contextOf(),
  );
  if (answer.kind !== "stream") throw new Error("no stream");
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { cursor, result } of answer.elements)
      seen.push(`${cursor} ${Object.keys(result as object)}`);
  })();
  for (let owner = 1; owner <= 3; owner++) {
    await expect.poll(() => seen.length).toBe(1 + owner * 3);
    await socket.close();
    socket = await serveSocket({
      path: socket.path,
      dispatcher: tenEvents(asked),
      principal: LOCAL_PRINCIPAL,
    });
  }
  await reading;
  await socket.close();
  expect(seen).toEqual(["t:0 task", ...Array.from({ length: 10 }, (_, n) => `t:${n + 1} statusUpdate`)]);
  expect(asked).toEqual(Array.from({ length: 4 }, () => "SubscribeToTask"));
});
