import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type CallContext,
  type DispatchAnswer,
  failure,
  parseMessage,
  SseDecoder,
  type StreamElement,
  success,
} from "@cleveragents/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpServer, type HttpServer } from "./create-http-server.ts";
import type { HttpServerOptions } from "./http-server-options.ts";

type Elements = (context: CallContext) => AsyncIterable<StreamElement>;

const element = (seq: number, result: unknown = { n: seq }): StreamElement => ({
  cursor: `t:${seq}`,
  seq,
  result,
});
const servers = new Set<HttpServer>();
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all([...servers].map((server) => server.close(0)));
  servers.clear();
  sockets.clear();
});

/** A server whose every call is answered by this stream. */
async function serve(elements: Elements, options: Partial<HttpServerOptions> = {}) {
  const contexts: CallContext[] = [];
  const server = createHttpServer({
    dispatcher: {
      async dispatch(message, context): Promise<DispatchAnswer> {
        contexts.push(context);
        const parsed = parseMessage(message as Uint8Array);
        const id = parsed.kind === "call" ? (parsed.request.id ?? null) : null;
        if (parsed.kind === "call" && parsed.request.method === "Unary") {
          await sleep(100);
          return { kind: "one", response: success(id, "done"), serviceParameters: {} };
        }
        const failed = (thrown: unknown) => failure(id, { code: -32001, message: (thrown as Error).message });
        return {
          kind: "stream",
          id,
          elements: elements(context),
          failed,
          serviceParameters: { "a2a-extensions": "urn:x" },
        };
      },
    },
    authenticator: undefined,
    card: () => ({}) as never, // never asked for
    probes: { service: "s", version: "1", ready: async () => ({ ready: true, checks: {} }) },
    allowedHosts: [],
    ...options,
  });
  servers.add(server);
  const { port, url } = await server.listen({ host: "127.0.0.1", port: 0 });
  const subscribe = (id: unknown = 1, method = "Subscribe") =>
    fetch(`${url}/a2a`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id, method }),
    });
  /** A socket that has asked for a stream, for readers that behave badly. */
  const dial = async (method = "Subscribe") => {
    const socket = connect(port, "127.0.0.1");
    sockets.add(socket);
    socket.on("error", () => {});
    socket.write(requestText(method));
    return socket;
  };
  return { server, url, subscribe, dial, contexts };
}

