import { AgentCardSchema, type AgentCardSignature, canonicalAgentCard } from "@cleveragents/protocol";
import { base64url, type CryptoKey, decodeProtectedHeader, flattenedVerify, type JWK } from "jose";

export interface CardKey {
  readonly kid: string;
  readonly algorithm: string;
  /** Where the signer says that the key can be had; whether to believe it is the caller's decision. */
  readonly jku: string | undefined;
}

/** The public key that a signature names, from wherever it is trusted; undefined for one that is not. */
export type FindCardKey = (key: CardKey) => Promise<CryptoKey | JWK | undefined>;

export type CardSignatureReason = "UNSIGNED" | "NO_TRUSTED_KEY" | "INVALID";

/** A card whose signatures prove nothing, and why. */
export class CardSignatureError extends Error {
  override readonly name = "CardSignatureError";
  readonly reason: CardSignatureReason;
  constructor(reason: CardSignatureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const ALGORITHMS = [
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
];

/**
 * The key that has signed this card (A2A §8.4.3), in whichever of the two readings of its text; one signature that holds
 * is enough. Throws {@link CardSignatureError}, or a `ZodError` for what is no card.
 */
export async function checkCardSignature(card: unknown, findKey: FindCardKey): Promise<CardKey> {
  const { signatures = [] } = AgentCardSchema.parse(card);
  if (signatures.length === 0) throw new CardSignatureError("UNSIGNED", "the card is not signed");
  const texts = new Set([canonicalAgentCard(card), canonicalAgentCard(card, "lenient")]);
  let trusted = false;
  for (const signature of signatures) {
    const named = keyOf(signature);
    const key = named === undefined ? undefined : await findKey(named);
    if (named === undefined || key === undefined) continue;
    trusted = true;
    for (const text of texts) if (await holds(signature, text, key, named.algorithm)) return named;
  }
  throw trusted
    ? new CardSignatureError("INVALID", "the card is not what was signed, or was signed with another key")
    : new CardSignatureError("NO_TRUSTED_KEY", "no signature of the card names a key that is trusted");
}

function keyOf(signature: AgentCardSignature): CardKey | undefined {
  try {
    const { kid, alg, jku } = decodeProtectedHeader({ protected: signature.protected });
    if (typeof kid !== "string" || alg === undefined || !ALGORITHMS.includes(alg)) return undefined;
    return { kid, algorithm: alg, jku: typeof jku === "string" ? jku : undefined };
  } catch {
    return undefined;
  }
}

async function holds(
  { protected: header, signature }: AgentCardSignature,
  text: string,
  key: CryptoKey | JWK,
  algorithm: string,
): Promise<boolean> {
  try {
    const payload = base64url.encode(text);
    await flattenedVerify({ payload, protected: header, signature }, key, { algorithms: [algorithm] });
    return true;
  } catch {
    return false;
  }
}
