import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { LOCAL_PRINCIPAL } from "@cleveragents/protocol";
import { socketPathFor } from "@cleveragents/transport-stdio/client";
import { serveSocket } from "@cleveragents/transport-stdio/server";
import type { DatabaseConfig } from "../config.ts";
import { dataDirFailure } from "../owner/data-dir-unusable.ts";
import type { Owner, OwnerOptions } from "../owner/run-owner.ts";
import { withFronts } from "../owner/serve-fronts.ts";
import { openScaled } from "../scaled.ts";
import { PRODUCT_VERSION } from "../version.ts";
import { keepDiscovery } from "./keep-discovery.ts";
import { shareDataDir } from "./share-data-dir.ts";

export interface ReplicaOptions extends OwnerOptions {
  readonly database: DatabaseConfig;
}

/**
 * One of the processes that share a data directory and a database: its part of the lock, stores, plans, a socket of its
 * own, the discovery file if nobody else is in it, in this order. Throws what each of them throws, with everything
 * undone.
 */
export async function runReplica(options: ReplicaOptions): Promise<Owner> {
  const { dataDir, env, logger, pid, uid, database } = options;
  await using undo = new AsyncDisposableStack();
  const shared = undo.use(
    await shareDataDir(dataDir).catch((error: unknown) => {
      throw dataDirFailure(dataDir, error);
    }),
  );
  const host = database.namespace ?? shared.host;
  const agent = await openScaled({ ...options, host, directory: shared.host });
  undo.defer(() => agent.close());
  const path = await socketPathFor(dataDir, tmpdir(), uid, env["XDG_RUNTIME_DIR"]);
  const socket = await serveSocket({
    path: path.replace(/\.sock$/, `-${pid}.sock`),
    dispatcher: withFronts({ dispatcher: agent.dispatcher, token: shared.token, keys: agent.authenticator }),
    principal: LOCAL_PRINCIPAL,
    onError: (error) => logger.error({ error: String(error) }, "a connection failed"),
  });
  undo.defer(() => socket.close(0));
  await agent.start();
  const discovery = await keepDiscovery(dataDir, {
    version: 1,
    pid,
    started_at: new Date().toISOString(),
    product_version: PRODUCT_VERSION,
    socket: socket.path,
    token: shared.token,
  });
  const stack = undo.move();
  return {
    agent,
    token: shared.token,
    get calls() {
      return socket.calls;
    },
    announce: (http) => discovery.announce(http),
    async close(graceMs = 1000) {
      if ((await stat(dataDir).catch(() => undefined)) !== undefined) await discovery[Symbol.asyncDispose]();
      await socket.close(graceMs);
      await stack.disposeAsync();
    },
  };
}
