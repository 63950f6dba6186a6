import { StaticTokenAuthenticator } from "@cleveragents/infrastructure/auth";
import {
  type Authenticator,
  type Credentials,
  LOCAL_PRINCIPAL,
  type Principal,
} from "@cleveragents/protocol";

/** The local user's credentials: the present owner's, and what clients of this process have of earlier owners. */
export class LocalTokens implements Authenticator {
  readonly schemes = ["bearer", "apiKey"] as const;
  #tokens: readonly string[] = [];
  #known = new StaticTokenAuthenticator({ tokens: [] });

  constructor(token: string) {
    this.accept(token);
  }

  /** What an owner that follows should go on with. */
  get first(): string {
    return this.#tokens[0] ?? "";
  }

  accept(token: string): void {
    if (this.#tokens.includes(token)) return;
    this.#tokens = [...this.#tokens, token];
    this.#known = new StaticTokenAuthenticator({
      tokens: this.#tokens.map((known) => ({ token: known, principal: LOCAL_PRINCIPAL })),
    });
  }

  authenticate(credentials: Credentials): Promise<Principal | undefined> {
    return this.#known.authenticate(credentials);
  }
}
