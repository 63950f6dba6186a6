import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { RemoteAgentError } from "@cleveragents/application";
import { AddressRefusedError, admittedLookup } from "../push/index.ts";
import type { Egress } from "./egress.ts";

export interface GuardedFetchOptions {
  readonly egress: Egress;
  /** Sent with every request: whoever makes a `fetch` with it uses that for the agent itself alone. */
  readonly credential?: { readonly header: string; readonly value: string } | undefined;
  /** Milliseconds without a byte after which a connection counts as lost. */
  readonly silenceMs: number;
  /** Bytes of an answer that is no stream of events. */
  readonly maxBytes: number;
}

/** System errors that mean that nothing was ever sent. */
const UNREACHED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);
/** Headers that say how something is sent, which Node says by itself. */
const OURS: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "accept-encoding",
]);

/**
 * `fetch` to somebody elsewhere: over a connection of its own to an address that was looked up and judged for it, with
 * without redirects, which could take a credential elsewhere. What is no answer of the agent is thrown as `RemoteAgentError`.
 */
export function guardedFetch(options: GuardedFetchOptions): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
    const { credential } = options;
    if (credential !== undefined) headers.set(credential.header, credential.value);
    const body = init.body === null ? undefined : init.body;
    if (body !== undefined && typeof body !== "string") throw new TypeError("only texts are sent");
    const answer = await send(url, init.method ?? "GET", headers, body, init.signal ?? undefined, options);
    judge(answer, url);
    return toResponse(answer, url, options);
  };
}

async function send(
  url: URL,
  method: string,
  headers: Headers,
  body: string | undefined,
  signal: AbortSignal | undefined,
  { egress, silenceMs }: GuardedFetchOptions,
): Promise<IncomingMessage> {
  signal?.throwIfAborted();
  const refusal = egress.policy.refusal(url.href);
  if (refusal !== undefined) throw refused(refusal);
  // Not before somebody is called, as in http-push-sender.ts.
  const { request: start } = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = Object.fromEntries([...headers].filter(([name]) => !OURS.has(name)));
  const request = start(url, {
    method,
    agent: false,
    lookup: admittedLookup(egress.policy, url, egress.resolve),
    headers: {
      ...sent,
      "user-agent": "CleverAgents",
      ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
    },
    ...(signal === undefined ? {} : { signal }),
  });
  request.setTimeout(silenceMs, () =>
    request.destroy(unavailable(url, `has been silent for ${silenceMs / 1000} s`)),
  );
  request.on("error", (error) => reject(failure(error, url, signal)));
  request.on("response", resolve);
  request.end(body);
  return await promise;
}

/** What says nothing about what was asked, but that it was not asked in the right place. */
function judge(answer: IncomingMessage, url: URL): void {
  const status = answer.statusCode ?? 0;
  const problem =
    status === 401 || status === 403
      ? new RemoteAgentError(
          "REMOTE_AUTHENTICATION",
          status === 401
            ? `${url.origin} wants to know who is asking (401): see the actor's \`credential\``
            : `${url.origin} does not let this caller in (403)`,
          // Whoever is not let in has handed nothing over.
          { unsent: true },
        )
      : status >= 300 && status < 400
        ? new RemoteAgentError(
            "REMOTE_BAD_RESPONSE",
            `${url.origin} answers ${status}, a redirect, which is not followed; write the address that it leads to`,
          )
        : status === 429 || (status >= 502 && status <= 504)
          ? unavailable(url, `answers ${status}`)
          : undefined;
  if (problem === undefined) return;
  answer.resume();
  answer.destroy();
  throw problem;
}

function toResponse(answer: IncomingMessage, url: URL, { maxBytes }: GuardedFetchOptions): Response {
  const status = answer.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  if (status === 204 || status === 205 || status === 304) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
  const body = Readable.toWeb(
    Readable.from(chunks(answer, url, isStream ? undefined : maxBytes)),
  ) as ReadableStream;
  return new Response(body, { status, headers });
}

async function* chunks(answer: IncomingMessage, url: URL, most: number | undefined): AsyncGenerator<Buffer> {
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (most !== undefined && size > most)
        throw new RemoteAgentError("REMOTE_TOO_LARGE", `${url.origin} answers more than ${most} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof RemoteAgentError ? error : unavailable(url, "has cut its answer off", error);
  } finally {
    answer.destroy();
  }
}

function failure(error: Error, url: URL, signal: AbortSignal | undefined): Error {
  if (signal?.aborted === true) return signal.reason instanceof Error ? signal.reason : error;
  if (error instanceof RemoteAgentError) return error;
  if (error instanceof AddressRefusedError) return refused("must not lead to an internal network");
  const code = "code" in error && typeof error.code === "string" ? error.code : "failed";
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_/.test(code))
    return new RemoteAgentError("REMOTE_BAD_RESPONSE", `${url.origin} cannot be trusted (${code})`, {
      unsent: true,
      cause: error,
    });
  const unsent = UNREACHED.has(code);
  return new RemoteAgentError(
    "REMOTE_UNAVAILABLE",
    unsent
      ? `nobody answers at ${url.origin} (${code})`
      : `the connection to ${url.origin} was lost (${code})`,
    { unsent, cause: error },
  );
}

function unavailable(url: URL, what: string, cause?: unknown): RemoteAgentError {
  return new RemoteAgentError("REMOTE_UNAVAILABLE", `${url.origin} ${what}`, { cause });
}

function refused(why: string): RemoteAgentError {
  return new RemoteAgentError("REMOTE_ADDRESS_REFUSED", `its address ${why}`, { unsent: true });
}
