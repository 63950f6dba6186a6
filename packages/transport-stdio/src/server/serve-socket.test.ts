import { chmod, mkdtemp, rename, rm, stat, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Dispatcher,
  LOCAL_PRINCIPAL,
  type StreamElement,
  type StreamFrame,
  success,
} from "@cleveragents/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connectSocket } from "../client/connect-socket.ts";
import { type ServeSocketOptions, serveSocket } from "./serve-socket.ts";

let root: string;
const closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "ca-"));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(root, { recursive: true, force: true });
});

async function* count(to: number): AsyncGenerator<StreamElement> {
  for (let seq = 1; seq <= to; seq++)
    yield { cursor: `t:${seq}`, seq, result: { statusUpdate: { taskId: "t", text: "x".repeat(1000) } } };
}

/** `Echo` answers its params, `Count` streams, everything else waits until nobody does. */
const dispatcher: Dispatcher = {
  async dispatch(message, context) {
    if (typeof message === "string" || message instanceof Uint8Array || message.kind !== "call")
      return { kind: "none" };
    const { id = null, method, params } = message.request;
    if (method === "Echo") return { kind: "one", response: success(id, params), serviceParameters: {} };
    if (method === "Count") {
      return {
        kind: "stream",
        id,
        elements: count(params as number),
        failed: () => success(id, "failed"),
        serviceParameters: {},
      };
    }
    await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
    return { kind: "none" };
  },
};

async function serve(more: Partial<ServeSocketOptions> = {}) {
  const server = await serveSocket({
    path: join(root, "run", "a.sock"),
    dispatcher,
    principal: LOCAL_PRINCIPAL,
    ...more,
  });
  closing.push(() => server.close());
  return server;
}

async function connect(path: string) {
  const transport = await connectSocket(path);
  closing.push(async () => await transport[Symbol.asyncDispose]());
  return transport;
}

const request = (id: number, method: string, params: unknown) =>
  ({ jsonrpc: "2.0", id, method, params }) as const;
const none = { serviceParameters: {} };

async function all(frames: AsyncIterable<StreamFrame>): Promise<StreamFrame[]> {
  const list: StreamFrame[] = [];
  for await (const frame of frames) list.push(frame);
  return list;
}

test("a client speaks to it, and a stream arrives whole and in order", async () => {
  const server = await serve();
  const transport = await connect(server.path);
  expect(await transport.request(request(1, "Echo", { text: "测试" }), none)).toEqual(
    success(1, { text: "测试" }),
  );
  const frames = await all(transport.stream(request(2, "Count", 3000), none));
  expect(frames.map((frame) => frame.cursor)).toEqual(
    Array.from({ length: 3000 }, (_, index) => `t:${index + 1}`),
  );
});

test("only this user can reach it", async () => {
  const server = await serve();
  expect((await stat(server.path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(root, "run"))).mode & 0o777).toBe(0o700);
});

test("a folder that others can enter, or that is none, is refused", async () => {
  await chmod(root, 0o755);
  await expect(serve({ path: join(root, "a.sock") })).rejects.toThrow(/chmod 700.* has mode 755/);
  await symlink(root, join(root, "link"));
  await expect(serve({ path: join(root, "link", "a.sock") })).rejects.toThrow(/must be a folder/);
});

test("a path that fits into no address is refused with its length", async () => {
  const path = join(root, "x".repeat(100), "a.sock");
  await expect(serve({ path })).rejects.toThrow(`at most 103 bytes; this one has ${path.length}`);
  await expect(connectSocket(path)).rejects.toThrow(/at most 103 bytes/);
});

test("it counts its connections and tells of each change", async () => {
  const onConnection = vi.fn();
  const server = await serve({ onConnection });
  const first = await connect(server.path);
  const second = await connect(server.path);
  await vi.waitFor(() => expect(server.connections).toBe(2));
  await first[Symbol.asyncDispose]();
  await second[Symbol.asyncDispose]();
  await vi.waitFor(() => expect(server.connections).toBe(0));
  expect(onConnection.mock.calls.map(([connections]) => connections)).toEqual([1, 2, 1, 0]);
});

test("it tells how many calls are open and how many there have been", async () => {
  const server = await serve({ limits: { drainMs: 50 } });
  const client = await connect(server.path);
  await client.request(request(1, "Echo", 1), none);
  expect(server.calls).toEqual({ open: 0, begun: 1 });
  const waiting = client.request(request(2, "Wait", {}), none).catch(() => {});
  await vi.waitFor(() => expect(server.calls).toEqual({ open: 1, begun: 2 }));
  await client[Symbol.asyncDispose]();
  await waiting;
  await vi.waitFor(() => expect(server.calls.open).toBe(0));
  expect(server.calls.begun).toBeGreaterThanOrEqual(2);
});

test("a client that dies without a word is noticed, and its calls are aborted", async () => {
  const server = await serve({ limits: { drainMs: 50 } });
  const transport = await connectSocket(server.path);
  const waiting = transport.request(request(1, "Wait", {}), none);
  const gone = expect(waiting).rejects.toMatchObject({ reason: "ABORTED" });
  await vi.waitFor(() => expect(server.connections).toBe(1));
  await transport[Symbol.asyncDispose]();
  await gone;
  await vi.waitFor(() => expect(server.connections).toBe(0));
});

test("closing answers what is in flight, lets the clients go and takes the socket away", async () => {
  const server = await serve();
  const transport = await connect(server.path);
  const waiting = transport.request(request(1, "Wait", {}), none);
  await vi.waitFor(() => expect(server.connections).toBe(1));
  await sleep(20);
  await server.close();
  expect(await waiting).toMatchObject({ error: { data: [{ reason: "SHUTTING_DOWN" }] } });
  await transport.closed;
  expect(server.connections).toBe(0);
  await expect(connectSocket(server.path)).rejects.toMatchObject({
    reason: "NOT_CONNECTED",
    cause: { code: "ENOENT" },
  });
});

test("a socket that a dead process left is replaced, one that somebody answers on is not", async () => {
  const server = await serve();
  await expect(serve()).rejects.toThrow(/another process listens on/);
  const transport = await connect(server.path);
  expect(await transport.request(request(1, "Echo", 1), none)).toEqual(success(1, 1));

  const path = join(root, "run", "b.sock");
  await leaveSocketBehind(path);
  await expect(connectSocket(path)).rejects.toMatchObject({
    reason: "NOT_CONNECTED",
    cause: { code: "ECONNREFUSED" },
  });
  const next = await serve({ path });
  const again = await connect(next.path);
  expect(await again.request(request(1, "Echo", 2), none)).toEqual(success(1, 2));
});

/** A socket file whose listener is gone: its name is moved away before the listener removes it. */
async function leaveSocketBehind(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(`${path}.tmp`, resolve));
  await rename(`${path}.tmp`, path);
  await new Promise((resolve) => server.close(resolve));
}
