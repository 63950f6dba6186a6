import { exportJWK, exportPKCS8, exportSPKI, generateKeyPair, type JWK } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { fetchCardKeys, readCardKeys } from "./card-keys.ts";

const KEY = { kid: "k1", algorithm: "ES256", jku: "https://keys.example/jwks" };
let pem: string;
let privatePem: string;
let jwk: JWK;
beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  [pem, privatePem, jwk] = await Promise.all([
    exportSPKI(publicKey),
    exportPKCS8(privateKey),
    exportJWK(publicKey),
  ]);
});

describe("keys in a file", () => {
  test("are found in PEM, in a JWK with or without a name, and by their name in a set", async () => {
    expect(await readCardKeys(pem)(KEY)).toMatchObject({ type: "public" });
    expect(await readCardKeys(JSON.stringify(jwk))(KEY)).toEqual(jwk);
    expect(await readCardKeys(JSON.stringify({ keys: [{ ...jwk, kid: "k1" }] }))(KEY)).toMatchObject(jwk);
    const set = JSON.stringify({
      keys: [
        { ...jwk, kid: "k0" },
        { ...jwk, kid: "k1" },
      ],
    });
    expect(await readCardKeys(set)(KEY)).toMatchObject({ type: "public" });
    expect(await readCardKeys(set)({ ...KEY, kid: "k2" })).toBeUndefined();
    expect(await readCardKeys(JSON.stringify({ ...jwk, kid: "k0" }))(KEY)).toBeUndefined();
  });

  test("that are no public keys are refused, without a word of what they are", () => {
    const refused = (text: string) => {
      try {
        readCardKeys(text);
        return "taken";
      } catch (error) {
        return String(error);
      }
    };
    for (const text of [privatePem, JSON.stringify({ ...jwk, d: "hidden" })]) {
      expect(refused(text)).toBe("TypeError: this is a private key: use the public one");
    }
    for (const text of ["hidden", "{}", '{"keys":[]}', "[1]", "null"]) {
      expect(refused(text)).toBe(
        "TypeError: this is no key: use a JWK, a set of them, or a public key in PEM",
      );
    }
  });
});

describe("keys that a signature names", () => {
  const served = (keys: JWK[]) => (async () => Response.json({ keys })) as typeof fetch;

  test("are fetched where that address is trusted", async () => {
    const keys = [{ ...jwk, kid: "k1", alg: "ES256" }];
    const trusts = (jku: string) => jku === KEY.jku;
    expect(await fetchCardKeys({ trusts, fetch: served(keys) })(KEY)).toMatchObject({ type: "public" });
    const never = (async () => expect.unreachable()) as unknown as typeof fetch;
    expect(await fetchCardKeys({ trusts: () => false, fetch: never })(KEY)).toBeUndefined();
    expect(await fetchCardKeys({ trusts, fetch: never })({ ...KEY, jku: undefined })).toBeUndefined();
  });

  test("are missing where nobody has them, and it is said why", async () => {
    const failures: string[] = [];
    const onFailure = (jku: string, why: string) => void failures.push(`${jku} ${why}`);
    const find = fetchCardKeys({ trusts: () => true, fetch: served([]), onFailure });
    expect(await find(KEY)).toBeUndefined();
    expect(failures).toEqual([expect.stringMatching(/^https:\/\/keys\.example\/jwks \S/)]);
  });
});
