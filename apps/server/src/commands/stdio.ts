import { connectOwner, readDiscovery, startOwnerProcess } from "@cleveragents/transport-stdio/client";
import { pump } from "@cleveragents/transport-stdio/server";
import type { Config, Environment } from "../config.ts";

/** Speaks the protocol on this process's streams, for the owner of the data directory, which is started if need be. */
export async function stdio(deps: {
  readonly config: Config;
  readonly env: Environment;
  readonly program: string;
}): Promise<void> {
  const { dataDir } = deps.config;
  const hopeless = Promise.withResolvers<never>();
  const startOwner = () =>
    startOwnerProcess({
      command: process.execPath,
      args: [...process.execArgv, deps.program, "owner", "--data-dir", dataDir],
      dataDir,
      env: deps.env,
      onFailure: hopeless.reject,
    });
  const owner = await Promise.race([
    connectOwner({ dataDir, startOwner, timeoutMs: 30_000 }),
    hopeless.promise,
  ]);
  const discovery = await readDiscovery(dataDir);
  if (discovery === undefined) throw new Error(`the owner of ${dataDir} left before it could be reached`);
  const pumped = pump({ input: process.stdin, output: process.stdout, socketPath: discovery.socket });
  // The pump has a connection of its own by now; this one has done its work.
  await owner[Symbol.asyncDispose]();
  await pumped;
}
