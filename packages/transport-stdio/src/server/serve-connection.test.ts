import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type CallContext,
  type Dispatcher,
  type JsonRpcRequest,
  parseMessage,
  type StreamElement,
} from "@cleveragents/protocol";
import { describe, expect, test, vi } from "vitest";
import { call, cancel, count, countAndWait, type Handler, never, open } from "../testing/open-connection.ts";

describe.each(["length", "newline", "header"] as const)("with %s framing", (framing) => {
  test("a request is answered in kind", async () => {
    const peer = open({ framing, handlers: { Echo: ({ params }) => params } });
    const raw = vi.fn();
    peer.answers.on("data", (chunk: Buffer) => raw(chunk.toString()));
    peer.send(call(1, "Echo", { params: { text: "测试 🙂" } }));
    expect(await peer.next()).toEqual({ jsonrpc: "2.0", id: 1, result: { text: "测试 🙂" } });
    const beginning = { length: /^\d+\n\{/, newline: /^\{/, header: /^Content-Length: \d+\r\n\r\n\{/ }[
      framing
    ];
    expect(raw.mock.calls[0]![0]).toMatch(beginning);
  });
});

test.each([0, "", null, -7, "x"])("the id %j comes back unchanged", async (id) => {
  const peer = open({ handlers: { Echo: () => "ok" } });
  peer.send(call(id, "Echo"));
  expect(await peer.next()).toEqual({ jsonrpc: "2.0", id, result: "ok" });
});

test("a slow handler holds up no other answer", async () => {
  const peer = open({ handlers: { Slow: never, Quick: () => "done" } });
  peer.send(call(1, "Slow"), call(2, "Quick"));
  expect(await peer.next()).toMatchObject({ id: 2, result: "done" });
});

test("a ping is answered whatever is served and however long the line is, and counts as no call", async () => {
  const { connection, send, next } = open({
    handlers: { Wait: () => new Promise(() => {}) },
    limits: { maxConcurrent: 1 },
  });
  send(call(1, "Wait"), call(2, "Wait"), call("p", "$/ping"));
  expect(await next()).toEqual({ jsonrpc: "2.0", id: "p", result: {} });
  expect(connection.calls).toEqual({ open: 2, begun: 2 });
  await connection.close();
});

test("a notification is carried out and not answered", async () => {
  const seen = vi.fn();
  const peer = open({ handlers: { Note: seen, Echo: () => "ok" } });
  peer.send({ jsonrpc: "2.0", method: "Note" }, call(9, "Echo"));
  expect(await peer.next()).toMatchObject({ id: 9 });
  expect(seen).toHaveBeenCalledOnce();
  expect(peer.received).toEqual([]);
});

test("text that is no JSON and JSON that is no request are answered, and serving goes on", async () => {
  const peer = open({ handlers: { Echo: () => "ok" } });
  peer.input.write('4\n{"a"');
  expect(await peer.next()).toMatchObject({ id: null, error: { code: -32700 } });
  peer.input.write("0\n");
  expect(await peer.next()).toMatchObject({ id: null, error: { code: -32700 } });
  peer.send(call(1.5, "Echo"));
  expect(await peer.next()).toMatchObject({ id: null, error: { code: -32600 } });
  peer.send(call(1, "Echo"));
  expect(await peer.next()).toMatchObject({ id: 1, result: "ok" });
});

describe("service parameters", () => {
  test("are read in any case and reach the dispatcher in lower case", async () => {
    const peer = open({
      handlers: { Params: (_, { serviceParameters, binding }) => ({ serviceParameters, binding }) },
    });
    peer.send(call(1, "Params", { a2a: { "A2A-Version": "1.0", "last-event-ID": "t:1" } }));
    const serviceParameters = { "a2a-version": "1.0", "last-event-id": "t:1" };
    expect(await peer.next()).toMatchObject({ result: { serviceParameters, binding: "stdio" } });
  });

  test("ride on the response, and before the first element of a stream", async () => {
    const a2a = { "A2A-Extensions": "urn:x" };
    const peer = open({ handlers: { Echo: () => 1, Count: () => count(2) }, parameters: a2a });
    peer.send(call(1, "Echo"));
    expect(await peer.next()).toEqual({ jsonrpc: "2.0", id: 1, result: 1, a2a });
    peer.send(call(2, "Count"));
    expect(await peer.next()).toMatchObject({ method: "$/stream", a2a });
    expect(await peer.next()).not.toHaveProperty("a2a");
    expect(await peer.next()).toEqual({ jsonrpc: "2.0", id: 2, result: {}, a2a });
  });
});

describe("an id that is still in flight", () => {
  test("makes a second request with it invalid; the first is answered, and then it is free", async () => {
    const gate = Promise.withResolvers<string>();
    const peer = open({ handlers: { Wait: () => gate.promise } });
    peer.send(call(0, "Wait"), call(0, "Wait"));
    expect(await peer.next()).toMatchObject({
      id: 0,
      error: { code: -32600, message: "a request with this id is still in flight" },
    });
    gate.resolve("first");
    expect(await peer.next()).toMatchObject({ id: 0, result: "first" });
    peer.send(call(0, "Wait"));
    expect(await peer.next()).toMatchObject({ id: 0, result: "first" });
  });

  test("is not the same as a string of the same digits", async () => {
    const peer = open({ handlers: { Slow: never, Echo: () => "ok" } });
    peer.send(call(1, "Slow"), call("1", "Echo"));
    expect(await peer.next()).toMatchObject({ id: "1", result: "ok" });
  });
});

describe("a stream", () => {
  test("is notifications with id, seq and result, ended by the response", async () => {
    const peer = open({ handlers: { Count: () => count(2) } });
    peer.send(call("s", "Count"));
    const element = (seq: number) => ({
      jsonrpc: "2.0",
      method: "$/stream",
      params: { id: "s", seq, result: { statusUpdate: { taskId: "t", n: seq } } },
    });
    expect(await peer.next()).toEqual(element(1));
    expect(await peer.next()).toEqual(element(2));
    expect(await peer.next()).toEqual({ jsonrpc: "2.0", id: "s", result: {} });
  });

  test("that fails ends with the error", async () => {
    async function* broken(): AsyncGenerator<StreamElement> {
      yield* count(1);
      throw new Error("gone");
    }
    const peer = open({ handlers: { Count: broken } });
    peer.send(call(1, "Count"));
    expect(await peer.next()).toMatchObject({ params: { seq: 1 } });
    expect(await peer.next()).toMatchObject({ id: 1, error: { code: -32603, message: "Error: gone" } });
  });

  test("runs beside others, each with its own id", async () => {
    const peer = open({ handlers: { Count: ({ params }) => count(params as number) } });
    peer.send(call(1, "Count", { params: 3 }), call(2, "Count", { params: 2 }));
    const all = [];
    for (let i = 0; i < 7; i++) all.push(await peer.next());
    expect(all.filter((m) => m.params?.id === 1).map((m) => m.params?.seq)).toEqual([1, 2, 3]);
    expect(all.filter((m) => m.params?.id === 2).map((m) => m.params?.seq)).toEqual([1, 2]);
  });

  test("is pulled no further than its peer reads", async () => {
    let pulled = 0;
    async function* large(): AsyncGenerator<StreamElement> {
      for (let seq = 1; seq <= 1000; seq++) {
        pulled = seq;
        yield { cursor: `t:${seq}`, seq, result: "x".repeat(10_000) };
      }
    }
    const slow = new PassThrough();
    const peer = open({ handlers: { Large: large }, output: slow });
    peer.send(call(1, "Large"));
    await sleep(50);
    expect(pulled).toBeLessThan(20);
    slow.resume();
    await vi.waitFor(() => expect(pulled).toBe(1000));
  });
});

describe("$/cancelRequest", () => {
  test.each([0, "", "a", 7])("ends the wait with id %j by an error and aborts its signal", async (id) => {
    let signal: AbortSignal | undefined;
    const peer = open({
      handlers: {
        Wait: (_, context) => {
          signal = context.signal;
          return new Promise(() => {});
        },
      },
    });
    peer.send(call(id, "Wait"), cancel(id));
    const answer = await peer.next();
    expect(answer).toMatchObject({ id, error: { code: -32000, data: [{ reason: "REQUEST_CANCELLED" }] } });
    expect(signal?.aborted).toBe(true);
  });

  test("ends a stream by an error, lets its iterator go, and sends nothing more of it", async () => {
    const released = vi.fn();
    async function* watched(_: JsonRpcRequest, { signal }: CallContext): AsyncGenerator<StreamElement> {
      try {
        yield* countAndWait(1, signal);
        yield* count(5);
      } finally {
        released();
      }
    }
    const peer = open({ handlers: { Watch: watched, Echo: () => "ok" } });
    peer.send(call(0, "Watch"));
    expect(await peer.next()).toMatchObject({ params: { seq: 1 } });
    peer.send(cancel(0));
    expect(await peer.next()).toMatchObject({ id: 0, error: { code: -32000 } });
    await vi.waitFor(() => expect(released).toHaveBeenCalled());
    peer.send(call(1, "Echo"));
    expect(await peer.next()).toMatchObject({ id: 1 });
  });

  test("before a stream has begun lets its iterator go", async () => {
    const began = Promise.withResolvers<void>();
    const released = vi.fn(async () => ({ done: true, value: undefined }) as const);
    const elements = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}), return: released }),
    };
    const peer = open({ handlers: { Watch: () => began.promise.then(() => elements) } });
    peer.send(call(1, "Watch"), cancel(1));
    expect(await peer.next()).toMatchObject({ id: 1, error: { code: -32000 } });
    began.resolve();
    await vi.waitFor(() => expect(released).toHaveBeenCalled());
  });

  test("of the platform's methods has the platform's shape", async () => {
    const peer = open({ handlers: { "_cleveragents/plan/status": never } });
    peer.send(call(1, "_cleveragents/plan/status"), cancel(1));
    expect(await peer.next()).toMatchObject({
      error: { code: -32000, data: { reason: "REQUEST_CANCELLED" } },
    });
  });

  test("reaches calls that still wait in line, which are never begun", async () => {
    const begun = vi.fn(never);
    const peer = open({ handlers: { Wait: begun }, limits: { maxConcurrent: 1 } });
    peer.send(call(1, "Wait"), call(2, "Wait"), cancel(2));
    expect(await peer.next()).toMatchObject({ id: 2, error: { code: -32000 } });
    expect(begun).toHaveBeenCalledOnce();
  });

  test("for an id that is unknown or no id is ignored", async () => {
    const peer = open({ handlers: { Echo: () => "ok" } });
    peer.send(cancel(99), cancel({}), { jsonrpc: "2.0", method: "$/cancelRequest" }, call(1, "Echo"));
    expect(await peer.next()).toMatchObject({ id: 1, result: "ok" });
  });
});

