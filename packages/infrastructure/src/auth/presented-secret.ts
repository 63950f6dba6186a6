import type { Credentials } from "@cleveragents/protocol";

const BEARER = /^Bearer +(\S+)$/i;

/**
 * The one secret that a caller presents: `Authorization: Bearer …` or `X-API-Key: …`. Two different ones are none,
 * so that no two readers of a request can take it for two callers.
 */
export function presentedSecret(credentials: Credentials): string | undefined {
  const bearer = BEARER.exec(credentials["authorization"]?.trim() ?? "")?.[1];
  const apiKey = credentials["x-api-key"]?.trim();
  const presented = new Set([bearer, apiKey].filter((secret) => secret !== undefined && secret !== ""));
  const [secret] = presented;
  return presented.size === 1 ? secret : undefined;
}
