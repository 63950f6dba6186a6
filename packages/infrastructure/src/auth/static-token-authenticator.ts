import type { Authenticator, Credentials, Principal } from "@cleveragents/protocol";
import { presentedSecret } from "./presented-secret.ts";
import { digestOf, sameDigest } from "./secret-digest.ts";

export interface StaticToken {
  readonly token: string;
  readonly principal: Principal;
}
export interface StaticTokenAuthenticatorDeps {
  readonly tokens: readonly StaticToken[];
}

/** Secrets known at the start: the discovery file's token, the bootstrap key. Keeps only their digests. */
export class StaticTokenAuthenticator implements Authenticator {
  readonly schemes = ["bearer", "apiKey"] as const;
  readonly #known: readonly { readonly digest: string; readonly principal: Principal }[];

  /** Throws if a token is empty, which is a setting that was forgotten. */
  constructor({ tokens }: StaticTokenAuthenticatorDeps) {
    this.#known = tokens.map(({ token, principal }) => {
      if (token.trim() === "") throw new Error(`the token of ${principal.id} is empty`);
      return { digest: digestOf(token), principal };
    });
  }

  async authenticate(credentials: Credentials): Promise<Principal | undefined> {
    const secret = presentedSecret(credentials);
    if (secret === undefined) return undefined;
    const digest = digestOf(secret);
    let principal: Principal | undefined;
    // All of them, so that the time does not tell which one it was.
    for (const known of this.#known) if (sameDigest(known.digest, digest)) principal ??= known.principal;
    return principal;
  }
}
