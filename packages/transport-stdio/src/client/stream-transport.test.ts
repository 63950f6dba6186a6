import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  encodeFrame,
  FrameDecoder,
  type StdioFraming,
  type StreamFrame,
  type TransportError,
} from "@cleveragents/protocol";
import { describe, expect, test, vi } from "vitest";
import { createStreamTransport } from "./stream-transport.ts";

interface Sent {
  readonly method?: string;
  readonly id?: unknown;
  readonly params?: unknown;
}

/** A transport whose peer is written by hand. */
function open(framing?: StdioFraming) {
  const toPeer = new PassThrough();
  const fromPeer = new PassThrough();
  const transport = createStreamTransport({ input: fromPeer, output: toPeer, framing });
  const decoder = new FrameDecoder();
  const sent: Sent[] = [];
  toPeer.on("data", (chunk: Uint8Array) => {
    decoder.push(chunk);
    for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) {
      sent.push(JSON.parse(new TextDecoder().decode(frame)));
    }
  });
  return {
    transport,
    toPeer,
    fromPeer,
    sent,
    decoder,
    say: (...messages: unknown[]) => {
      for (const message of messages)
        fromPeer.write(encodeFrame(framing ?? "length", JSON.stringify(message)));
    },
  };
}

const request = (id: string | number | null, method = "Echo") =>
  ({ jsonrpc: "2.0", id, method, params: {} }) as const;
const none = { serviceParameters: {} };
const answer = (id: unknown, result: unknown) => ({ jsonrpc: "2.0", id, result });
const element = (id: unknown, seq: number, result: unknown = { statusUpdate: { taskId: "t" } }) => ({
  jsonrpc: "2.0",
  method: "$/stream",
  params: { id, seq, result },
});
const failing = (reason: TransportError["reason"], message: string | RegExp = /./) =>
  expect.objectContaining({ reason, message: expect.stringMatching(message) });
async function all(frames: AsyncIterable<StreamFrame>): Promise<StreamFrame[]> {
  const list: StreamFrame[] = [];
  for await (const frame of frames) list.push(frame);
  return list;
}

test("requests leave with a length and their service parameters", async () => {
  const { transport, say, sent, decoder } = open();
  const response = transport.request(request(1), { serviceParameters: { "A2A-Version": "1.0" } });
  say(answer(1, "ok"));
  expect(await response).toEqual(answer(1, "ok"));
  expect(sent).toEqual([{ ...request(1), a2a: { "A2A-Version": "1.0" } }]);
  expect(decoder.framing).toBe("length");
});

test("each answer finds its request, in any order; 0 and the empty string are ids", async () => {
  const { transport, say } = open();
  const both = Promise.all([transport.request(request(0), none), transport.request(request(""), none)]);
  say(answer("", "b"), answer(99, "nobody's"), { jsonrpc: "2.0", method: "$/other" }, answer(0, "a"));
  expect(await both).toMatchObject([{ result: "a" }, { result: "b" }]);
});

test("errors, and null beside a result, are handed on as they are", async () => {
  const { transport, say } = open();
  const both = Promise.all([transport.request(request(1), none), transport.request(request(2), none)]);
  const error = { code: -32001, message: "no" };
  say({ jsonrpc: "2.0", id: 1, error }, { jsonrpc: "2.0", id: 2, result: null, error: null });
  expect(await both).toMatchObject([{ error }, { result: null }]);
});

test("a notification is sent, and nothing waits for an answer", async () => {
  const { transport, sent } = open();
  expect(await transport.request({ jsonrpc: "2.0", method: "Note" }, none)).toEqual(answer(null, null));
  await vi.waitFor(() => expect(sent).toEqual([{ jsonrpc: "2.0", method: "Note" }]));
});

test("an id that is in flight is a mistake of the caller", async () => {
  const { transport } = open();
  void transport.request(request(1), none).catch(() => {});
  await expect(transport.request(request(1), none)).rejects.toThrow(/id 1 is still in flight/);
});

