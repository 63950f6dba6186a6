import { chmod, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { checkSocketPath, ensurePrivateFolder } from "../socket/socket-path.ts";
import { type Connection, type ServeConnectionOptions, serveConnection } from "./serve-connection.ts";

export interface ServeSocketOptions extends Omit<ServeConnectionOptions, "input" | "output"> {
  /** Of a Unix socket. Its folder is made if missing and must be open to its owner alone. */
  readonly path: string;
  /** Told how many connections there are, whenever that changes. */
  readonly onConnection?: ((connections: number) => void) | undefined;
}

export interface SocketServer {
  readonly path: string;
  /** How many are connected now. */
  readonly connections: number;
  /** What clients want: how many of their calls are open, streams among them, and how many there have been. */
  readonly calls: { readonly open: number; readonly begun: number };
  /** Takes no more connections, then closes each as `Connection.close` does; the socket is gone afterwards. */
  close(graceMs?: number): Promise<void>;
}

/**
 * Listens on a Unix socket that only this user can reach, and serves each connection. A socket that a dead process
 * left behind is replaced; one that somebody answers on is an error.
 */
export async function serveSocket(options: ServeSocketOptions): Promise<SocketServer> {
  const { path, onConnection, ...rest } = options;
  checkSocketPath(path);
  await ensurePrivateFolder(dirname(path));
  const open = new Set<Connection>();
  let closing = false;
  let begunBefore = 0;

  function accept(socket: Socket): void {
    if (closing) {
      socket.destroy();
      return;
    }
    const connection = serveConnection({ ...rest, input: socket, output: socket });
    open.add(connection);
    onConnection?.(open.size);
    void connection.closed.then(() => {
      open.delete(connection);
      begunBefore += connection.calls.begun;
      onConnection?.(open.size);
    });
  }

  // Half open: who has sent everything still gets the answers.
  const server = createServer({ allowHalfOpen: true }, accept);
  await listen(server, path);
  await chmod(path, 0o600);
  // A connection that cannot be taken (too many open files) costs the others nothing.
  server.on("error", (error) => rest.onError?.(error));

  return {
    path,
    get connections() {
      return open.size;
    },
    get calls() {
      let [calls, begun] = [0, begunBefore];
      for (const connection of open) {
        calls += connection.calls.open;
        begun += connection.calls.begun;
      }
      return { open: calls, begun };
    },
    async close(graceMs = 0) {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([...open].map((connection) => connection.close(graceMs)));
      await closed;
    },
  };
}

async function listen(server: Server, path: string): Promise<void> {
  try {
    await tryListen(server, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    if (await answers(path)) throw new Error(`another process listens on ${path} already`, { cause: error });
    await rm(path, { force: true });
    await tryListen(server, path);
  }
}

function tryListen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