function requestText(method: string): string {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method });
  return `POST /a2a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 15_000; !condition(); await sleep(2))
    if (Date.now() > end) throw new Error("waited in vain");
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve()),
  );
}

/** One element, then silence until nobody listens. */
const oneThenSilence: Elements = async function* ({ signal }) {
  yield element(1);
  await aborted(signal);
};

describe("a stream over HTTP", () => {
  it("is one event per element: the cursor as id, the answer on one data line, the request's id in it", async () => {
    const { subscribe } = await serve(async function* () {
      yield element(1, { text: "a\r\nb\rc\nd" });
      yield element(2);
    });
    const response = await subscribe("x");
    expect(await response.text()).toBe(
      'id: t:1\ndata: {"jsonrpc":"2.0","id":"x","result":{"text":"a\\r\\nb\\rc\\nd"}}\n\n' +
        'id: t:2\ndata: {"jsonrpc":"2.0","id":"x","result":{"n":2}}\n\n',
    );
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
      "a2a-extensions": "urn:x",
    });
  });

  it("has an element that is a notification under its own name, as itself", async () => {
    const { subscribe } = await serve(async function* () {
      yield { ...element(1, { taskId: "t" }), cursor: "opaque", event: "task/statusUpdate" };
    });
    expect(await (await subscribe("x")).text()).toBe(
      'event: task/statusUpdate\nid: opaque\ndata: {"jsonrpc":"2.0","method":"task/statusUpdate","params":{"taskId":"t"}}\n\n',
    );
  });

  it.each([0, "", null])("carries the id %j unchanged", async (id) => {
    const { subscribe } = await serve(async function* () {
      yield element(1);
    });
    expect(await (await subscribe(id)).text()).toContain(`"id":${JSON.stringify(id)},`);
  });

  it("that is refused at its first element is an ordinary JSON answer", async () => {
    // biome-ignore lint/correctness/useYield: a refusal has no element
    const { subscribe, server } = await serve(async function* () {
      throw new Error("Task not found");
    });
    const response = await subscribe();
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "application/json; charset=utf-8",
    ]);
    expect(await response.json()).toEqual(failure(1, { code: -32001, message: "Task not found" }));
    expect(server.activeStreams).toBe(0);
  });

  it("that fails later ends with the error as its last event, without a cursor", async () => {
    const { subscribe } = await serve(async function* () {
      yield element(1);
      throw new Error("late");
    });
    const text = await (await subscribe()).text();
    expect(text.split("\n\n").slice(1)).toEqual([
      'data: {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"late"}}',
      "",
    ]);
  });

  it("that cannot be written as JSON ends with an error too", async () => {
    const { subscribe } = await serve(async function* () {
      yield element(1);
      yield element(2, 1n);
    });
    expect(await (await subscribe()).text()).toContain('"error":{"code":-32001');
  });

  it("sends an element at once, without waiting for the next", async () => {
    const { subscribe } = await serve(oneThenSilence);
    const reader = (await subscribe()).body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toMatch(/^id: t:1\n.*\n\n$/s);
    await reader.cancel();
  });

  it("of 1,000 elements made in one tick arrives whole, in order, in few writes", async () => {
    const { subscribe } = await serve(async function* () {
      for (let i = 1; i <= 1000; i++) yield element(i, { text: "x".repeat(200) });
    });
    const decoder = new SseDecoder();
    const ids: (string | undefined)[] = [];
    for await (const chunk of (await subscribe()).body!)
      ids.push(...decoder.push(chunk).map((event) => event.id));
    expect(ids).toEqual(Array.from({ length: 1000 }, (_, i) => `t:${i + 1}`));
  });

  it("says something every heartbeat while it has nothing to say, by comments only", async () => {
    const { subscribe } = await serve(oneThenSilence, { heartbeatMs: 20 });
    const reader = (await subscribe()).body!.getReader();
    let text = "";
    while (text.split(": heartbeat\n\n").length < 4)
      text += new TextDecoder().decode((await reader.read()).value);
    expect(text.replace(/^id: t:1\ndata: .*\n\n/, "").replaceAll(": heartbeat\n\n", "")).toBe("");
    await reader.cancel();
  });

  it("begins after one heartbeat even without a first element, so that proxies keep it", async () => {
    const begun = Promise.withResolvers<void>();
    const { subscribe } = await serve(
      async function* () {
        await begun.promise;
        yield element(1);
      },
      { heartbeatMs: 20 },
    );
    const response = await subscribe();
    begun.resolve();
    expect(await response.text()).toMatch(/^(: heartbeat\n\n)+id: t:1\n/);
  });
});

describe("a reader", () => {
  it("that leaves aborts the signal and ends the iterator", async () => {
    let returned = false;
    const { dial, server, contexts } = await serve(async function* ({ signal }) {
      try {
        yield element(1);
        await aborted(signal);
        yield element(2);
      } finally {
        returned = true;
      }
    });
    const socket = await dial();
    await until(() => server.activeStreams === 1);
    expect(contexts[0]?.signal.aborted).toBe(false);
    socket.destroy();
    await until(() => returned);
    expect(contexts[0]?.signal.aborted).toBe(true);
    expect(server.activeStreams).toBe(0);
  });

  it("that leaves before the first element is not waited for either, even if the iterator hangs", async () => {
    const { dial, server } = await serve(() => ({
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
    }));
    const socket = await dial();
    await until(() => server.activeStreams === 1);
    socket.destroy();
    await until(() => server.activeStreams === 0);
  });

  it("that leaves during a call aborts that call's signal; one that stays does not", async () => {
    const { subscribe, dial, contexts } = await serve(oneThenSilence);
    await (await subscribe(1, "Unary")).text();
    const leaving = await dial("Unary");
    await until(() => contexts.length === 2);
    const signals = contexts.map(({ signal }) => signal);
    leaving.destroy();
    await until(() => signals[1]?.aborted === true);
    expect(signals[0]?.aborted).toBe(false);
  });

  it("that does not read stops the pulling, and gets everything once it reads", async () => {
    let pulled = 0;
    const total = 1500;
    const text = "x".repeat(16 * 1024);
    const { dial } = await serve(async function* () {
      for (; pulled < total; ) yield element(++pulled, { text });
    });
    const socket = await dial();
    socket.pause();
    await until(() => pulled > 0);
    let before = -1;
    for (; before !== pulled; await sleep(200)) before = pulled;
    // 24 MB in all; the kernel's socket buffers take some, we hold one piece.
    expect(pulled).toBeLessThan((total * 2) / 3);
    const decoder = new SseDecoder();
    let lastId: string | undefined;
    socket.on("data", (bytes: Buffer) => {
      lastId = decoder.push(bytes).at(-1)?.id ?? lastId; // chunk sizes between the lines only spoil data
    });
    socket.resume();
    await until(() => lastId === `t:${total}`);
    expect(pulled).toBe(total);
  });

  it("that takes nothing for too long is cut off, others are not", async () => {
    let returned = false;
    let started = 0;
    const { dial, server } = await serve(
      async function* ({ signal }) {
        if (++started === 1) {
          yield element(1);
          return await aborted(signal);
        }
        try {
          for (let i = 1; ; i++) yield element(i, { text: "x".repeat(64 * 1024) });
        } finally {
          returned = true;
        }
      },
      { limits: { stallMs: 100 } },
    );
    await dial();
    await until(() => server.activeStreams === 1);
    (await dial()).pause();
    await until(() => returned);
    expect(server.activeStreams).toBe(1);
  });

  it("of an endless stream does not keep others from being served", async () => {
    const { subscribe, url } = await serve(async function* () {
      for (let i = 1; ; i++) yield element(i);
    });
    const reader = (await subscribe()).body!.getReader();
    let reading = true;
    const drain = (async () => {
      while (reading) await reader.read();
    })();
    expect((await fetch(`${url}/health`)).status).toBe(200);
    reading = false;
    await drain;
    await reader.cancel();
  });
});

describe("a server that closes", () => {
  it("ends 200 streams at once, each on an event boundary with a hint to come back", async () => {
    const { server, subscribe, contexts } = await serve(oneThenSilence);
    const responses = await Promise.all(Array.from({ length: 200 }, () => subscribe()));
    expect(server.activeStreams).toBe(200);
    const bodies = responses.map((response) => response.text());
    const started = Date.now();
    await server.close(10_000);
    expect(Date.now() - started).toBeLessThan(8000);
    for (const body of await Promise.all(bodies))
      expect(body).toMatch(/^id: t:1\ndata: .*\n\nretry: 250\n\n$/);
    expect(contexts.every(({ signal }) => signal.aborted)).toBe(true);
    expect(server.activeStreams).toBe(0);
  });

  it("refuses a stream that has no first element yet, in JSON", async () => {
    const { server, subscribe } = await serve(async function* ({ signal }) {
      await aborted(signal);
      yield element(1);
    });
    const asking = subscribe();
    await until(() => server.activeStreams === 1);
    const closing = server.close(10_000);
    const response = await asking;
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await response.json()).toMatchObject({
      id: null,
      error: { code: -32000, data: [{ reason: "SHUTTING_DOWN" }] },
    });
    await closing;
  });

  it("lets a call in flight finish, then does not wait for its connection", async () => {
    const { server, subscribe, contexts } = await serve(oneThenSilence);
    const asking = subscribe(1, "Unary");
    await until(() => contexts.length === 1);
    const started = Date.now();
    const closing = server.close(10_000);
    expect(await (await asking).json()).toEqual(success(1, "done"));
    await closing;
    expect(Date.now() - started).toBeLessThan(8000);
  });

  it("answers 503 to a late request on an open connection, and is not ready", async () => {
    const { server, dial, contexts } = await serve(oneThenSilence);
    const late = await Promise.all([dial("Unary"), dial("Unary")]);
    const answers = ["", ""];
    for (const [i, socket] of late.entries()) {
      socket.setEncoding("latin1").on("data", (data: string) => {
        answers[i] += data;
      });
    }
    await until(() => contexts.length === 2);
    const closing = server.close(5000);
    await sleep(10);
    late[0]?.write(requestText("Unary"));
    late[1]?.write("GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await closing;
    await until(() => late.every((socket) => socket.closed));
    expect(answers[0]).toMatch(/"result":"done".*HTTP\/1\.1 503.*retry-after: 1.*SHUTTING_DOWN/is);
    expect(answers[1]).toMatch(/"result":"done".*HTTP\/1\.1 503.*"ready":false/is);
    expect(contexts).toHaveLength(2);
  });

  it("lets a slow reader have what was written for it, and the hint", async () => {
    const { server, dial } = await serve(async function* () {
      for (let i = 1; ; i++) yield element(i, { text: "x".repeat(64 * 1024) });
    });
    const socket = await dial();
    socket.pause();
    await until(() => server.activeStreams === 1);
    await sleep(200);
    const closing = server.close(10_000);
    await sleep(100);
    let tail = "";
    socket.setEncoding("latin1").on("data", (data: string) => {
      tail = (tail + data).slice(-100);
    });
    socket.resume();
    await closing;
    await until(() => socket.closed);
    expect(tail).toMatch(/x"\}\}\n\n(\r\n.*\r\n)?retry: 250\n\n\r\n0\r\n\r\n$/);
  });

  it("does not wait for a connection that never asked for anything", async () => {
    const { server, url } = await serve(oneThenSilence);
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    sockets.add(socket);
    socket.on("error", () => {});
    await once(socket, "connect");
    const started = Date.now();
    await server.close(10_000);
    expect(Date.now() - started).toBeLessThan(8000);
  });

  it("cuts off what is left after its grace", async () => {
    const { server, dial } = await serve(async function* () {
      for (let i = 1; ; i++) yield element(i, { text: "x".repeat(64 * 1024) });
    });
    (await dial()).pause();
    await sleep(100);
    const started = Date.now();
    await server.close(200);
    expect(Date.now() - started).toBeLessThan(8000);
  });

  it("throws EADDRINUSE as it is and can listen elsewhere then", async () => {
    const { url } = await serve(oneThenSilence);
    const taken = Number(new URL(url).port);
    const second = createHttpServer({
      dispatcher: { dispatch: async () => ({ kind: "none" }) },
      authenticator: undefined,
      card: () => ({}) as never, // never asked for
      probes: { service: "s", version: "1", ready: async () => ({ ready: true, checks: {} }) },
      allowedHosts: [],
    });
    servers.add(second);
    await expect(second.listen({ host: "127.0.0.1", port: taken })).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
    const { port } = await second.listen({ host: "127.0.0.1", port: 0 });
    expect((await fetch(`http://127.0.0.1:${port}/live`)).status).toBe(200);
  });
});
