import { rm } from "node:fs/promises";
import { connect } from "node:net";
import {
  type Discovery,
  readDiscovery,
  removeDiscovery,
  writeDiscovery,
} from "@cleveragents/transport-stdio/client";

const LOOK_EVERY_MS = 1000;

export interface KeptDiscovery extends AsyncDisposable {
  /** Adds the HTTP address of this process, shown when it is the one that is named. */
  announce(http: { readonly url: string }): Promise<void>;
}

/**
 * Sees to it that the discovery file names a process that answers: this one, unless another is there already. When the
 * one that it names has gone, whoever notices first puts itself in its place.
 */
export async function keepDiscovery(dataDir: string, discovery: Discovery): Promise<KeptDiscovery> {
  let own = discovery;
  let over = false;
  const look = async (): Promise<void> => {
    const named = await readDiscovery(dataDir);
    if (named?.socket === own.socket && named.http?.url === own.http?.url) return;
    if (named !== undefined && named.socket !== own.socket) {
      if (await answers(named.socket)) return;
      await rm(named.socket, { force: true });
    }
    if (!over) await writeDiscovery(dataDir, own);
  };
  await look();
  // What fails is a directory that vanishes, or a full disk: looked at again.
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(look).catch(() => undefined);
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    async announce(http) {
      own = { ...own, http };
      await look();
    },
    async [Symbol.asyncDispose]() {
      over = true;
      clearInterval(timer);
      await looking;
      await removeDiscovery(dataDir, own.pid);
    },
  };
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const settle = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
    socket.setTimeout(2000, () => settle(false));
  });
}
