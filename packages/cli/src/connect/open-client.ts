import { type Client, createClient } from "@cleveragents/protocol";
import type { GlobalOptions } from "../command/global-options.ts";
import type { CliContext } from "../context.ts";

/** Connects as the flags and the environment say. */
export async function openClient(context: CliContext, options: GlobalOptions): Promise<Client> {
  const { server, transport, dataDir, timeoutMs, verbose, debug } = options;
  const say = (line: string) => context.stderr.write(`${line}\n`);
  const token = server === undefined ? undefined : await serverToken(context, server);
  const connection = await context.connect({
    server,
    token,
    transport,
    dataDir,
    timeoutMs,
    onAgentLog: verbose || debug ? (text) => context.stderr.write(text) : undefined,
  });
  if (!debug) return createClient(connection);
  const { debugTransport } = await import("./debug-transport.ts");
  return createClient(debugTransport(connection, say, [token ?? ""]));
}

async function serverToken(context: CliContext, server: string): Promise<string | undefined> {
  const { tokenOf } = await import("./token-of.ts");
  return tokenOf(context, server);
}
