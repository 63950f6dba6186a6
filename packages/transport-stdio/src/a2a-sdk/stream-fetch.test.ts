import {
  type ClientTransport,
  failure,
  type JsonRpcRequest,
  type SendOptions,
  type StreamFrame,
  success,
} from "@cleveragents/protocol";
import { expect, test } from "vitest";
import { createStreamFetch } from "./stream-fetch.ts";

interface Asked {
  readonly request: JsonRpcRequest;
  readonly options: SendOptions;
}

/** A connection that answers each request with its method, and streams with what it is given. */
function connection(frames: (request: JsonRpcRequest) => readonly StreamFrame["response"][] = () => []) {
  const asked: Asked[] = [];
  let left = 0;
  const transport: ClientTransport = {
    async request(request, options) {
      asked.push({ request, options });
      return success(request.id ?? null, request.method);
    },
    async *stream(request, options) {
      asked.push({ request, options });
      try {
        for (const [n, response] of frames(request).entries()) yield { cursor: `t:${n + 1}`, response };
      } finally {
        left++;
      }
    },
    async [Symbol.asyncDispose]() {},
  };
  const post = (body: object, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    createStreamFetch(transport)("stdio:", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", ...body }),
      ...(signal === undefined ? {} : { signal }),
    });
  return { asked, post, left: () => left };
}

const EVENTS = { accept: "text/event-stream" };

test("clients that count alike share a connection: ids on it are its own, and each gets its own back", async () => {
  const { asked, post } = connection();
  const answers = await Promise.all([
    post({ id: 1, method: "GetTask" }),
    post({ id: 1, method: "ListTasks" }),
  ]);
  expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([
    { jsonrpc: "2.0", id: 1, result: "GetTask" },
    { jsonrpc: "2.0", id: 1, result: "ListTasks" },
  ]);
  expect(new Set(asked.map(({ request }) => request.id)).size).toBe(2);
});

test("headers are service parameters, but for those of HTTP alone", async () => {
  const { asked, post } = connection();
  await post({ id: 1, method: "GetTask" }, { "A2A-Version": "1.0", "A2A-Extensions": "urn:x" });
  expect(asked[0]?.options.serviceParameters).toEqual({ "a2a-version": "1.0", "a2a-extensions": "urn:x" });
});

test("a stream is events with their cursors, in the caller's id", async () => {
  const { post } = connection(({ id = null }) => [success(id, { a: 1 }), success(id, { b: 2 })]);
  const response = await post({ id: "s", method: "SubscribeToTask" }, EVENTS);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(await response.text()).toBe(
    'id: t:1\ndata: {"jsonrpc":"2.0","id":"s","result":{"a":1}}\n\nid: t:2\ndata: {"jsonrpc":"2.0","id":"s","result":{"b":2}}\n\n',
  );
});

test("a stream that is refused is an answer in JSON", async () => {
  const error = { code: -32001, message: "Task not found" };
  const { post } = connection(({ id = null }) => [failure(id, error)]);
  const response = await post({ id: 7, method: "SubscribeToTask" }, EVENTS);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 7, error });
});

test("a stream that is left is left on the connection too, and the caller's signal goes with the call", async () => {
  const { asked, post, left } = connection(({ id = null }) => [
    success(id, 1),
    success(id, 2),
    success(id, 3),
  ]);
  const controller = new AbortController();
  const response = await post({ id: 1, method: "SubscribeToTask" }, EVENTS, controller.signal);
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect([left(), asked[0]?.options.signal?.aborted]).toEqual([1, true]);
  await post({ id: 2, method: "GetTask" }, {}, controller.signal);
  controller.abort();
  expect(asked[1]?.options.signal?.aborted).toBe(true);
});
