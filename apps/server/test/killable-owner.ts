import { mkdtemp, realpath, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Dispatcher, LOCAL_PRINCIPAL } from "@cleveragents/protocol";
import { writeDiscovery } from "@cleveragents/transport-stdio/client";
import { serveConnection } from "@cleveragents/transport-stdio/server";

/** Owners one after the other before the same product; what a kill takes along are the connections. */
export class KillableOwner implements AsyncDisposable {
  readonly dataDir: string;
  readonly path: string;
  readonly #dispatcher: Dispatcher;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  static async start(dispatcher: Dispatcher): Promise<KillableOwner> {
    const dataDir = await realpath(await mkdtemp(join(tmpdir(), "cleveragents-owner-")));
    const owner = new KillableOwner(dispatcher, dataDir);
    await owner.start();
    await writeDiscovery(dataDir, {
      version: 1,
      pid: process.pid,
      started_at: new Date().toISOString(),
      product_version: "0",
      socket: owner.path,
      token: "t",
    });
    return owner;
  }

  private constructor(dispatcher: Dispatcher, dataDir: string) {
    this.#dispatcher = dispatcher;
    this.dataDir = dataDir;
    this.path = join(dataDir, "owner.sock");
  }

  async start(): Promise<void> {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
      const limits = { drainMs: 100 };
      const dispatcher = this.#dispatcher;
      serveConnection({ dispatcher, input: socket, output: socket, principal: LOCAL_PRINCIPAL, limits });
    });
    await new Promise<void>((listening) => server.listen(this.path, listening));
    this.#server = server;
  }

  /** No word to anybody; then there is another one. */
  async replace(): Promise<void> {
    await this.#kill();
    await this.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kill();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  async #kill(): Promise<void> {
    const closed = new Promise<void>((done) => this.#server?.close(() => done()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
