import { SCOPES, type Scope } from "@cleveragents/protocol";
import { ConfigError } from "./config-error.ts";
import { trustedUrlSetting } from "./url-setting.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Signatures that a public key verifies. With a shared secret whoever verifies could sign, and "none" is none. */
const JWT_ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
] as const;
const USUAL = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];
const MAX_SKEW = 60;

/** Whose bearer tokens are believed, and what they say. */
export interface JwtSettings {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  readonly algorithms: readonly string[];
  readonly clockSkewSeconds: number;
  /** What a token may do that names no scope of ours. */
  readonly defaultScopes: readonly Scope[];
  readonly tenantClaim: string | undefined;
  /** Where the issuer describes itself, for the card. */
  readonly openIdConnectUrl: string | undefined;
}

const NEEDED = ["A2A_JWT_ISSUER", "A2A_JWT_AUDIENCE", "A2A_JWT_JWKS_URL"] as const;
const OTHERS = [
  "A2A_JWT_ALGORITHMS",
  "A2A_JWT_CLOCK_SKEW",
  "A2A_JWT_SCOPES",
  "A2A_JWT_TENANT_CLAIM",
  "A2A_JWT_OIDC_URL",
] as const;

/** Undefined where no token is believed. Throws {@link ConfigError} for what is set by half. */
export function jwtSettings(env: Environment): JwtSettings | undefined {
  if ([...NEEDED, ...OTHERS].every((name) => (env[name] ?? "") === "")) return undefined;
  for (const name of NEEDED)
    if ((env[name] ?? "") === "")
      throw new ConfigError(`${name} is missing: bearer tokens need ${NEEDED.join(", ")}`);
  return {
    issuer: env["A2A_JWT_ISSUER"] as string,
    audience: env["A2A_JWT_AUDIENCE"] as string,
    jwksUrl: trustedUrlSetting("A2A_JWT_JWKS_URL", env["A2A_JWT_JWKS_URL"]) as string,
    algorithms: listOf("A2A_JWT_ALGORITHMS", env, JWT_ALGORITHMS) ?? USUAL,
    clockSkewSeconds: skew(env["A2A_JWT_CLOCK_SKEW"] || "30"),
    defaultScopes: listOf("A2A_JWT_SCOPES", env, SCOPES) ?? [],
    tenantClaim: env["A2A_JWT_TENANT_CLAIM"] || undefined,
    openIdConnectUrl: trustedUrlSetting("A2A_JWT_OIDC_URL", env["A2A_JWT_OIDC_URL"]),
  };
}

function listOf<T extends string>(name: string, env: Environment, known: readonly T[]): T[] | undefined {
  const words = (env[name] ?? "").split(/[\s,]+/).filter((word) => word !== "");
  if (words.length === 0) return undefined;
  return words.map((word) => {
    const found = known.find((candidate) => candidate === word);
    if (found === undefined)
      throw new ConfigError(`${name} names "${word}": use some of ${known.join(", ")}`);
    return found;
  });
}

function skew(text: string): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds >= 0 && seconds <= MAX_SKEW) return seconds;
  throw new ConfigError(`A2A_JWT_CLOCK_SKEW is "${text}": use a number of seconds from 0 to ${MAX_SKEW}`);
}
