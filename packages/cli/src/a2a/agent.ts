import { RemoteError } from "@cleveragents/protocol";
import { createHttpTransport, createRestClient, RestError } from "@cleveragents/transport-http/client";
import { objectOf } from "./answers.ts";
import type { CardFacts } from "./card-facts.ts";
import type { ChosenInterface } from "./choose-interface.ts";
import type { Sent } from "./credentials.ts";
import { type Operation, type Params, toRest, toRpc } from "./operations.ts";

export interface AgentOptions {
  /** As the user named it. */
  readonly reference: string;
  readonly facts: CardFacts;
  readonly face: ChosenInterface;
  readonly credentials: Sent;
  readonly serviceParameters: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal | undefined;
}

/**
 * An agent over the interface that was chosen. Answers are its JSON, as it came; refusals are thrown as their binding has
 * them (`RemoteError`, `RestError`), and `TransportError` where nothing was learnt.
 */
export interface Agent extends AsyncDisposable {
  readonly reference: string;
  readonly facts: CardFacts;
  readonly face: ChosenInterface;
  readonly signal: AbortSignal | undefined;
  call(operation: Operation, params: Params): Promise<unknown>;
  stream(operation: Operation, params: Params): AsyncGenerator<unknown>;
  /** A task in the place where sending and streams have one. */
  wrap(task: unknown): unknown;
}

export function openAgent(options: AgentOptions): Agent {
  const { reference, facts, face, signal } = options;
  const speaks = face.binding === "JSONRPC" ? overRpc(options) : overRest(options);
  const bare = face.binding === "JSONRPC" && face.speaks === "0.3";
  const wrap = (task: unknown) => (bare ? task : { task });
  return { reference, facts, face, signal, wrap, ...speaks };
}

type Speaking = Pick<Agent, "call" | "stream"> & AsyncDisposable;

function headersOf({ face, credentials, serviceParameters }: AgentOptions): Record<string, string> {
  return { ...serviceParameters, ...credentials.headers, "A2A-Version": face.speaks };
}

function overRpc(options: AgentOptions): Speaking {
  const { face, credentials, signal, fetch } = options;
  const url = new URL(face.url);
  for (const [name, value] of Object.entries(credentials.query)) url.searchParams.set(name, value);
  const transport = createHttpTransport({ url, headers: headersOf(options), fetch });
  const address = { version: face.speaks, tenant: face.tenant };
  let id = 0;
  const request = (operation: Operation, params: Params) => {
    id += 1;
    return { jsonrpc: "2.0" as const, id, ...toRpc(operation, params, address) };
  };
  const sending = { serviceParameters: {}, signal };
  return {
    async call(operation, params) {
      const answer = await transport.request(request(operation, params), sending);
      if ("error" in answer) throw new RemoteError(answer.error);
      return answer.result;
    },
    async *stream(operation, params) {
      for await (const { response } of transport.stream(request(operation, params), sending)) {
        if ("error" in response) throw new RemoteError(response.error);
        yield response.result;
      }
    },
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}

function overRest(options: AgentOptions): Speaking {
  const { face, credentials, signal, fetch } = options;
  const client = createRestClient({
    url: face.url,
    headers: headersOf(options),
    query: credentials.query,
    contentType: face.speaks === "0.3" ? "application/json" : "application/a2a+json",
    fetch,
  });
  const address = { version: face.speaks, tenant: face.tenant };
  return {
    async call(operation, params) {
      return (await client.request(toRest(operation, params, address), signal)).json ?? {};
    },
    async *stream(operation, params) {
      for await (const { json } of client.stream(toRest(operation, params, address), signal)) {
        const failure = objectOf(objectOf(json)["error"]);
        if (Object.keys(failure).length > 0) throw new RestError(Number(failure["code"]) || 500, json);
        yield json;
      }
    },
    async [Symbol.asyncDispose]() {},
  };
}
