import type { IncomingMessage } from "node:http";
import type { Authenticator, Credentials } from "@cleveragents/protocol";

/** What a request offers. Two headers of one name are none: nobody knows which one a proxy has looked at. */
export function readCredentials({ headers, rawHeaders }: IncomingMessage): Credentials {
  const apiKey = headers["x-api-key"];
  return {
    authorization: isRepeated(rawHeaders, "authorization") ? undefined : headers.authorization,
    "x-api-key": Array.isArray(apiKey) || isRepeated(rawHeaders, "x-api-key") ? undefined : apiKey,
  };
}

/** Node keeps the first of two, or joins them, and says nothing. */
function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const candidate = rawHeaders[i] as string;
    if (candidate.length === name.length && candidate.toLowerCase() === name) seen++;
  }
  return seen > 1;
}

const REALM = 'realm="cleveragents"';

/** `WWW-Authenticate` (RFC 9110 §11.6.1, RFC 6750 §3): an error only where a credential was offered. */
export function challengeOf(schemes: Authenticator["schemes"], credentials: Credentials): string {
  const offered = credentials["authorization"] !== undefined || credentials["x-api-key"] !== undefined;
  const bearer = offered ? `Bearer ${REALM}, error="invalid_token"` : `Bearer ${REALM}`;
  const challenges = schemes.map((scheme) =>
    scheme === "apiKey" ? `ApiKey ${REALM}, header="X-API-Key"` : bearer,
  );
  return challenges.length === 0 ? bearer : [...new Set(challenges)].join(", ");
}

/** For a caller who is known and may not (RFC 6750 §3.1). */
export function insufficientScope(scope: string | undefined): string {
  const named = scope === undefined ? "" : `, scope="${scope}"`;
  return `Bearer ${REALM}, error="insufficient_scope"${named}`;
}
