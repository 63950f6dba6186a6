import { readFile } from "node:fs/promises";
import { createCardSigner, type SignCard, SigningKeyError } from "@cleveragents/infrastructure/auth";
import { type AgentCard, buildAgentCard, type CardConfig } from "@cleveragents/protocol";
import type { CardSigning } from "../card-settings.ts";
import { ConfigError } from "../config-error.ts";

/** Addresses by which a card is kept; there are as many as names that trusted proxies have for this server. */
const MAX_ADDRESSES = 16;

/** The public card, made and signed once for each address at which the agent is reached. */
export class PublicCard {
  readonly #sign: SignCard | undefined;
  readonly #cards = new Map<string, Promise<AgentCard>>();
  #config: CardConfig | undefined;

  constructor(sign: SignCard | undefined) {
    this.#sign = sign;
  }

  describe(config: CardConfig): void {
    this.#config = config;
    this.#cards.clear();
  }

  at(baseUrl: string | undefined): Promise<AgentCard> {
    const config = this.#config;
    if (config === undefined) throw new Error("the card is asked for before the server listens");
    const address = baseUrl ?? config.baseUrl ?? "";
    const known = this.#cards.get(address);
    if (known !== undefined) return known;
    const made = this.#make({ ...config, baseUrl: address });
    const [oldest] = this.#cards.keys();
    if (this.#cards.size >= MAX_ADDRESSES && oldest !== undefined) this.#cards.delete(oldest);
    this.#cards.set(address, made);
    return made;
  }

  async #make(config: CardConfig): Promise<AgentCard> {
    const card = buildAgentCard(config);
    return this.#sign === undefined ? card : this.#sign(card);
  }
}

/** Throws {@link ConfigError} for a key that cannot be read or cannot sign. */
export async function cardSignerOf(signing: CardSigning | undefined): Promise<SignCard | undefined> {
  if (signing === undefined) return undefined;
  const { key: path, kid, jku } = signing;
  try {
    return await createCardSigner({ key: await readFile(path, "utf8"), kid, jku });
  } catch (error) {
    if (error instanceof SigningKeyError)
      throw new ConfigError(`A2A_CARD_SIGNING_KEY is no key to sign with: ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`the file of A2A_CARD_SIGNING_KEY cannot be read (${code ?? "unknown"})`);
  }
}
