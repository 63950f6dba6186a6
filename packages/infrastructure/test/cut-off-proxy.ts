import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Stands between a client and its server, and breaks their connections at the worst moment. */
export async function cutOffProxy(url: string) {
  const target = new URL(url);
  const open = new Set<Socket>();
  let armed: ((request: string) => boolean) | undefined;
  let cuts = 0;
  let shut = false;
  const server = createServer((client) => {
    if (shut) return void client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    let doomed = false;
    client.on("data", (bytes) => {
      if (armed?.(bytes.toString("latin1"))) {
        armed = undefined;
        doomed = true;
      }
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (!doomed) return client.write(bytes);
      // The server has answered: what it was told is done, and nobody hears of it.
      cuts += 1;
      client.destroy();
      return false;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const through = new URL(url);
  through.port = String(typeof address === "object" && address !== null ? address.port : 0);
  return {
    url: through.href,
    /** The next request of which this is true is carried out, and its answer lost with its connection. */
    loseAnswerTo(request: (text: string) => boolean): void {
      armed = request;
    },
    cuts: () => cuts,
    /** Breaks every connection, and takes no new one until it is opened again. */
    shut(): void {
      shut = true;
      for (const socket of open) socket.destroy();
    },
    open(): void {
      shut = false;
    },
    [Symbol.dispose]() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
