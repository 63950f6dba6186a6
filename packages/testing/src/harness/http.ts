import {
  type Authenticator,
  buildAgentCard,
  type Dispatcher,
  type Principal,
  SseDecoder,
} from "@cleveragents/protocol";
import { createHttpTransport } from "@cleveragents/transport-http/client";
import { createHttpServer } from "@cleveragents/transport-http/server";
import { type Exchanged, harnessOf, type OpenHarness, type Parameters } from "./harness.ts";

const VERSION = "0.0.0-test";

/** A server on a port of the loopback interface. A token stands for each principal. */
export async function serveHttp(dispatcher: Dispatcher): Promise<{
  readonly url: string;
  readonly tokens: TestTokens;
  close(): Promise<void>;
}> {
  const tokens = new TestTokens();
  const broken: unknown[] = [];
  const server = createHttpServer({
    dispatcher,
    authenticator: tokens,
    card: () =>
      buildAgentCard({
        version: VERSION,
        baseUrl: "http://127.0.0.1",
        schemes: tokens.schemes,
        retentionSeconds: 3600,
      }),
    probes: { service: "test", version: VERSION, ready: async () => ({ ready: true, checks: {} }) },
    allowedHosts: [],
    logger: { error: (fields) => broken.push(fields) },
  });
  const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
  return {
    url,
    tokens,
    async close() {
      await server.close(0);
      if (broken.length > 0) throw new Error(`the server logged errors: ${JSON.stringify(broken)}`);
    },
  };
}

/** JSON-RPC over HTTP. */
export const http: OpenHarness = async ({ dispatcher }) => {
  const { url, tokens, close } = await serveHttp(dispatcher);
  const endpoint = `${url}/a2a`;
  return harnessOf({
    supports: { batchParameters: "one", stdio: false },
    connect(principal) {
      const token = tokens.for(principal);
      const post = (message: string | Uint8Array, parameters: Parameters): RequestInit => ({
        method: "POST",
        headers: { ...parameters, authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: typeof message === "string" ? message : new Uint8Array(message),
      });
      return {
        transport: createHttpTransport({ url: endpoint, token }),
        exchange: (message, parameters) => exchange(endpoint, post(message, parameters)),
        follow: (message, parameters) => follow(endpoint, post(message, parameters)),
      };
    },
    close,
  });
};

/** Stands for principals by words. */
export class TestTokens implements Authenticator {
  readonly schemes = ["bearer"] as const;
  readonly #principals = new Map<string, Principal>();

  for(principal: Principal): string {
    const token = `test-token-${this.#principals.size + 1}`;
    this.#principals.set(token, principal);
    return token;
  }

  async authenticate({
    authorization,
  }: {
    readonly authorization?: string | undefined;
  }): Promise<Principal | undefined> {
    return this.#principals.get(authorization?.replace(/^Bearer /, "") ?? "");
  }
}

async function exchange(url: string, init: RequestInit): Promise<Exchanged> {
  const controller = new AbortController();
  const response = await fetch(url, { ...init, signal: controller.signal });
  const parameters = Object.fromEntries([...response.headers].filter(([name]) => /^(x-)?a2a-/.test(name)));
  if (isStream(response)) {
    const first = await events(response).next();
    const answer = first.done === true ? undefined : first.value;
    controller.abort();
    return { answer, parameters };
  }
  const text = await response.text();
  if ((text === "") !== (response.status === 204))
    throw new Error(`status ${response.status} with ${text.length} characters`);
  return { answer: text === "" ? undefined : JSON.parse(text), parameters };
}

async function* follow(url: string, init: RequestInit): AsyncGenerator<unknown> {
  const controller = new AbortController();
  try {
    const response = await fetch(url, { ...init, signal: controller.signal });
    if (isStream(response)) yield* events(response);
    else yield await response.json();
  } finally {
    controller.abort();
  }
}

function isStream(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/event-stream") === true;
}

async function* events(response: Response): AsyncGenerator<unknown> {
  const decoder = new SseDecoder();
  for await (const chunk of response.body ?? []) {
    for (const { data } of decoder.push(chunk as Uint8Array)) if (data !== "") yield JSON.parse(data);
  }
}
