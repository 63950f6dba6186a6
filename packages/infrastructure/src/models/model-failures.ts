import { ModelError, type ModelErrorFacts, type ModelErrorReason } from "@cleveragents/application";
import type { Provider } from "@cleveragents/domain";

const TOO_LONG =
  /context.?length|context.?window|maximum context|prompt is too long|too many (input )?tokens|exceeds? the (available |model's )?context|input is too long/i;
const NO_MONEY = /insufficient_quota|billing|credit balance/i;

/** What a status other than success means. The provider's words are quoted, without anything like a key. */
export function failedStatus(
  provider: string,
  status: number,
  headers: Headers,
  body: string,
  key: string | undefined,
): ModelError {
  const said = wordsOf(body, key);
  const quoted = said === "" ? "" : `: ${said}`;
  const of = (reason: ModelErrorReason, words: string, facts?: ModelErrorFacts) =>
    new ModelError(reason, `${provider} ${words}${quoted}`, facts);
  // Words about a key may quote it in part.
  if (status === 401 || status === 403)
    return new ModelError(
      "MODEL_AUTH",
      `${provider} refuses ${key === undefined ? "a request without a key" : "the key"} (${status})`,
    );
  if (status === 402 || (status === 429 && NO_MONEY.test(body)))
    return of("MODEL_AUTH", `says that the account has nothing left (${status})`);
  const retryAfterMs = retryAfter(headers);
  const later = { transient: true, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  if (status === 429) return of("MODEL_RATE_LIMITED", "takes no more requests for now (429)", later);
  if (status === 413 || (status === 400 && TOO_LONG.test(body)))
    return of("MODEL_CONTEXT_TOO_LONG", "says that the request is too long for the model");
  if (status === 408 || status === 425 || status >= 500)
    return of("MODEL_UNAVAILABLE", status === 529 ? "is overloaded (529)" : `has failed (${status})`, later);
  if (status === 404) return of("MODEL_BAD_REQUEST", "has no such model, or nothing at its address (404)");
  return of("MODEL_BAD_REQUEST", `does not take the request (${status})`);
}

/** An error that came in the middle of a stream that had begun as a success. */
export function failedInStream(provider: string, error: unknown, key: string | undefined): ModelError {
  const type = String((error as { type?: unknown; code?: unknown } | null)?.type ?? "");
  const body = JSON.stringify({ error });
  const status = /rate_limit/.test(type)
    ? 429
    : /overloaded/.test(type)
      ? 529
      : TOO_LONG.test(body)
        ? 400
        : 500;
  return failedStatus(provider, status, new Headers(), body, key);
}

export function cutOff(provider: string): ModelError {
  return new ModelError("MODEL_UNAVAILABLE", `${provider} has ended in the middle of its answer`, {
    transient: true,
  });
}

/** The connection failed: nothing of the address is told, which may be the operator's own. */
export function unreachable(provider: Provider, error: unknown): unknown {
  if (error instanceof ModelError) return error;
  const cause =
    error instanceof Error ? (error.cause as { code?: unknown; message?: unknown } | undefined) : undefined;
  const code = typeof cause?.code === "string" ? ` (${cause.code})` : "";
  const redirected = /redirect/i.test(String(cause?.message ?? "")) ? " (it redirects elsewhere)" : "";
  return new ModelError("MODEL_UNAVAILABLE", `${provider.name} cannot be reached${code}${redirected}`, {
    transient: redirected === "",
    cause: error,
  });
}

/** As the error says that something of the answer had come. */
export function asBegun(error: unknown, begun: boolean): unknown {
  if (!begun || !(error instanceof ModelError)) return error;
  const { reason, message, transient, retryAfterMs, cause } = error;
  return new ModelError(reason, message, {
    transient,
    begun: true,
    cause,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function retryAfter(headers: Headers): number | undefined {
  const ms = Number(headers.get("retry-after-ms") ?? "NaN");
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const value = headers.get("retry-after");
  if (value === null || value.trim() === "") return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  const now = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - (Number.isNaN(now) ? Date.now() : now));
}

function wordsOf(body: string, key: string | undefined): string {
  const said = messageIn(body);
  const hidden = key === undefined || key === "" ? said : said.replaceAll(key, "[key]");
  return hidden
    .replace(/\b(sk|key|pk|gsk|xai)-[\w*.-]{4,}/gi, "[key]")
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, "$1")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 300);
}

function messageIn(body: string): string {
  try {
    const parsed = JSON.parse(body) as {
      error?: { message?: unknown } | string;
      message?: unknown;
      detail?: unknown;
    };
    const { error } = parsed;
    const found = typeof error === "string" ? error : (error?.message ?? parsed.message ?? parsed.detail);
    return typeof found === "string" ? found : "";
  } catch {
    // A page for people, of a proxy in between.
    return body.trimStart().startsWith("<") ? "" : body;
  }
}
