import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  importSPKI,
  importX509,
  type JSONWebKeySet,
  type JWK,
} from "jose";
import type { CardKey, FindCardKey } from "./check-card-signature.ts";

/**
 * Keys that somebody trusts, as a text: a JWK, a set of them (JWKS), or a public key or certificate in PEM. One that has no
 * name, or is the only one, is for every signature. Throws a `TypeError` for what is none of these, or a private key.
 */
export function readCardKeys(text: string): FindCardKey {
  if (text.includes("-----BEGIN ")) return fromPem(text);
  const { keys } = jwksOf(text);
  const [only] = keys;
  if (only !== undefined && keys.length === 1) return async ({ kid }) => named(only, kid);
  const find = createLocalJWKSet({ keys: [...keys] });
  return async ({ kid, algorithm }) => find({ kid, alg: algorithm }).catch(() => undefined);
}

function fromPem(text: string): FindCardKey {
  if (text.includes("PRIVATE KEY-----")) throw new TypeError("this is a private key: use the public one");
  const read = text.includes("-----BEGIN CERTIFICATE-----") ? importX509 : importSPKI;
  return async ({ algorithm }) => read(text, algorithm).catch(() => undefined);
}

function named(key: JWK, kid: string): JWK | undefined {
  return key.kid === undefined || key.kid === kid ? key : undefined;
}

function jwksOf(text: string): { readonly keys: readonly JWK[] } {
  const json = parse(text) as Partial<JSONWebKeySet & JWK> | null | undefined;
  const keys: readonly JWK[] = Array.isArray(json?.keys) ? json.keys : [json as JWK];
  if (keys.length === 0 || !keys.every((key) => typeof key?.kty === "string"))
    throw new TypeError("this is no key: use a JWK, a set of them, or a public key in PEM");
  if (keys.some((key) => "d" in key || key.kty === "oct"))
    throw new TypeError("this is a private key: use the public one");
  return { keys };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface FetchCardKeysOptions {
  /** Whether a key from there says anything: whoever signs chooses the address. */
  readonly trusts: (jku: string) => boolean;
  readonly fetch?: typeof fetch | undefined;
  /** Told why keys could not be had. */
  readonly onFailure?: ((jku: string, why: string) => void) | undefined;
}

/** The keys that signatures themselves name by `jku` (A2A §8.4.3). */
export function fetchCardKeys({ trusts, fetch, onFailure }: FetchCardKeysOptions): FindCardKey {
  return async ({ jku, kid, algorithm }: CardKey) => {
    if (jku === undefined || !trusts(jku)) return undefined;
    const find = createRemoteJWKSet(new URL(jku), fetch === undefined ? {} : { [customFetch]: fetch });
    try {
      return await find({ kid, alg: algorithm });
    } catch (error) {
      onFailure?.(jku, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
}
