import {
  type Client,
  type ClientTransport,
  createClient,
  type Dispatcher,
  type Principal,
  SCOPES,
  type Scope,
} from "@cleveragents/protocol";

/** Service parameters of one message, by their names on the wire. */
export type Parameters = Readonly<Record<string, string>>;

/** What a message was answered with. Of a stream, its first element as a response. */
export interface Exchanged {
  /** The response, the batch of them, or undefined where nothing came back. */
  readonly answer: unknown;
  /** Service parameters of the answer, by lower-case name. */
  readonly parameters: Parameters;
}

/** One caller of a server. */
export interface Caller {
  readonly principalId: string;
  /** The client we ship, over the client transport we ship. */
  readonly client: Client;
  /** Puts text on the wire as it stands; the parameters ride where the binding has room for them. */
  exchange(message: string | Uint8Array, parameters?: Parameters): Promise<Exchanged>;
  /** What came back, parsed; undefined for nothing. Says A2A 1.0 unless told otherwise. */
  raw(message: string | Uint8Array, parameters?: Parameters): Promise<unknown>;
  /** What comes back one after another, parsed: a stream's elements as responses to the request, else the one answer. */
  follow(message: string, parameters?: Parameters): AsyncIterable<unknown>;
}

export interface Supports {
  /** Service parameters of a batch are one set for all of it (headers), or one for each entry (envelopes). */
  readonly batchParameters: "one" | "each";
  /** Callers are on the stdio binding. */
  readonly stdio: boolean;
}

/** A server behind a binding, and callers of it. Closed with `await using`; the dispatcher stays its owner's. */
export interface Harness extends Caller, AsyncDisposable {
  /** Another caller, with every scope unless given fewer, and no tenant. The same id is the same principal. */
  as(principalId: string, scopes?: readonly Scope[], tenants?: readonly string[]): Caller;
  readonly supports: Supports;
}

export type OpenHarness = (server: { readonly dispatcher: Dispatcher }) => Promise<Harness>;

/** One principal's way in over a binding. */
export interface Connection {
  readonly transport: ClientTransport;
  exchange(message: string | Uint8Array, parameters: Parameters): Promise<Exchanged>;
  follow(message: string, parameters: Parameters): AsyncIterable<unknown>;
}

export interface Binding {
  readonly supports: Supports;
  connect(principal: Principal): Connection;
  close(): Promise<void>;
}

const VERSION: Parameters = { "A2A-Version": "1.0" };

/** A harness over any binding; the caller that it is itself is called `tester` and may do everything. */
export function harnessOf(binding: Binding): Harness {
  const clients: Client[] = [];

  function as(principalId: string, scopes: readonly Scope[] = SCOPES, tenants?: readonly string[]): Caller {
    const connection = binding.connect({ id: principalId, scopes, tenants });
    const client = createClient(connection.transport);
    clients.push(client);
    const exchange = (message: string | Uint8Array, parameters = VERSION) =>
      connection.exchange(message, parameters);
    return {
      principalId,
      client,
      exchange,
      raw: async (message, parameters) => (await exchange(message, parameters)).answer,
      follow: (message, parameters = VERSION) => connection.follow(message, parameters),
    };
  }

  return {
    ...as("tester"),
    as,
    supports: binding.supports,
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
      await binding.close();
    },
  };
}
