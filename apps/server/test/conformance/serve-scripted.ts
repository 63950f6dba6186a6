import type { MessageActor } from "@cleveragents/application";
import { type A2aVersion, buildAgentCard } from "@cleveragents/protocol";
import { scriptedMessageActor } from "@cleveragents/testing/actors";
import { createHttpServer } from "@cleveragents/transport-http/server";
import { bootMachine } from "../in-memory-server.ts";

export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  readonly dispatcher: Parameters<typeof createHttpServer>[0]["dispatcher"];
  /** What the server told its operator about faults of its own. */
  readonly faults: unknown[];
}

/** The product before the scripted actor or another one, over HTTP on a loopback port, without credentials. */
export async function serveScripted(
  options: { readonly actor?: MessageActor; readonly versions?: readonly A2aVersion[] } = {},
): Promise<ScriptedServer> {
  const { actor = scriptedMessageActor, versions } = options;
  await using stack = new AsyncDisposableStack();
  const machine = stack.use(await bootMachine({ actor }));
  const { dispatcher, stop } = await machine.start();
  stack.defer(() => stop());
  const faults: unknown[] = [];
  let url = "";
  const server = createHttpServer({
    dispatcher,
    authenticator: undefined,
    card: () => buildAgentCard({ version: "1", baseUrl: url, schemes: [], retentionSeconds: 1, versions }),
    probes: { service: "test", version: "1", ready: async () => ({ ready: true, checks: {} }) },
    allowedHosts: [],
    logger: { error: (fields) => void faults.push(fields) },
  });
  url = (await server.listen({ host: "127.0.0.1", port: 0 })).url;
  stack.defer(() => server.close(0));
  const owned = stack.move();
  return { url, dispatcher, faults, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