describe("a malformed answer", () => {
  test.each([
    [{ jsonrpc: "2.0", id: 1 }, /neither result nor error/],
    [{ jsonrpc: "2.0", id: 1, error: "no" }, /no code or message/],
    [answer("1", "ok"), /id "1" where the request has 1/],
  ])("like %j fails the call that it belongs to, and no other", async (malformed, message) => {
    const { transport, say } = open();
    const first = transport.request(request(1), none);
    const second = transport.request(request(2), none);
    say(malformed, answer(2, "ok"));
    await expect(first).rejects.toEqual(failing("BAD_RESPONSE", message));
    expect(await second).toMatchObject({ result: "ok" });
  });

  test("in a stream fails it and tells the peer to stop", async () => {
    const { transport, say, sent } = open();
    const frames = all(transport.stream(request(1), none));
    say({ jsonrpc: "2.0", method: "$/stream", params: { id: 1 } });
    await expect(frames).rejects.toEqual(failing("BAD_RESPONSE", /no seq or result/));
    await vi.waitFor(() =>
      expect(sent.at(-1)).toMatchObject({ method: "$/cancelRequest", params: { id: 1 } }),
    );
  });

  test("that is no message at all fails every call", async () => {
    const { transport, fromPeer } = open();
    const response = transport.request(request(1), none);
    fromPeer.write("Hello! Warming up…\n");
    await expect(response).rejects.toEqual(failing("BAD_RESPONSE", /not with "H"/));
    await expect(transport.request(request(2), none)).rejects.toEqual(failing("BAD_RESPONSE"));
  });

  test("on a line of its own is skipped: agents print", async () => {
    const { transport, say, fromPeer } = open("newline");
    const response = transport.request(request(1), none);
    fromPeer.write("Hello! Warming up…\n");
    say(answer(1, "ok"));
    expect(await response).toMatchObject({ result: "ok" });
  });
});

describe("a stream", () => {
  test("gives its elements with their cursors, and ends with the response", async () => {
    const { transport, say } = open();
    const frames = all(transport.stream(request(7), none));
    say(
      element(7, 1, { task: { id: "t" } }),
      element(8, 1),
      element(7, 2),
      element(7, 3, { message: {} }),
      answer(7, {}),
    );
    expect(await frames).toEqual([
      { cursor: "t:1", response: answer(7, { task: { id: "t" } }) },
      { cursor: "t:2", response: answer(7, { statusUpdate: { taskId: "t" } }) },
      { cursor: undefined, response: answer(7, { message: {} }) },
    ]);
  });

  test("that is refused is one frame with the error", async () => {
    const { transport, say } = open();
    const frames = all(transport.stream(request(7), none));
    const refusal = { jsonrpc: "2.0", id: 7, error: { code: -32001, message: "no" } };
    say(refusal);
    expect(await frames).toEqual([{ response: refusal }]);
  });

  test("runs beside others and beside requests", async () => {
    const { transport, say } = open();
    const streams = Promise.all([
      all(transport.stream(request(1), none)),
      all(transport.stream(request(2), none)),
    ]);
    const response = transport.request(request(3), none);
    say(element(2, 1), element(1, 1), element(2, 2), answer(3, "ok"), answer(2, {}), answer(1, {}));
    expect((await streams).map((frames) => frames.length)).toEqual([1, 2]);
    expect(await response).toMatchObject({ result: "ok" });
  });

  test("that is left early is cancelled, and its late answer is nobody's", async () => {
    const { transport, say, sent } = open();
    say(element(0, 1), element(0, 2));
    const left = (async () => {
      for await (const _ of transport.stream(request(0), none)) break;
    })();
    await left;
    await vi.waitFor(() =>
      expect(sent.slice(1)).toEqual([{ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: 0 } }]),
    );
    say({ jsonrpc: "2.0", id: 0, error: { code: -32000, message: "cancelled" } });
    const response = transport.request(request(1), none);
    say(answer(1, "ok"));
    expect(await response).toMatchObject({ result: "ok" });
  });

  test("that has ended is not cancelled", async () => {
    const { transport, say, sent } = open();
    const frames = all(transport.stream(request(0), none));
    say(answer(0, {}));
    await frames;
    await sleep(5);
    expect(sent).toHaveLength(1);
  });
});

describe("a slow reader of a stream", () => {
  const large = "x".repeat(10_000);

  test("is felt by the peer, and loses nothing", async () => {
    const { transport, say, fromPeer } = open();
    const stream = transport.stream(request(1), none)[Symbol.asyncIterator]();
    const first = stream.next();
    for (let seq = 1; seq <= 200; seq++) say(element(1, seq, large));
    say(answer(1, {}));
    await first;
    await sleep(20);
    // 2 MB came; the stream keeps a quarter of a megabyte of it, the rest stays with the connection.
    expect(fromPeer.readableLength + fromPeer.writableLength).toBeGreaterThan(1_400_000);
    let count = 1;
    while ((await stream.next()).done !== true) count++;
    expect(count).toBe(200);
  });

  test("holds up no answer that its own caller waits for", async () => {
    const { transport, say } = open();
    const stream = transport.stream(request(1), none)[Symbol.asyncIterator]();
    const first = stream.next();
    for (let seq = 1; seq <= 200; seq++) say(element(1, seq, large));
    await first;
    const response = transport.request(request(2), none);
    say(answer(2, "ok"));
    expect(await response).toMatchObject({ result: "ok" });
  });

  test("is given up when it is far behind and others wait; what was kept is still read", async () => {
    const { transport, say, sent } = open();
    const stream = transport.stream(request(1), none)[Symbol.asyncIterator]();
    const first = stream.next();
    const response = transport.request(request(2), none);
    const huge = "x".repeat(1_000_000);
    for (let seq = 1; seq <= 20; seq++) say(element(1, seq, huge));
    say(answer(2, "ok"));
    await first;
    expect(await response).toMatchObject({ result: "ok" });
    await vi.waitFor(() =>
      expect(sent.at(-1)).toMatchObject({ method: "$/cancelRequest", params: { id: 1 } }),
    );
    let count = 1;
    const rest = async () => {
      while ((await stream.next()).done !== true) count++;
    };
    await expect(rest()).rejects.toEqual(failing("CONNECTION_LOST", /too slowly/));
    expect(count).toBeGreaterThan(10);
  });
});

