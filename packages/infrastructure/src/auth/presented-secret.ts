import type { Credentials } from "@cleveragents/protocol";

const BEARER = /^Bearer[ \t]+(\S+)$/i;

/**
 * The one secret that a caller presents: `Authorization: Bearer …` or `X-API-Key: …`. Two different ones are none,
 * so that no two readers of a request can take it for two callers.
 */
export function presentedSecret(credentials: Credentials): string | undefined {
  const presented = new Set(
    [bearerOf(credentials), credentials["x-api-key"]?.trim()].filter(
      (secret) => secret !== undefined && secret !== "",
    ),
  );
  const [secret] = presented;
  return presented.size === 1 ? secret : undefined;
}

/** The bearer token of a caller who presents nothing else. */
export function presentedBearer(credentials: Credentials): string | undefined {
  const bearer = bearerOf(credentials);
  return bearer === presentedSecret(credentials) ? bearer : undefined;
}

function bearerOf(credentials: Credentials): string | undefined {
  return BEARER.exec(credentials["authorization"]?.trim() ?? "")?.[1];
}
