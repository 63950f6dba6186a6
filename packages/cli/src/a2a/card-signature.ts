import {
  type CardKey,
  CardSignatureError,
  checkCardSignature,
  type FindCardKey,
  fetchCardKeys,
  readCardKeys,
} from "@cleveragents/transport-http/client";
import type { CliContext } from "../context.ts";
import { a2aError } from "./a2a-errors.ts";

export interface SignatureOptions {
  /** A file with keys that the user trusts; else those that the card names. */
  readonly keyFile: string | undefined;
  /** Where the card is from; undefined for a file. */
  readonly url: string | undefined;
}

/**
 * Says in words what the card's signatures prove. One that does not hold is an error, and so is one that is not by the
 * key that the user named; a card may be unsigned, and a key may be out of reach.
 */
export async function signatureWords(
  card: object,
  { keyFile, url }: SignatureOptions,
  context: Pick<CliContext, "fetch" | "readFile">,
): Promise<string> {
  const { signatures } = card as { signatures?: unknown };
  if (!Array.isArray(signatures) || signatures.length === 0) {
    if (keyFile !== undefined) throw a2aError("CARD_INVALID", "the card is not signed");
    return "none";
  }
  if (!("supportedInterfaces" in card)) return "not checked: A2A 0.3 does not say what is signed";
  const failures: string[] = [];
  const find =
    keyFile === undefined
      ? fetchCardKeys({
          trusts: (jku) => mayBeAsked(jku, url),
          fetch: context.fetch,
          onFailure: (jku, why) => void failures.push(`${jku}: ${why}`),
        })
      : await keysIn(keyFile, context);
  try {
    const key = await checkCardSignature(card, find);
    return `verified, ${key.algorithm} by ${key.kid}${origin(key, keyFile)}`;
  } catch (error) {
    if (!(error instanceof CardSignatureError)) throw error;
    if (error.reason === "NO_TRUSTED_KEY" && keyFile === undefined)
      return ["not checked: no key could be had (give one with --key FILE)", ...failures].join("; ");
    throw a2aError("CARD_INVALID", error.message, { cause: error });
  }
}

/** Where the key is from, which is whom the signature proves something of. */
function origin({ jku }: CardKey, keyFile: string | undefined): string {
  if (keyFile !== undefined) return ` (a key in ${keyFile})`;
  return jku === undefined ? "" : ` (a key of ${new URL(jku).host})`;
}

/** A card must not make us ask inside somebody's network, nor over a wire that anybody can write on. */
function mayBeAsked(jku: string, cardUrl: string | undefined): boolean {
  if (!URL.canParse(jku)) return false;
  const { protocol, origin: at } = new URL(jku);
  return protocol === "https:" || (cardUrl !== undefined && at === new URL(cardUrl).origin);
}

async function keysIn(file: string, { readFile }: Pick<CliContext, "readFile">): Promise<FindCardKey> {
  const text = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw a2aError("USAGE", `cannot read ${file}: ${cause.code ?? cause.message}`, { cause });
  });
  try {
    return readCardKeys(text);
  } catch (cause) {
    throw a2aError("USAGE", `${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
