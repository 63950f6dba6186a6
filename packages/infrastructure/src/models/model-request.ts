import { ModelError } from "@cleveragents/application";
import type { Provider } from "@cleveragents/domain";
import { SseDecoder, type SseEvent } from "@cleveragents/protocol";
import { failedStatus, unreachable } from "./model-failures.ts";

/** One event, or an answer that came whole. */
const LONGEST = 16 * 1024 * 1024;

export interface HttpRequest {
  readonly provider: Provider;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Posted as JSON; got when absent. */
  readonly body?: unknown;
  /** Never to be seen in a text of ours. */
  readonly key: string | undefined;
  readonly signal: AbortSignal;
}

/** `whole`: the server has answered without a stream. */
export type Received = { readonly event: SseEvent } | { readonly whole: string };

/**
 * Sends a request and yields what comes, as it comes, within the provider's times. Throws `ModelError`, which says
 * nothing of whether an answer had begun, or the signal's reason.
 */
export async function* send(request: HttpRequest): AsyncGenerator<Received> {
  const { provider, signal } = request;
  const { firstByte, betweenBytes, total } = provider.timeouts;
  const watch = new Watch(signal, provider.name);
  watch.within("total", total, `was not done within ${total / 1000} s`);
  watch.within("next", firstByte, `said nothing for ${firstByte / 1000} s`);
  try {
    const response = await watch.race(
      fetch(`${provider.baseUrl}${request.path}`, initOf(request, watch.signal)),
    );
    if (!response.ok) {
      const text = (await watch.race(response.text())).slice(0, 20_000);
      throw failedStatus(provider.name, response.status, response.headers, text, request.key);
    }
    const stream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    const decoder = new SseDecoder({ maxEventLength: LONGEST });
    const text = new TextDecoder();
    let whole = "";
    const reader = response.body?.getReader();
    while (reader !== undefined) {
      const { done, value } = await watch.race(reader.read());
      if (done) break;
      watch.within("next", betweenBytes, `stopped in the middle for ${betweenBytes / 1000} s`);
      if (stream) for (const event of decoder.push(value)) yield { event };
      else whole += text.decode(value, { stream: true });
      if (whole.length > LONGEST)
        throw new ModelError("MODEL_BAD_RESPONSE", `${provider.name} has sent too much`);
    }
    if (!stream) yield { whole };
  } catch (error) {
    throw (
      watch.cause ??
      (error instanceof RangeError ? tooLong(provider.name, error) : unreachable(provider, error))
    );
  } finally {
    watch.stop();
  }
}

/** A whole answer, as JSON. Throws as {@link send} does. */
export async function receiveJson(request: HttpRequest): Promise<unknown> {
  for await (const received of send(request))
    if ("whole" in received) return parseJson(request.provider.name, received.whole);
  throw new ModelError("MODEL_BAD_RESPONSE", `${request.provider.name} has answered with a stream`);
}

export function parseJson(provider: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ModelError("MODEL_BAD_RESPONSE", `${provider} has sent what is not JSON`, { cause });
  }
}

function tooLong(provider: string, cause: unknown): ModelError {
  return new ModelError("MODEL_BAD_RESPONSE", `${provider} has sent an event that does not end`, { cause });
}

function initOf({ provider, headers, body }: HttpRequest, signal: AbortSignal): RequestInit {
  const all = { accept: "text/event-stream, application/json", ...provider.headers, ...headers };
  // A redirect would carry the key to somebody else.
  if (body === undefined) return { headers: all, signal, redirect: "error" };
  return {
    method: "POST",
    headers: { ...all, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
    redirect: "error",
  };
}

/** Ends a request when its caller or its time says so, and knows which of them it was. */
class Watch {
  /** What ended it, once something has. */
  cause: unknown;
  readonly #stop = new AbortController();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #outer: AbortSignal;
  readonly #provider: string;
  readonly #ended: Promise<never>;
  #fail: (cause: unknown) => void = () => undefined;

  constructor(outer: AbortSignal, provider: string) {
    this.#outer = outer;
    this.#provider = provider;
    this.#ended = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.#ended.catch(() => undefined);
    if (outer.aborted) this.#aborted();
    outer.addEventListener("abort", this.#aborted, { once: true });
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** A runtime may take its time to notice that it is to stop. */
  race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#ended]);
  }

  within(what: "total" | "next", ms: number, words: string): void {
    clearTimeout(this.#timers.get(what));
    const end = () =>
      this.#end(new ModelError("MODEL_TIMEOUT", `${this.#provider} ${words}`, { transient: true }));
    this.#timers.set(what, setTimeout(end, ms));
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#outer.removeEventListener("abort", this.#aborted);
    this.#stop.abort();
  }

  readonly #aborted = (): void => this.#end(this.#outer.reason);

  #end(cause: unknown): void {
    this.cause ??= cause;
    this.#stop.abort();
    this.#fail(this.cause);
  }
}
