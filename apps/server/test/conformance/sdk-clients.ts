import { PassThrough } from "node:stream";
import { AgentCard } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import {
  type A2aVersion,
  buildAgentCard,
  type Dispatcher,
  LOCAL_PRINCIPAL,
  STDIO_BINDING,
} from "@cleveragents/protocol";
import { createHttpServer } from "@cleveragents/transport-http/server";
import { StdioTransportFactory } from "@cleveragents/transport-stdio/a2a-sdk";
import { createStreamTransport } from "@cleveragents/transport-stdio/client";
import { serveConnection } from "@cleveragents/transport-stdio/server";

const CONFIG = { version: "0.0.0-test", schemes: [], retentionSeconds: 3600 } as const;
const legacyCompat = { enabled: true };

export interface SdkClient extends AsyncDisposable {
  readonly client: Client;
}

/** The official client before a dispatcher; it finds the way by the card that the server serves. */
export type OpenSdkClient = (dispatcher: Dispatcher) => Promise<SdkClient>;

function overHttp(binding: "JSONRPC" | "HTTP+JSON", version: A2aVersion): OpenSdkClient {
  return async (dispatcher) => {
    let baseUrl = "";
    const broken: unknown[] = [];
    const server = createHttpServer({
      dispatcher,
      authenticator: undefined,
      card: () => buildAgentCard({ ...CONFIG, baseUrl, versions: [version] }),
      probes: { service: "test", version: CONFIG.version, ready: async () => ({ ready: true, checks: {} }) },
      allowedHosts: [],
      logger: { error: (fields) => broken.push(fields) },
    });
    baseUrl = (await server.listen({ host: "127.0.0.1", port: 0 })).url;
    const factory = new ClientFactory({
      transports: [new JsonRpcTransportFactory({ legacyCompat }), new RestTransportFactory({ legacyCompat })],
      preferredTransports: [binding],
      cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
    });
    return {
      client: await factory.createFromUrl(baseUrl),
      async [Symbol.asyncDispose]() {
        await server.close(0);
        if (broken.length > 0) throw new Error(`the server logged errors: ${JSON.stringify(broken)}`);
      },
    };
  };
}

function overStdio(version: A2aVersion): OpenSdkClient {
  return async (dispatcher) => {
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    const broken: unknown[] = [];
    const served = serveConnection({
      dispatcher,
      input: toServer,
      output: toClient,
      principal: LOCAL_PRINCIPAL,
      onError: (error) => broken.push(error),
    });
    const connection = createStreamTransport({ input: toClient, output: toServer });
    const factory = new ClientFactory({
      transports: [new StdioTransportFactory({ connection, legacyCompat })],
    });
    const card = buildAgentCard({ ...CONFIG, versions: [version] });
    const supportedInterfaces = [{ url: "stdio:", protocolBinding: STDIO_BINDING, protocolVersion: version }];
    return {
      client: await factory.createFromAgentCard(AgentCard.fromJSON({ ...card, supportedInterfaces })),
      async [Symbol.asyncDispose]() {
        await connection[Symbol.asyncDispose]();
        await served.close();
        if (broken.length > 0) throw new AggregateError(broken, "the server was told of errors");
      },
    };
  };
}

export const SDK_CLIENTS: Readonly<
  Record<string, { readonly version: A2aVersion; readonly open: OpenSdkClient }>
> = {
  "A2A 1.0 over JSON-RPC": { version: "1.0", open: overHttp("JSONRPC", "1.0") },
  "A2A 1.0 over HTTP+JSON": { version: "1.0", open: overHttp("HTTP+JSON", "1.0") },
  "A2A 1.0 over stdio": { version: "1.0", open: overStdio("1.0") },
  "A2A 0.3 over JSON-RPC": { version: "0.3", open: overHttp("JSONRPC", "0.3") },
  "A2A 0.3 over HTTP+JSON": { version: "0.3", open: overHttp("HTTP+JSON", "0.3") },
  "A2A 0.3 over stdio": { version: "0.3", open: overStdio("0.3") },
};
