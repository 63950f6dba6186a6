import type { Authenticator, Credentials, Principal } from "@cleveragents/protocol";

/** Accepts what any of several accepts, the first first. */
export class AnyAuthenticator implements Authenticator {
  readonly schemes: Authenticator["schemes"];
  readonly #authenticators: readonly Authenticator[];

  constructor(authenticators: readonly Authenticator[]) {
    this.#authenticators = authenticators;
    this.schemes = [...new Set(authenticators.flatMap((authenticator) => authenticator.schemes))];
  }

  async authenticate(credentials: Credentials): Promise<Principal | undefined> {
    for (const authenticator of this.#authenticators) {
      const principal = await authenticator.authenticate(credentials);
      if (principal !== undefined) return principal;
    }
    return undefined;
  }
}
