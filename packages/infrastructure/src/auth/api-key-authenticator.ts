import type { ApiKeyStore, Clock } from "@cleveragents/application";
import type { Authenticator, Credentials, Principal } from "@cleveragents/protocol";
import { presentedSecret } from "./presented-secret.ts";
import { digestOf, sameDigest } from "./secret-digest.ts";

const KEY = /^cak_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/;
const NO_DIGEST = "0".repeat(64);

export interface ApiKeyAuthenticatorDeps {
  readonly clock: Clock;
  readonly keys: Pick<ApiKeyStore, "find">;
}

/** Keys that were minted, looked up by their public part. */
export class ApiKeyAuthenticator implements Authenticator {
  readonly schemes = ["bearer", "apiKey"] as const;
  readonly #clock: Clock;
  readonly #keys: ApiKeyAuthenticatorDeps["keys"];

  constructor(deps: ApiKeyAuthenticatorDeps) {
    this.#clock = deps.clock;
    this.#keys = deps.keys;
  }

  async authenticate(credentials: Credentials): Promise<Principal | undefined> {
    const key = presentedSecret(credentials);
    const id = KEY.exec(key ?? "")?.[1];
    if (key === undefined || id === undefined) return undefined;
    const found = await this.#keys.find(id);
    // Compared also where there is none, so that the time tells nothing.
    const valid = sameDigest(found?.digest ?? NO_DIGEST, digestOf(key));
    if (!valid || found === undefined || found.revokedAt !== undefined) return undefined;
    if (found.expiresAt !== undefined && this.#clock.now() >= found.expiresAt) return undefined;
    return { id: found.principal, scopes: found.scopes, tenants: found.tenants };
  }
}
