import { createPrivateKey, type KeyObject } from "node:crypto";
import { type AgentCard, type AgentCardSignature, canonicalAgentCard } from "@cleveragents/protocol";
import { FlattenedSign } from "jose";

export interface CardSignerOptions {
  /** The text of a private key: PEM (PKCS #8, SEC 1, PKCS #1) or a JWK. */
  readonly key: string;
  /** Name of the key; the JWK's own by default. */
  readonly kid?: string | undefined;
  /** Where the public key can be had. */
  readonly jku?: string | undefined;
}

export type SignCard = (card: AgentCard) => Promise<AgentCard>;

/** A key that cards cannot be signed with; says why, and nothing of the key. */
export class SigningKeyError extends Error {
  override readonly name = "SigningKeyError";
}

interface SigningKey {
  readonly key: KeyObject;
  readonly algorithm: string;
  readonly kid: string | undefined;
}

/**
 * Signs cards (A2A §8.4). Where the A2A SDKs see another text than the specification's in a card, there is a signature of
 * each, since a reader is content with one. Throws {@link SigningKeyError}, before any card is there to be signed.
 */
export async function createCardSigner(options: CardSignerOptions): Promise<SignCard> {
  const { key, algorithm, kid: own } = read(options.key);
  const kid = options.kid ?? own;
  if (kid === undefined) throw new SigningKeyError("the key has no name: set the key id");
  const header = {
    alg: algorithm,
    typ: "JOSE",
    kid,
    ...(options.jku === undefined ? {} : { jku: options.jku }),
  };
  const sign = async (text: string): Promise<AgentCardSignature> => {
    const jws = await new FlattenedSign(new TextEncoder().encode(text)).setProtectedHeader(header).sign(key);
    return { protected: jws.protected as string, signature: jws.signature };
  };
  await sign("{}").catch((error: unknown) => {
    throw new SigningKeyError(`the key cannot sign with ${algorithm}`, { cause: error });
  });
  return async (card) => {
    const texts = new Set([canonicalAgentCard(card), canonicalAgentCard(card, "lenient")]);
    return { ...card, signatures: await Promise.all([...texts].map(sign)) };
  };
}

function read(text: string): SigningKey {
  const jwk = text.trimStart().startsWith("{") ? parse(text) : undefined;
  let key: KeyObject;
  try {
    key = jwk === undefined ? createPrivateKey(text) : createPrivateKey({ key: jwk, format: "jwk" });
  } catch (error) {
    throw new SigningKeyError("it holds no private key, PEM or JWK, without a passphrase", { cause: error });
  }
  const word = (name: string) => (typeof jwk?.[name] === "string" ? (jwk[name] as string) : undefined);
  return { key, algorithm: word("alg") ?? algorithmOf(key), kid: word("kid") };
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new SigningKeyError("it is neither PEM nor JSON", { cause: error });
  }
}

const CURVES: Readonly<Record<string, string>> = {
  prime256v1: "ES256",
  secp384r1: "ES384",
  secp521r1: "ES512",
};

function algorithmOf(key: KeyObject): string {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const algorithm =
    type === "rsa"
      ? "RS256"
      : type === "ed25519"
        ? "EdDSA"
        : type === "ec"
          ? CURVES[details?.namedCurve ?? ""]
          : undefined;
  if (algorithm === undefined)
    throw new SigningKeyError(`a key of type ${type} signs no card: use EC, Ed25519 or RSA`);
  return algorithm;
}
