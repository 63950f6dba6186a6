import { type Authenticator, buildAgentCard, type Principal, SseDecoder } from "@cleveragents/protocol";
import { createHttpTransport } from "@cleveragents/transport-http/client";
import { createHttpServer } from "@cleveragents/transport-http/server";
import { type Exchanged, harnessOf, type OpenHarness } from "./harness.ts";

const VERSION = "0.0.0-test";

/** The HTTP binding on a port of the loopback interface. A token stands for each principal. */
export const http: OpenHarness = async ({ dispatcher }) => {
  const tokens = new TestTokens();
  const broken: unknown[] = [];
  const server = createHttpServer({
    dispatcher,
    authenticator: tokens,
    card: () =>
      buildAgentCard({
        version: VERSION,
        url: "http://127.0.0.1/a2a",
        schemes: tokens.schemes,
        retentionSeconds: 3600,
      }),
    probes: { service: "test", version: VERSION, ready: async () => ({ ready: true, checks: {} }) },
    allowedHosts: [],
    logger: { error: (fields) => broken.push(fields) },
  });
  const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
  const endpoint = `${url}/a2a`;
  return harnessOf({
    supports: { batchParameters: "one" },
    connect(principal) {
      const token = tokens.for(principal);
      return {
        transport: createHttpTransport({ url: endpoint, token }),
        exchange(message, parameters) {
          const headers = {
            ...parameters,
            authorization: `Bearer ${token}`,
            "content-type": "application/json",
          };
          const body = typeof message === "string" ? message : new Uint8Array(message);
          return exchange(endpoint, { method: "POST", headers, body });
        },
      };
    },
    async close() {
      await server.close(0);
      if (broken.length > 0) throw new Error(`the server logged errors: ${JSON.stringify(broken)}`);
    },
  });
};

class TestTokens implements Authenticator {
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
  const parameters = Object.fromEntries([...response.headers].filter(([name]) => name.startsWith("a2a-")));
  if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) {
    const answer = await firstEvent(response);
    controller.abort();
    return { answer, parameters };
  }
  const text = await response.text();
  if ((text === "") !== (response.status === 204))
    throw new Error(`status ${response.status} with ${text.length} characters`);
  return { answer: text === "" ? undefined : JSON.parse(text), parameters };
}

async function firstEvent(response: Response): Promise<unknown> {
  const decoder = new SseDecoder();
  for await (const chunk of response.body ?? []) {
    const [event] = decoder.push(chunk as Uint8Array);
    if (event !== undefined) return JSON.parse(event.data);
  }
  return undefined;
}
