import type { AgentCard } from "@a2a-js/sdk";
import { JsonRpcTransportFactory, type Transport, type TransportFactory } from "@a2a-js/sdk/client";
import { type ClientTransport, STDIO_BINDING } from "@cleveragents/protocol";
import { createStreamFetch } from "./stream-fetch.ts";

export interface StdioTransportFactoryOptions {
  /** The open connection, which stays its owner's: closing a client of the SDK does not end it. */
  readonly connection: ClientTransport;
  /** Speaks A2A 0.3 where the card's interface says so. */
  readonly legacyCompat?: { readonly enabled: boolean };
}

/**
 * Lets a `ClientFactory` of `@a2a-js/sdk` speak the stdio binding. Requests, results and errors are those of the
 * JSON-RPC binding, so the SDK's own transport writes and reads them; only the way there is another.
 */
export class StdioTransportFactory implements TransportFactory {
  readonly #options: StdioTransportFactoryOptions;

  constructor(options: StdioTransportFactoryOptions) {
    this.#options = options;
  }

  get protocolName(): string {
    return STDIO_BINDING;
  }

  async create(url: string, card: AgentCard): Promise<Transport> {
    const { connection, legacyCompat } = this.#options;
    const jsonRpc = new JsonRpcTransportFactory({
      fetchImpl: createStreamFetch(connection),
      ...(legacyCompat === undefined ? {} : { legacyCompat }),
    });
    // It looks for the interface of its own binding to learn the version.
    const supportedInterfaces = card.supportedInterfaces
      .filter(({ protocolBinding }) => protocolBinding === STDIO_BINDING)
      .map((each) => ({ ...each, protocolBinding: jsonRpc.protocolName }));
    return jsonRpc.create(url, { ...card, supportedInterfaces });
  }
}
