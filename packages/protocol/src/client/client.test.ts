import { expect, test } from "vitest";
import type { JsonRpcRequest, JsonRpcResponse } from "../envelope/json-rpc.ts";
import type { ClientTransport, SendOptions, StreamFrame } from "./client-transport.ts";
import { createClient } from "./create-client.ts";
import { followTask } from "./follow-task.ts";
import { TransportError } from "./transport-error.ts";

function transport(parts: {
  request?: (request: JsonRpcRequest, options: SendOptions) => unknown;
  stream?: (request: JsonRpcRequest, options: SendOptions) => AsyncIterable<StreamFrame>;
}): ClientTransport {
  return {
    request: async (request, options) => (await parts.request?.(request, options)) as JsonRpcResponse,
    stream: (request, options) => parts.stream?.(request, options) ?? (async function* () {})(),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
const answering = (make: (id: unknown) => unknown) =>
  createClient(transport({ request: ({ id }) => make(id) }));

test("an answer with the id of another request is refused", async () => {
  const client = answering((id) => ({ jsonrpc: "2.0", id: String(id), result: {} }));
  await expect(client.request("X", {})).rejects.toMatchObject({ reason: "BAD_RESPONSE" });
});

test("error: null beside a result is no error, and a result of null is a result", async () => {
  expect(
    await answering((id) => ({ jsonrpc: "2.0", id, result: null, error: null })).request("X", {}),
  ).toBeNull();
});

test("an error with a null id is still this call's error", async () => {
  const client = answering(() => ({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "no" } }));
  await expect(client.request("X", {})).rejects.toMatchObject({ name: "RemoteError", code: -32700 });
});

test.each([{}, { error: { message: "x" } }, { error: "x" }])(
  "the answer %j is no answer",
  async (members) => {
    await expect(
      answering((id) => ({ jsonrpc: "2.0", id, ...members })).request("X", {}),
    ).rejects.toMatchObject({ reason: "BAD_RESPONSE" });
  },
);

test("version, extensions and cursor ride as service parameters", async () => {
  const seen: unknown[] = [];
  const client = createClient(
    transport({
      request: ({ id }, options) => {
        seen.push(options.serviceParameters);
        return { jsonrpc: "2.0", id, result: 1 };
      },
    }),
  );
  await client.request("X", {}, { extensions: ["urn:a", "urn:b"], lastEventId: "t:1" });
  expect(seen).toEqual([{ "A2A-Version": "1.0", "A2A-Extensions": "urn:a,urn:b", "Last-Event-ID": "t:1" }]);
});

test("a call that takes too long is a time-out, whatever the transport throws then", async () => {
  const client = createClient(
    transport({
      request: (_, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("x")))),
    }),
  );
  await expect(client.request("X", {}, { timeoutMs: 5 })).rejects.toMatchObject({ reason: "TIMEOUT" });
});

/** A log of `length` events that ends the stream after `every` of them, politely or not. */
function log(length: number, every: number, polite: boolean) {
  const opened: (string | undefined)[] = [];
  const status = (state: string) => ({
    statusUpdate: { taskId: "t", contextId: "c", status: { state, timestamp: "2026-01-01T00:00:00Z" } },
  });
  async function* stream(
    { id }: JsonRpcRequest,
    { serviceParameters }: SendOptions,
  ): AsyncGenerator<StreamFrame> {
    const after = serviceParameters["Last-Event-ID"];
    opened.push(after);
    let seq = after === undefined ? 0 : Number(after.split(":")[1]);
    const frame = (result: unknown): StreamFrame => ({
      cursor: `t:${seq}`,
      response: { jsonrpc: "2.0", id: id ?? null, result },
    });
    yield frame({
      task: {
        id: "t",
        contextId: "c",
        status: { state: "TASK_STATE_WORKING", timestamp: "2026-01-01T00:00:00Z" },
      },
    });
    for (let n = 0; n < every && seq < length; n++) {
      seq++;
      yield frame(status(seq === length ? "TASK_STATE_COMPLETED" : "TASK_STATE_WORKING"));
    }
    if (seq < length && !polite) throw new TransportError("CONNECTION_LOST", "cut");
  }
  return { opened, client: createClient(transport({ stream })) };
}

test.each([true, false])(
  "a task is followed through 20 ends of its stream (in good order: %s), every event once, in order",
  async (polite) => {
    const { client, opened } = log(100, 5, polite);
    const seen: string[] = [];
    for await (const item of followTask(client, "t", { retryMs: 0 }))
      seen.push("task" in item.result ? "task" : (item.cursor as string));
    expect(seen).toEqual(["task", ...Array.from({ length: 100 }, (_, i) => `t:${i + 1}`)]);
    expect(opened).toHaveLength(20);
  },
);

test("a connection that never gives an event is given up after the tries that were asked for", async () => {
  const client = createClient(
    transport({
      // biome-ignore lint/correctness/useYield: it fails before its first element
      async *stream() {
        throw new TransportError("NOT_CONNECTED", "nobody there");
      },
    }),
  );
  const tries: number[] = [];
  const follow = followTask(client, "t", {
    retryMs: 0,
    maxAttempts: 3,
    onReconnect: (attempt) => tries.push(attempt),
  });
  await expect(follow.next()).rejects.toMatchObject({ reason: "NOT_CONNECTED" });
  expect(tries).toEqual([1, 2, 3]);
});

test.each([
  ["that is stopping", "SHUTTING_DOWN"],
  ["whose database is away", "DATABASE_UNAVAILABLE"],
  ["that cannot tell just now who calls", "AUTHENTICATION_UNAVAILABLE"],
])("an agent %s is tried again", async (_, reason) => {
  let calls = 0;
  const client = createClient(
    transport({
      async *stream({ id = null }) {
        calls++;
        const error = { code: -32000, message: "not now", data: [{ reason }] };
        const result = {
          task: {
            id: "t",
            contextId: "c",
            status: { state: "TASK_STATE_COMPLETED", timestamp: "2026-01-01T00:00:00Z" },
          },
        };
        yield { response: calls === 1 ? { jsonrpc: "2.0", id, error } : { jsonrpc: "2.0", id, result } };
      },
    }),
  );
  const items = [];
  for await (const item of followTask(client, "t", { retryMs: 0 })) items.push(item);
  expect(items).toHaveLength(1);
  expect(calls).toBe(2);
});
