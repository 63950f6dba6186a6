import { buildAgentCard } from "@cleveragents/protocol";
import { scriptedMessageActor } from "@cleveragents/testing/actors";
import { createHttpServer } from "@cleveragents/transport-http/server";
import { bootMachine } from "../in-memory-server.ts";

export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  readonly dispatcher: Parameters<typeof createHttpServer>[0]["dispatcher"];
  /** What the server told its operator about faults of its own. */
  readonly faults: unknown[];
}

/** The product before the scripted actor, over HTTP on a port of the loopback interface, without credentials. */
export async function serveScripted(): Promise<ScriptedServer> {
  await using stack = new AsyncDisposableStack();
  const machine = stack.use(await bootMachine({ actor: scriptedMessageActor }));
  const { dispatcher, stop } = await machine.start();
  stack.defer(() => stop());
  const faults: unknown[] = [];
  let url = "";
  const server = createHttpServer({
    dispatcher,
    authenticator: undefined,
    card: () => buildAgentCard({ version: "1", baseUrl: url, schemes: [], retentionSeconds: 1 }),
    probes: { service: "test", version: "1", ready: async () => ({ ready: true, checks: {} }) },
    allowedHosts: [],
    logger: { error: (fields) => void faults.push(fields) },
  });
  url = (await server.listen({ host: "127.0.0.1", port: 0 })).url;
  stack.defer(() => server.close(0));
  const owned = stack.move();
  return { url, dispatcher, faults, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
