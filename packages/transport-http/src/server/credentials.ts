import type { IncomingMessage } from "node:http";
import type { Authenticator, Credentials } from "@cleveragents/protocol";

/** What a request offers. Two `Authorization` headers are none: nobody knows which one a proxy has looked at. */
export function readCredentials({ headers, rawHeaders }: IncomingMessage): Credentials {
  const apiKey = headers["x-api-key"];
  return {
    authorization: isRepeated(rawHeaders, "authorization") ? undefined : headers.authorization,
    "x-api-key": Array.isArray(apiKey) ? undefined : apiKey,
  };
}

/** Node keeps the first of two and says nothing. */
function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const candidate = rawHeaders[i] as string;
    if (candidate.length === name.length && candidate.toLowerCase() === name) seen++;
  }
  return seen > 1;
}

/** `WWW-Authenticate` (RFC 9110 §11.6.1, RFC 6750 §3): an error only where a credential was offered. */
export function challengeOf(schemes: Authenticator["schemes"], credentials: Credentials): string {
  const offered = credentials["authorization"] !== undefined || credentials["x-api-key"] !== undefined;
  const parameters = offered ? 'realm="cleveragents", error="invalid_token"' : 'realm="cleveragents"';
  const challenges = schemes.map((scheme) =>
    scheme === "bearer" ? `Bearer ${parameters}` : 'ApiKey realm="cleveragents", header="X-API-Key"',
  );
  return challenges.length === 0 ? `Bearer ${parameters}` : challenges.join(", ");
}
