import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Where a browser of this machine comes back to. */
export interface Loopback {
  readonly url: string;
  /** What the browser brings that comes with this state; whoever comes without it is sent away. */
  returned(state: string): Promise<URLSearchParams>;
  close(): Promise<void>;
}

const PATH = "/callback";
const PAGE =
  "<!doctype html><meta charset=utf-8><title>agents</title><p>Go back to the terminal: it says how it went. This page can be closed.";

/** Listens on this machine alone. Rejects where the port is taken. */
export async function listenOnLoopback(port: number): Promise<Loopback> {
  let wanted: { readonly state: string; readonly resolve: (found: URLSearchParams) => void } | undefined;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const isMeant =
      request.method === "GET" && pathname === PATH && searchParams.get("state") === wanted?.state;
    response.writeHead(isMeant ? 200 : 404, {
      "content-type": "text/html; charset=utf-8",
      // The address holds the code.
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      connection: "close",
    });
    response.end(isMeant ? PAGE : "", () => {
      if (isMeant) wanted?.resolve(searchParams);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    returned: (state) =>
      new Promise((resolve) => {
        wanted = { state, resolve };
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
