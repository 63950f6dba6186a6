import { connectOwner, readDiscovery } from "@cleveragents/transport-stdio/client";
import { pump } from "@cleveragents/transport-stdio/server";
import type { Config, Environment } from "../config.ts";
import { startOwnerProcess } from "../owner/owner-process.ts";

/** Speaks the protocol on this process's streams, for the owner of the data directory, which is started if need be. */
export async function stdio(deps: { readonly config: Config; readonly env: Environment; readonly program: string }): Promise<void> {
  const { dataDir } = deps.config;
  const probe = await connectOwner({ dataDir, startOwner: () => startOwnerProcess(dataDir, deps.env, deps.program), timeoutMs: 30_000 });
  const discovery = await readDiscovery(dataDir);
  if (discovery === undefined) throw new Error(`the owner of ${dataDir} left before it could be reached`);
  const pumped = pump({ input: process.stdin, output: process.stdout, socketPath: discovery.socket });
  await probe[Symbol.asyncDispose]();
  await pumped;
}
