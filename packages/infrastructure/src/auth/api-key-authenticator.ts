import type { Clock } from "@cleveragents/application";
import type { Authenticator, Credentials, Principal } from "@cleveragents/protocol";
import { presentedSecret } from "./presented-secret.ts";
import { digestOf, sameDigest } from "./secret-digest.ts";

const KEY = /^cak_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/;
const NO_DIGEST = "0".repeat(64);

export interface ApiKeyRecord {
  /** The public part of the key. */
  readonly id: string;
  /** SHA-256 of the whole key, in hexadecimal. */
  readonly digest: string;
  readonly principal: Principal;
  /** Milliseconds; without it the key does not expire. */
  readonly expiresAt?: number;
}
export interface ApiKeyAuthenticatorDeps {
  readonly clock: Clock;
  /** Undefined for an id that is unknown or revoked. */
  readonly find: (id: string) => Promise<ApiKeyRecord | undefined>;
}

/** Keys that were minted, looked up by their public part. */
export class ApiKeyAuthenticator implements Authenticator {
  readonly schemes = ["bearer", "apiKey"] as const;
  readonly #clock: Clock;
  readonly #find: ApiKeyAuthenticatorDeps["find"];

  constructor(deps: ApiKeyAuthenticatorDeps) {
    this.#clock = deps.clock;
    this.#find = deps.find;
  }

  async authenticate(credentials: Credentials): Promise<Principal | undefined> {
    const key = presentedSecret(credentials);
    const id = KEY.exec(key ?? "")?.[1];
    if (key === undefined || id === undefined) return undefined;
    const record = await this.#find(id);
    const valid = sameDigest(record?.digest ?? NO_DIGEST, digestOf(key));
    if (!valid || record === undefined) return undefined;
    return record.expiresAt === undefined || this.#clock.now() < record.expiresAt
      ? record.principal
      : undefined;
  }
}