describe("a batch", () => {
  test("is answered by one array in its order, without its notifications", async () => {
    const note = vi.fn();
    const slow: Handler = () => sleep(20).then(() => "slow");
    const peer = open({ handlers: { Slow: slow, Echo: () => "ok", Note: note } });
    peer.send([call(1, "Slow"), { jsonrpc: "2.0", method: "Note" }, 5, call(2, "Echo")]);
    expect(await peer.next()).toMatchObject([
      { id: 1, result: "slow" },
      { id: null, error: { code: -32600 } },
      { id: 2, result: "ok" },
    ]);
    expect(note).toHaveBeenCalledOnce();
  });

  test("of notifications alone is not answered", async () => {
    const peer = open({ handlers: { Echo: () => "ok" } });
    peer.send([{ jsonrpc: "2.0", method: "Note" }, cancel(5)], call(1, "Echo"));
    expect(await peer.next()).toMatchObject({ id: 1 });
  });

  test("has service parameters, ids and cancels per entry", async () => {
    const peer = open({ handlers: { Params: (_, { serviceParameters }) => serviceParameters, Wait: never } });
    peer.send([
      call(1, "Params", { a2a: { "A2A-Version": "1.0" } }),
      call(1, "Params"),
      call(2, "Wait"),
      cancel(2),
    ]);
    expect(await peer.next()).toMatchObject([
      { id: 1, result: { "a2a-version": "1.0" } },
      { id: 1, error: { code: -32600 } },
      { id: 2, error: { code: -32000 } },
    ]);
  });
});

