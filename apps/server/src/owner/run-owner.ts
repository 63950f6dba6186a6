import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { type FailPoint, type Logger, WITH_FAIL_POINTS } from "@cleveragents/application";
import { LOCAL_PRINCIPAL } from "@cleveragents/protocol";
import {
  type Discovery,
  readDiscovery,
  removeDiscovery,
  socketPathFor,
  writeDiscovery,
} from "@cleveragents/transport-stdio/client";
import { serveSocket } from "@cleveragents/transport-stdio/server";
import type { Agent } from "../assemble-agent.ts";
import type { Environment } from "../config.ts";
import { openEmbedded } from "../embedded.ts";
import { refuseShared } from "../replica/share-data-dir.ts";
import { PRODUCT_VERSION } from "../version.ts";
import { lockDataDir } from "./data-dir-lock.ts";
import { withFronts } from "./serve-fronts.ts";

export interface Owner {
  readonly agent: Agent;
  /** The local user's credential over HTTP. A killed owner's successor keeps it, so that its fronts go on. */
  readonly token: string;
  /** What the socket's clients want: how many of their calls are open, and how many there have been. */
  readonly calls: { readonly open: number; readonly begun: number };
  /** Adds the HTTP address to the discovery file. */
  announce(http: { readonly url: string }): Promise<void>;
  /** Lets clients go, stops plans (they go on at the next start) and frees the directory. */
  close(graceMs?: number): Promise<void>;
}

export interface OwnerOptions {
  readonly dataDir: string;
  readonly env: Environment;
  readonly logger: Logger;
  readonly pid: number;
  readonly uid: number;
  readonly failPoint?: FailPoint | undefined;
  /** The credential to go on with where the last owner has left none. */
  readonly token?: string | undefined;
}

/**
 * Owns a data directory: lock, stores, plans, socket, discovery file, in this order, so that whoever finds the file
 * finds an agent that answers. Throws `DataDirTakenError`, or what the stores throw, with everything undone.
 */
export async function runOwner(options: OwnerOptions): Promise<Owner> {
  const { dataDir, env, logger, pid, uid, failPoint } = options;
  await using undo = new AsyncDisposableStack();
  undo.use(await lockDataDir(dataDir));
  if (WITH_FAIL_POINTS) failPoint?.("owner.locked");
  refuseShared(dataDir);
  const previous = await readDiscovery(dataDir);
  const agent = await openEmbedded({ dataDir, env, logger, failPoint });
  undo.defer(() => agent.close());
  if (WITH_FAIL_POINTS) failPoint?.("owner.opened");
  const path = await socketPathFor(dataDir, tmpdir(), uid, env["XDG_RUNTIME_DIR"]);
  const token = previous?.token ?? options.token ?? randomBytes(32).toString("base64url");
  const socket = await serveSocket({
    path,
    dispatcher: withFronts({ dispatcher: agent.dispatcher, token, keys: agent.authenticator }),
    principal: LOCAL_PRINCIPAL,
    onError: (error) => logger.error({ error: String(error) }, "a connection failed"),
  });
  undo.defer(() => socket.close(0));
  if (WITH_FAIL_POINTS) failPoint?.("owner.listening");
  await agent.start();
  if (WITH_FAIL_POINTS) failPoint?.("owner.started");
  const discovery: Discovery = {
    version: 1,
    pid,
    started_at: new Date().toISOString(),
    product_version: PRODUCT_VERSION,
    socket: path,
    token,
  };
  await writeDiscovery(dataDir, discovery);
  if (WITH_FAIL_POINTS) failPoint?.("owner.discovered");
  const stack = undo.move();
  return {
    agent,
    token,
    get calls() {
      return socket.calls;
    },
    announce: (http) => writeDiscovery(dataDir, { ...discovery, http }),
    async close(graceMs = 1000) {
      if ((await stat(dataDir).catch(() => undefined)) !== undefined) await removeDiscovery(dataDir, pid);
      await socket.close(graceMs);
      await stack.disposeAsync();
    },
  };
}