describe("an abort", () => {
  test("ends a request and tells the peer", async () => {
    const { transport, sent } = open();
    const controller = new AbortController();
    const response = transport.request(request(0), { ...none, signal: controller.signal });
    controller.abort();
    await expect(response).rejects.toEqual(failing("ABORTED"));
    await vi.waitFor(() =>
      expect(sent.at(-1)).toMatchObject({ method: "$/cancelRequest", params: { id: 0 } }),
    );
  });

  test("ends a stream at once, with what it still held", async () => {
    const { transport, say, sent } = open();
    const controller = new AbortController();
    const stream = transport
      .stream(request(0), { ...none, signal: controller.signal })
      [Symbol.asyncIterator]();
    const first = stream.next();
    say(element(0, 1), element(0, 2));
    await first;
    await sleep(5);
    controller.abort();
    await expect(stream.next()).rejects.toEqual(failing("ABORTED"));
    await vi.waitFor(() => expect(sent.filter((m) => m.method === "$/cancelRequest")).toHaveLength(1));
  });

  test("that came before sends nothing", async () => {
    const { transport, sent } = open();
    await expect(transport.request(request(0), { ...none, signal: AbortSignal.abort() })).rejects.toEqual(
      failing("ABORTED"),
    );
    await sleep(5);
    expect(sent).toEqual([]);
  });
});

describe("the end of the connection", () => {
  test("fails everything that waits, after what a stream still held", async () => {
    const { transport, say, fromPeer } = open();
    const response = transport.request(request(1), none);
    const stream = transport.stream(request(2), none)[Symbol.asyncIterator]();
    const first = stream.next();
    say(element(2, 1), element(2, 2));
    fromPeer.end();
    await expect(response).rejects.toEqual(failing("CONNECTION_LOST"));
    expect(await first).toMatchObject({ value: { cursor: "t:1" } });
    expect(await stream.next()).toMatchObject({ value: { cursor: "t:2" } });
    await expect(stream.next()).rejects.toEqual(failing("CONNECTION_LOST"));
    await expect(transport.request(request(3), none)).rejects.toEqual(failing("CONNECTION_LOST"));
    expect(transport.isOpen).toBe(false);
  });

  test("quotes what the peer said to nobody before it", async () => {
    const { transport, say, fromPeer } = open();
    const both = Promise.allSettled([
      transport.request(request(1), none),
      transport.request(request(2), none),
    ]);
    say({ jsonrpc: "2.0", id: null, error: { code: -32000, message: "a message may have at most 5 bytes" } });
    fromPeer.end();
    const reason = failing("CONNECTION_LOST", /at most 5 bytes/);
    expect(await both).toEqual([
      { status: "rejected", reason },
      { status: "rejected", reason },
    ]);
  });

  test("with an error for nobody is the answer of the only call", async () => {
    const { transport, say } = open();
    const response = transport.request(request(1), none);
    say({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "what?" } });
    expect(await response).toMatchObject({ id: null, error: { code: -32700 } });
  });

  test("by an output that breaks fails what waits", async () => {
    const { transport, toPeer } = open();
    const response = transport.request(request(1), none);
    toPeer.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    await expect(response).rejects.toEqual(failing("CONNECTION_LOST"));
  });

  test("from this side cancels what waits, and ends both streams", async () => {
    const { transport, toPeer, fromPeer, sent } = open();
    const response = transport.request(request(1), none);
    response.catch(() => {});
    await transport[Symbol.asyncDispose]();
    await expect(response).rejects.toEqual(failing("ABORTED"));
    await expect(transport.request(request(2), none)).rejects.toEqual(failing("NOT_CONNECTED"));
    await vi.waitFor(() =>
      expect(sent.at(-1)).toMatchObject({ method: "$/cancelRequest", params: { id: 1 } }),
    );
    expect([toPeer.writableEnded, fromPeer.destroyed]).toEqual([true, true]);
  });
});
