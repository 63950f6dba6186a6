import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeFrame, FrameDecoder, success } from "@cleveragents/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connectOwner } from "./connect-owner.ts";
import { writeDiscovery } from "./discovery.ts";

let dataDir: string;
const owners: { server: Server; sockets: Set<Socket> }[] = [];
let clients: AsyncDisposable[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "ca-"));
});
afterEach(async () => {
  for (const client of clients) await client[Symbol.asyncDispose]();
  clients = [];
  for (const owner of owners.splice(0)) stop(owner);
  await rm(dataDir, { recursive: true, force: true });
});

/** An owner that answers every request with its own name. */
async function startNamed(name: string) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const decoder = new FrameDecoder();
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      decoder.push(chunk);
      for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) {
        const { id, method } = JSON.parse(new TextDecoder().decode(frame));
        if (method !== "Wait") socket.write(encodeFrame("length", JSON.stringify(success(id, name))));
      }
    });
  });
  const socket = join(dataDir, `${name}.sock`);
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  await writeDiscovery(dataDir, {
    version: 1,
    pid: 1,
    started_at: "now",
    product_version: "0",
    socket,
    token: "t",
  });
  const owner = { server, sockets };
  owners.push(owner);
  return owner;
}

function stop({ server, sockets }: (typeof owners)[number]): void {
  server.close();
  for (const socket of sockets) socket.destroy();
}

async function connect(start: (() => Promise<unknown>) | undefined, timeoutMs = 5000) {
  const startOwner =
    start &&
    (async () => {
      await start();
      return undefined;
    });
  const client = await connectOwner({ dataDir, startOwner, timeoutMs });
  clients.push(client);
  return {
    ask: async (id: number, method = "Name") => {
      const response = await client.request({ jsonrpc: "2.0", id, method }, { serviceParameters: {} });
      return "result" in response ? response.result : response.error;
    },
  };
}

test("an owner that is there is used, and none is started", async () => {
  await startNamed("a");
  const start = vi.fn(async () => {});
  const client = await connect(start);
  expect(await client.ask(1)).toBe("a");
  expect(start).not.toHaveBeenCalled();
});

test("an owner is started when none answers, however long it takes to listen", async () => {
  const start = vi.fn(async () => {
    setTimeout(() => void startNamed("b"), 150);
  });
  const client = await connect(start);
  expect(await client.ask(1)).toBe("b");
  expect(start).toHaveBeenCalledOnce();
});

test("addresses that a dead owner left do not keep another from being started", async () => {
  stop(await startNamed("dead"));
  const client = await connect(async () => void (await startNamed("c")));
  expect(await client.ask(1)).toBe("c");
});

test("without leave to start one, no owner is an error at once", async () => {
  await expect(connect(undefined)).rejects.toMatchObject({
    reason: "NOT_CONNECTED",
    message: `no owner serves ${dataDir}`,
  });
});

test("an owner that never answers is told with the place of its log, and why it did not start", async () => {
  const cause = new Error("spawn ENOENT");
  const failed = connect(() => Promise.reject(cause), 60);
  await expect(failed).rejects.toMatchObject({
    reason: "NOT_CONNECTED",
    message: `no owner of ${dataDir} answered within 60 ms; see its log, ${join(dataDir, "owner.log")}`,
    cause,
  });
  await expect(connect(() => new Promise(() => {}), 60)).rejects.toMatchObject({ reason: "NOT_CONNECTED" });
});

test("a lost owner fails what was in flight, and the next call starts another", async () => {
  const first = await startNamed("first");
  const start = vi.fn(async () => void (await startNamed("second")));
  const client = await connect(start);
  expect(await client.ask(1)).toBe("first");
  const waiting = client.ask(2, "Wait");
  const lost = expect(waiting).rejects.toMatchObject({ reason: "CONNECTION_LOST" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  stop(first);
  await lost;
  expect(await Promise.all([client.ask(3), client.ask(4)])).toEqual(["second", "second"]);
  expect(start).toHaveBeenCalledOnce();
});

test("an owner that is slow to come up is waited for, and another started only when it is gone", async () => {
  const slow = Promise.withResolvers<void>();
  const starts: string[] = [];
  const startOwner = async () => {
    starts.push(starts.length === 0 ? "slow" : "next");
    if (starts.length === 1) return { ended: slow.promise };
    await startNamed("d");
    return { ended: new Promise<void>(() => {}) };
  };
  const connected = connectOwner({ dataDir, startOwner, timeoutMs: 5000, startAgainMs: 10 });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(starts).toEqual(["slow"]);
  slow.resolve();
  clients.push(await connected);
  expect(starts).toEqual(["slow", "next"]);
});
