import { promises as dns, type LookupAddress } from "node:dns";
import type { IncomingMessage } from "node:http";
import type { PushOutcome, PushPost, PushSender } from "@cleveragents/application";
import { AddressRefusedError, admittedLookup } from "./admitted-lookup.ts";
import { AllowList } from "./allow-list.ts";
import { WebhookPolicy } from "./webhook-policy.ts";

export interface HttpPushSenderOptions {
  /** See {@link AllowList}. */
  readonly allow?: readonly string[];
  /** From the first packet to the status; A2A §4.3.3 recommends 10 to 30 seconds. */
  readonly timeoutMs?: number;
  /** The addresses of a name; the system's resolver when absent. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
}

/** What is read of an answer that says more than its status. */
const READ_AT_MOST = 64 * 1024;

/**
 * Posts over a connection of its own, to an address that was looked up and judged for it. The name stays in `Host` and in
 * the certificate that is asked for.
 */
export class HttpPushSender implements PushSender {
  readonly #policy: WebhookPolicy;
  readonly #timeoutMs: number;
  readonly #resolve: (host: string) => Promise<readonly LookupAddress[]>;

  /** Throws `AllowListError`. */
  constructor(options: HttpPushSenderOptions = {}) {
    this.#policy = new WebhookPolicy(new AllowList(options.allow ?? []));
    this.#timeoutMs = options.timeoutMs ?? 15_000;
    this.#resolve = options.resolve ?? ((host) => dns.lookup(host, { all: true }));
  }

  refusal(url: string): string | undefined {
    return this.#policy.refusal(url);
  }

  async post({ url, headers, body }: PushPost, signal: AbortSignal): Promise<PushOutcome> {
    // Also the only check of an address without a name: nothing is looked up for it.
    if (this.#policy.refusal(url) !== undefined) return REFUSED;
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    try {
      const target = new URL(url);
      const answer = await this.#send(target, headers, body, AbortSignal.any([signal, timeout]));
      const retryAfter = answer.headers["retry-after"];
      const status = answer.statusCode ?? 0;
      return { kind: "answered", status, ...(retryAfter === undefined ? {} : { retryAfter }) };
    } catch (error) {
      if (error instanceof AddressRefusedError) return REFUSED;
      return { kind: "failed", why: timeout.aborted ? "timeout" : wordOf(error) };
    }
  }

  async #send(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    // Not before there is something to post: they bring TLS and fetch along, and take a tenth of an owner's start.
    const { request: start } = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = start(url, {
      method: "POST",
      agent: false,
      lookup: admittedLookup(this.#policy, url, this.#resolve),
      headers: { ...headers, "Content-Length": Buffer.byteLength(body), "User-Agent": "CleverAgents" },
      signal,
    });
    request.on("error", reject);
    request.on("response", (response) => {
      drain(response);
      resolve(response);
    });
    request.end(body);
    return await promise;
  }
}

const REFUSED: PushOutcome = { kind: "refused", why: "the address is not admitted" };

/** So that the receiver is not cut off in the middle of a short answer, and cannot keep us with a long one. */
function drain(response: IncomingMessage): void {
  let read = 0;
  response.on("error", () => undefined);
  response.on("data", (chunk: Buffer) => {
    read += chunk.length;
    if (read > READ_AT_MOST) response.destroy();
  });
}

/** Codes of Node and OpenSSL; messages may hold addresses. */
function wordOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "failed";
}
