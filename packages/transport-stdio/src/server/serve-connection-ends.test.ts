import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { call, count, countAndWait, type Handler, never, open } from "../testing/open-connection.ts";

describe("input that cannot be cut into messages", () => {
  test("is answered once, with id null, and ends the connection", async () => {
    const peer = open({ handlers: { Echo: () => "ok" } });
    peer.send(call(1, "Echo"));
    peer.input.write("12x\n{}");
    await peer.connection.closed;
    expect(peer.received).toMatchObject([
      { id: 1 },
      { id: null, error: { code: -32700, message: expect.stringContaining('not with "12x"') } },
    ]);
    expect(peer.answers.writableEnded).toBe(true);
  });

  test("is answered on a line of its own when no framing was chosen", async () => {
    const peer = open({});
    const raw = vi.fn();
    peer.answers.on("data", (chunk: Buffer) => raw(chunk.toString()));
    peer.input.write("GET / HTTP/1.1\r\n\r\n");
    await peer.connection.closed;
    expect(raw.mock.calls.join("")).toMatch(/^\{.*this one begins with.*\}\n$/);
  });

  test("is refused as too large where it is", async () => {
    const peer = open({ limits: { framing: { maxMessageBytes: 10, maxHeaderBytes: 10 } } });
    peer.input.write("11\n");
    await peer.connection.closed;
    expect(peer.received).toMatchObject([
      { id: null, error: { code: -32000, message: "a message may have at most 10 bytes" } },
    ]);
  });

  test("in the middle of a message is told at its end", async () => {
    const peer = open({});
    peer.input.end("20\n{}");
    await peer.connection.closed;
    expect(peer.received).toMatchObject([
      { id: null, error: { code: -32700, message: expect.stringContaining("2 of 20 bytes") } },
    ]);
  });
});

describe("at the end of the input", () => {
  test("what is in flight is finished and answered first", async () => {
    const peer = open({ handlers: { Slow: () => sleep(30).then(() => "late"), Count: () => count(3) } });
    peer.send(call(1, "Slow"), call(2, "Count"));
    peer.input.end();
    await peer.connection.closed;
    expect(peer.received).toHaveLength(5);
    expect(peer.received.at(-1)).toMatchObject({ id: 1, result: "late" });
  });

  test("the last line needs no end", async () => {
    const peer = open({ handlers: { Echo: () => "ok" }, framing: "newline" });
    peer.input.end('{"jsonrpc":"2.0","id":1,"method":"Echo"}');
    await peer.connection.closed;
    expect(peer.received).toMatchObject([{ id: 1, result: "ok" }]);
  });

  test("calls that last longer than the limit are cancelled", async () => {
    const signals: AbortSignal[] = [];
    const wait: Handler = (_, { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const peer = open({
      handlers: { Wait: wait, Watch: (_, { signal }) => countAndWait(1, signal) },
      limits: { drainMs: 30 },
    });
    peer.send(call(1, "Wait"), call(2, "Watch"));
    peer.input.end();
    await peer.connection.closed;
    expect(peer.received).toMatchObject([
      { params: { seq: 1 } },
      { id: 1, error: { code: -32000 } },
      { id: 2, error: { code: -32000 } },
    ]);
    expect(signals[0]!.aborted).toBe(true);
  });

  test("a connection on which nothing was said ends quietly", async () => {
    const peer = open({});
    peer.input.end();
    await peer.connection.closed;
    expect(peer.received).toEqual([]);
  });
});

test("a peer that stops reading ends everything quietly", async () => {
  const signals: AbortSignal[] = [];
  let writes = 0;
  const output = new Writable({
    write(_chunk, _encoding, callback) {
      callback(++writes < 2 ? null : Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    },
  });
  const wait: Handler = (_, { signal }) => {
    signals.push(signal);
    return new Promise(() => {});
  };
  const peer = open({ handlers: { Wait: wait, Echo: () => "ok" }, output });
  peer.send(call(1, "Wait"), call(2, "Echo"), call(3, "Echo"));
  await peer.connection.closed;
  expect(signals[0]!.aborted).toBe(true);
  expect(peer.input.destroyed).toBe(true);
  expect(peer.errors).toEqual([]);
});

test("input that breaks ends everything quietly", async () => {
  const peer = open({ handlers: { Wait: never } });
  peer.send(call(1, "Wait"));
  await sleep(5);
  peer.input.destroy(new Error("read ECONNRESET"));
  await peer.connection.closed;
  expect(peer.received).toEqual([]);
});

describe("close", () => {
  test("lets calls finish within the grace, and refuses new ones", async () => {
    const gate = Promise.withResolvers<string>();
    const peer = open({ handlers: { Wait: () => gate.promise } });
    peer.send(call(1, "Wait"));
    await sleep(5);
    const closing = peer.connection.close(2000);
    peer.send(call(2, "Wait"));
    expect(await peer.next()).toMatchObject({
      id: 2,
      error: { code: -32000, data: [{ reason: "SHUTTING_DOWN" }] },
    });
    gate.resolve("done");
    expect(await peer.next()).toMatchObject({ id: 1, result: "done" });
    await closing;
    expect(peer.answers.writableEnded).toBe(true);
  });

  test("answers calls that do not finish, and ends streams in good order", async () => {
    const peer = open({ handlers: { Wait: never, Watch: (_, { signal }) => countAndWait(1, signal) } });
    peer.send(call(1, "Wait"), call(2, "Watch"));
    expect(await peer.next()).toMatchObject({ params: { seq: 1 } });
    await peer.connection.close();
    expect(peer.received).toMatchObject([
      { id: 1, error: { data: [{ reason: "SHUTTING_DOWN" }] } },
      { id: 2, result: {} },
    ]);
  });
});
