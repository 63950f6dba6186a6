import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Dispatcher, encodeFrame, LOCAL_PRINCIPAL, success } from "@cleveragents/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serveSocket } from "../../server/serve-socket.ts";
import { createStreamTransport } from "../stream-transport.ts";
import { openOwner } from "./open-owner.ts";

let root: string;
const closing: (() => void)[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "ca-"));
});
afterEach(async () => {
  for (const close of closing.splice(0)) close();
  await rm(root, { recursive: true, force: true });
});

async function listen(accept: (socket: Socket) => void): Promise<string> {
  const path = join(root, "a.sock");
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    accept(socket.on("error", () => {}));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return path;
}

test("an owner that answers is handed over with nothing of the question left, whatever it serves", async () => {
  const dispatcher: Dispatcher = {
    dispatch: async (message) => {
      const isCall = typeof message === "object" && "kind" in message && message.kind === "call";
      const id = isCall ? (message.request.id ?? null) : null;
      return { kind: "one", response: success(id, "served"), serviceParameters: {} };
    },
  };
  const server = await serveSocket({
    path: join(root, "run", "o.sock"),
    dispatcher,
    principal: LOCAL_PRINCIPAL,
  });
  const socket = await openOwner(server.path);
  const transport = createStreamTransport({ input: socket, output: socket });
  const asked = transport.request({ jsonrpc: "2.0", id: "$/ping", method: "X" }, { serviceParameters: {} });
  expect(await asked).toMatchObject({ result: "served" });
  await transport[Symbol.asyncDispose]();
  await server.close();
});

test("an answer that comes in pieces is waited for", async () => {
  const path = await listen((socket) => {
    const [first, ...rest] = encodeFrame("length", "{}");
    socket.write(Uint8Array.of(first ?? 0));
    setTimeout(() => socket.write(Uint8Array.from(rest)), 20);
  });
  (await openOwner(path)).destroy();
});

test("who hangs up, or speaks of something else, is no owner", async () => {
  for (const word of ["", "220 hello\r\n"]) {
    const path = await listen((socket) => socket.end(word));
    await expect(openOwner(path)).rejects.toMatchObject({ reason: "NOT_CONNECTED" });
    for (const close of closing.splice(0)) close();
    await rm(path, { force: true });
  }
});

test("who takes the connection and says nothing is told from nobody, in bounded time", async () => {
  const path = await listen(() => {});
  await expect(openOwner(path, 50)).rejects.toMatchObject({
    reason: "TIMEOUT",
    message: `who listens on ${path} has not answered within 50 ms`,
  });
});
