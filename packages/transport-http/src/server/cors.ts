import type { Headers } from "./http-answer.ts";

const EXPOSED = "A2A-Extensions, X-A2A-Extensions, A2A-Version, ETag, Retry-After, WWW-Authenticate";
const ACCEPTED =
  "Authorization, X-API-Key, Content-Type, A2A-Version, A2A-Extensions, X-A2A-Extensions, Last-Event-ID, traceparent";

/**
 * Headers that let a page of this origin read the answer. Only origins that the operator named get any: pages on other
 * loopback ports would otherwise drive a server that asks for no credential. Cookies are never involved.
 */
export function corsHeaders(origin: string | undefined, allowedOrigins: readonly string[]): Headers {
  if (allowedOrigins.length === 0) return {};
  if (origin === undefined || !allowedOrigins.includes(origin)) return { vary: "Origin" };
  return { "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED, vary: "Origin" };
}

/** What a preflight asks for besides; it never carries credentials. */
export function preflightHeaders(allow: string): Headers {
  return {
    "access-control-allow-methods": allow,
    "access-control-allow-headers": ACCEPTED,
    "access-control-max-age": "600",
  };
}
