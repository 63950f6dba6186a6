import type { Clock, Logger } from "@cleveragents/application";
import {
  type Authenticator,
  type Credentials,
  type Principal,
  ProtocolError,
  SCOPES,
  type Scope,
} from "@cleveragents/protocol";
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from "jose";
import { presentedBearer } from "./presented-secret.ts";

export interface JwtAuthenticatorDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  /** The only algorithms that are accepted; none of them with a shared secret. */
  readonly algorithms: readonly string[];
  readonly clockSkewSeconds: number;
  /** What a token may do that names no scope of ours. */
  readonly defaultScopes: readonly Scope[];
  /** The claim that lists the caller's tenants. */
  readonly tenantClaim?: string | undefined;
  /** How long the keys are not asked for again, whether they could be had or not. */
  readonly coolDownMs?: number | undefined;
}

const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const COOL_DOWN_MS = 30_000;
const AFTER_FAILURE_MS = 5000;
const KEYS_TIMEOUT_MS = 5000;
const KEYS_AGE_MS = 600_000;
const MAX_SUBJECT = 200;

/** Faults of the token itself; everything else is a fault of whoever keeps the keys. */
const TOKEN_FAULTS = [
  errors.JWTInvalid,
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
] as const;

/**
 * Bearer tokens of one issuer, verified with the keys that it publishes. Where these cannot be had, nobody's token is
 * wrong: `AuthenticationUnavailable` is thrown.
 */
export class JwtAuthenticator implements Authenticator {
  readonly schemes = ["jwt"] as const;
  readonly #deps: JwtAuthenticatorDeps;
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: JwtAuthenticatorDeps) {
    this.#deps = deps;
    this.#keys = createRemoteJWKSet(new URL(deps.jwksUrl), {
      cooldownDuration: deps.coolDownMs ?? COOL_DOWN_MS,
      cacheMaxAge: KEYS_AGE_MS,
      timeoutDuration: KEYS_TIMEOUT_MS,
      [customFetch]: (url, options) => this.#fetchKeys(url, options),
    });
  }

  async authenticate(credentials: Credentials): Promise<Principal | undefined> {
    const token = presentedBearer(credentials);
    if (token === undefined || !TOKEN.test(token)) return undefined;
    const payload = await this.#verify(token);
    return payload === undefined ? undefined : this.#principalOf(payload);
  }

  async #verify(token: string): Promise<JWTPayload | undefined> {
    const { clock, logger, issuer, audience, algorithms, clockSkewSeconds } = this.#deps;
    try {
      const { payload } = await jwtVerify(token, this.#keys, {
        issuer,
        audience,
        algorithms: [...algorithms],
        clockTolerance: clockSkewSeconds,
        currentDate: new Date(clock.now()),
        requiredClaims: ["exp", "sub"],
      });
      return payload;
    } catch (error) {
      if (TOKEN_FAULTS.some((fault) => error instanceof fault)) return undefined;
      logger.warn(
        { jwksUrl: this.#deps.jwksUrl, error: error instanceof Error ? error.message : String(error) },
        "the keys of the issuer of tokens cannot be had",
      );
      throw new ProtocolError("AuthenticationUnavailable", { cause: error });
    }
  }

  #principalOf(payload: JWTPayload): Principal | undefined {
    const { issuer, defaultScopes, tenantClaim } = this.#deps;
    const { sub } = payload;
    if (typeof sub !== "string" || sub === "" || sub.length > MAX_SUBJECT) return undefined;
    const named = wordsOf(payload["scope"]).concat(wordsOf(payload["scp"]));
    const scopes = SCOPES.filter((scope) => named.includes(scope));
    return {
      id: `jwt:${issuer}#${sub}`,
      scopes: scopes.length === 0 ? defaultScopes : scopes,
      tenants: tenantClaim === undefined ? [] : listOf(payload[tenantClaim]),
    };
  }

  /** An issuer that does not answer is not asked again at once, lest tokens of strangers become requests to it. */
  async #fetchKeys(url: string, options: Parameters<typeof fetch>[1]): Promise<Response> {
    const { clock } = this.#deps;
    if (clock.now() - this.#failedAt < AFTER_FAILURE_MS) throw new Error("they could not be had just now");
    try {
      const response = await fetch(url, options);
      if (!response.ok) this.#failedAt = clock.now();
      return response;
    } catch (error) {
      this.#failedAt = clock.now();
      throw error;
    }
  }
}

/** `scope` is words in one text (RFC 8693 §4.2); `scp` is that or a list. */
function wordsOf(claim: unknown): string[] {
  return listOf(claim).flatMap((text) => text.split(" "));
}

function listOf(claim: unknown): string[] {
  return (Array.isArray(claim) ? claim : [claim]).filter((one) => typeof one === "string" && one !== "");
}