test("so many calls run at once, the rest wait in line, and then the input is not read", async () => {
  const waiting: ((value: string) => void)[] = [];
  const begun = vi.fn(() => new Promise((resolve) => waiting.push(resolve)));
  const peer = open({ handlers: { Wait: begun }, limits: { maxConcurrent: 2, maxWaiting: 3 } });
  for (let id = 1; id <= 100; id++) peer.send(call(id, "Wait", { params: "x".repeat(2000) }));
  await sleep(20);
  expect(begun).toHaveBeenCalledTimes(2);
  // Read so far: five calls and a chunk.
  expect(peer.input.readableLength + peer.input.writableLength).toBeGreaterThan(100_000);
  for (let done = 0; done < 100; done++) {
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(done));
    waiting[done]!("ok");
    await peer.next();
  }
  expect(begun).toHaveBeenCalledTimes(100);
});

test("a dispatcher that throws is an internal error that says nothing of it", async () => {
  const dispatcher: Dispatcher = { dispatch: () => Promise.reject(new Error("secret")) };
  const peer = open({ dispatcher });
  peer.send(call(1, "Echo"));
  const answer = await peer.next();
  expect(answer).toMatchObject({ id: 1, error: { code: -32603 } });
  expect(JSON.stringify(answer)).not.toContain("secret");
  expect(peer.errors).toHaveLength(1);
});

test("a result that cannot be written is an internal error", async () => {
  const peer = open({ handlers: { Odd: () => 10n } });
  peer.send(call(1, "Odd"));
  expect(await peer.next()).toMatchObject({ id: 1, error: { code: -32603 } });
});

test("the message arrives at the dispatcher parsed", async () => {
  const dispatch = vi.fn<Dispatcher["dispatch"]>(async () => ({ kind: "none" }));
  const peer = open({ dispatcher: { dispatch } });
  peer.send(call(1, "Echo"));
  await vi.waitFor(() => expect(dispatch).toHaveBeenCalled());
  expect(dispatch.mock.calls[0]![0]).toEqual(parseMessage(JSON.stringify(call(1, "Echo"))));
});
