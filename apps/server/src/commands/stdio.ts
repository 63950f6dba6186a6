import type { Socket } from "node:net";
import { reachOwner, readDiscovery, startOwnerProcess } from "@cleveragents/transport-stdio/client";
import { pump } from "@cleveragents/transport-stdio/server";
import type { Config, Environment } from "../config.ts";
import { identityOf } from "../owner/idle-exit.ts";

/** Speaks the protocol on this process's streams, for whichever process owns the data directory meanwhile. */
export async function stdio(deps: {
  readonly config: Config;
  readonly env: Environment;
  readonly program: string;
}): Promise<void> {
  const { dataDir } = deps.config;
  // biome-ignore lint/suspicious/noConsole: stdout carries the protocol alone, what a library prints goes to stderr
  console.log = console.info = console.debug = console.error;
  let directory: string | undefined;

  async function connect(signal: AbortSignal): Promise<Socket> {
    // Starting an owner makes the directory, which is not to come back when it is gone.
    if (directory !== undefined && directory !== (await identityOf(dataDir)))
      throw new Error(`${dataDir} is gone`);
    const hopeless = new AbortController();
    const socket = await reachOwner(
      {
        dataDir,
        timeoutMs: 30_000,
        signal: AbortSignal.any([signal, hopeless.signal]),
        startOwner: () =>
          startOwnerProcess({
            command: process.execPath,
            args: [...process.execArgv, deps.program, "owner", "--data-dir", dataDir],
            dataDir,
            env: deps.env,
            onFailure: (error) => hopeless.abort(error),
          }),
      },
      (reached) => reached,
    );
    directory ??= await identityOf(dataDir);
    return socket;
  }

  await pump({
    input: process.stdin,
    output: process.stdout,
    connect,
    // Who leaves in good order takes its addresses along.
    ownerDied: async () => (await readDiscovery(dataDir)) !== undefined,
  });
}
