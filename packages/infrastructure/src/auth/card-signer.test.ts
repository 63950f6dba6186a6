import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { type AgentCard as SdkAgentCard, verifyAgentCardSignature } from "@a2a-js/sdk";
import {
  type AgentCard,
  buildAgentCard,
  canonicalAgentCard,
  toBlendedAgentCard,
} from "@cleveragents/protocol";
import { base64url, decodeProtectedHeader, flattenedVerify } from "jose";
import { describe, expect, it, vi } from "vitest";
import { createCardSigner, SigningKeyError } from "./card-signer.ts";

const CARD = buildAgentCard({
  version: "1",
  baseUrl: "https://agents.example",
  schemes: ["bearer", "apiKey"],
  retentionSeconds: 1,
});
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }) as string;
const jwk = (key: KeyObject, more: object = {}) =>
  JSON.stringify({ ...key.export({ format: "jwk" }), ...more });

/** Whether jose finds a signature of this text among those of the card. */
async function isSigned(card: AgentCard, text: string, key: KeyObject): Promise<boolean> {
  const payload = base64url.encode(text);
  const checked = await Promise.allSettled(
    (card.signatures ?? []).map(({ protected: header, signature }) =>
      flattenedVerify({ payload, protected: header, signature }, key),
    ),
  );
  return checked.some(({ status }) => status === "fulfilled");
}

describe("a signed card", () => {
  it.each<[string, string, { privateKey: KeyObject; publicKey: KeyObject }]>([
    ["P-256", "ES256", ec],
    ["P-384", "ES384", generateKeyPairSync("ec", { namedCurve: "P-384" })],
    ["Ed25519", "EdDSA", generateKeyPairSync("ed25519")],
    ["RSA", "RS256", generateKeyPairSync("rsa", { modulusLength: 2048 })],
  ])("with a key of %s can be verified over the specification's text", async (_, alg, pair) => {
    const sign = await createCardSigner({
      key: pem(pair.privateKey),
      kid: "k1",
      jku: "https://keys.example/jwks",
    });
    const signed = await sign(CARD);
    expect(signed).toMatchObject(CARD);
    expect(decodeProtectedHeader(signed.signatures?.[0] ?? {})).toEqual({
      alg,
      typ: "JOSE",
      kid: "k1",
      jku: "https://keys.example/jwks",
    });
    expect(await isSigned(signed, canonicalAgentCard(signed), pair.publicKey)).toBe(true);
    const changed = canonicalAgentCard({ ...signed, name: "Another" });
    expect(await isSigned(signed, changed, pair.publicKey)).toBe(false);
  });

  it("is verified by the SDK, as the pure card and as the blended one", async () => {
    const sign = await createCardSigner({ key: jwk(ec.privateKey, { kid: "own" }) });
    const signed = await sign(CARD);
    const verify = verifyAgentCardSignature(async (kid) => {
      expect(kid).toBe("own");
      return ec.publicKey;
    });
    // As received: of what `fromJSON` makes of it, the SDK forgets the security schemes.
    const received = (card: object) => card as SdkAgentCard;
    await verify(received(signed));
    await verify(received(toBlendedAgentCard(signed)));
    vi.spyOn(console, "debug").mockReturnValue();
    await expect(verify(received({ ...signed, version: "2" }))).rejects.toThrow();
    vi.restoreAllMocks();
  });

  it("has one signature where the SDK sees the same text", async () => {
    const sign = await createCardSigner({ key: jwk(ec.privateKey), kid: "k" });
    const { securityRequirements: _, securitySchemes: __, ...open } = CARD;
    expect((await sign(open)).signatures).toHaveLength(1);
    expect((await sign(CARD)).signatures).toHaveLength(2);
  });
});

describe("a key that cannot sign is refused before there is a card", () => {
  const weak = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const encrypted = ec.privateKey.export({
    type: "pkcs8",
    format: "pem",
    cipher: "aes-256-cbc",
    passphrase: "x",
  }) as string;
  it.each<[string, string]>([
    ["nothing", ""],
    ["nonsense", "secret-nonsense"],
    ["broken JSON", '{"kty":"EC","d":"secret'],
    ["a public key", ec.publicKey.export({ type: "spki", format: "pem" }) as string],
    ["a public JWK", jwk(ec.publicKey)],
    ["an encrypted key", encrypted],
    ["a weak key", pem(weak.privateKey)],
    ["a key that only agrees", pem(generateKeyPairSync("x25519").privateKey)],
    ["an algorithm of another kind", jwk(ec.privateKey, { alg: "RS256" })],
  ])("%s", async (_, key) => {
    const refused: unknown = await createCardSigner({ key, kid: "k" }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SigningKeyError);
    expect(String(refused)).not.toContain("secret");
  });

  it("a key without a name", async () => {
    await expect(createCardSigner({ key: pem(ec.privateKey) })).rejects.toThrow(/key id/);
  });
});
