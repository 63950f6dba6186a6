import { buildAgentCard, canonicalAgentCard, toBlendedAgentCard } from "@cleveragents/protocol";
import { exportJWK, FlattenedSign, generateKeyPair } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { CardSignatureError, checkCardSignature } from "./check-card-signature.ts";

const CARD = buildAgentCard({
  version: "1",
  baseUrl: "https://agents.example",
  schemes: ["bearer"],
  retentionSeconds: 1,
});
let pair: Awaited<ReturnType<typeof generateKeyPair>>;
beforeAll(async () => {
  pair = await generateKeyPair("ES256");
});

async function sign(text: string, header: object = { kid: "k1", jku: "https://keys.example/jwks" }) {
  const signer = new FlattenedSign(new TextEncoder().encode(text));
  const jws = await signer.setProtectedHeader({ alg: "ES256", typ: "JOSE", ...header }).sign(pair.privateKey);
  return { protected: jws.protected as string, signature: jws.signature };
}

const trusted = async ({ kid }: { readonly kid: string }) =>
  kid === "k1" ? exportJWK(pair.publicKey) : undefined;
const reasonOf = async (card: unknown, find = trusted) => {
  const refused: unknown = await checkCardSignature(card, find).catch((error: unknown) => error);
  return refused instanceof CardSignatureError ? refused.reason : refused;
};

describe("the signature of a card", () => {
  it.each(["strict", "lenient"] as const)(
    "over its %s text holds, and says with which key",
    async (reading) => {
      const signed = { ...CARD, signatures: [await sign(canonicalAgentCard(CARD, reading))] };
      const key = { kid: "k1", algorithm: "ES256", jku: "https://keys.example/jwks" };
      expect(await checkCardSignature(signed, trusted)).toEqual(key);
      expect(await checkCardSignature(toBlendedAgentCard(signed), trusted)).toEqual(key);
    },
  );

  it("holds where one of several does", async () => {
    const text = canonicalAgentCard(CARD);
    const signatures = [
      { protected: "!", signature: "!" },
      await sign(text, { kid: "unknown" }),
      await sign("{}"),
      await sign(text),
    ];
    expect(await checkCardSignature({ ...CARD, signatures }, trusted)).toMatchObject({ kid: "k1" });
  });

  it("of another card proves nothing", async () => {
    const signed = { ...CARD, signatures: [await sign(canonicalAgentCard(CARD))] };
    expect(await reasonOf({ ...signed, name: "Another" })).toBe("INVALID");
    expect(await reasonOf({ ...signed, securitySchemes: {} })).toBe("INVALID");
  });

  it("that is not there, or of nobody who is trusted, is told", async () => {
    expect(await reasonOf(CARD)).toBe("UNSIGNED");
    const stranger = [await sign(canonicalAgentCard(CARD), { kid: "unknown" })];
    expect(await reasonOf({ ...CARD, signatures: stranger })).toBe("NO_TRUSTED_KEY");
    const unnamed = [await sign(canonicalAgentCard(CARD), {})];
    expect(await reasonOf({ ...CARD, signatures: unnamed })).toBe("NO_TRUSTED_KEY");
  });
});
