import type { ApiKey } from "@cleveragents/application";
import { type Credentials, LOCAL_PRINCIPAL, type Principal } from "@cleveragents/protocol";
import { describe, expect, it } from "vitest";
import { AnyAuthenticator } from "./any-authenticator.ts";
import { ApiKeyAuthenticator } from "./api-key-authenticator.ts";
import { mintApiKey } from "./mint-api-key.ts";
import { StaticTokenAuthenticator } from "./static-token-authenticator.ts";

const OTHER: Principal = { id: "other", scopes: ["task:read"] };
const bearer = (token: string): Credentials => ({ authorization: `Bearer ${token}` });

describe("StaticTokenAuthenticator", () => {
  const authenticator = new StaticTokenAuthenticator({
    tokens: [
      { token: "first-token", principal: LOCAL_PRINCIPAL },
      { token: "second-token", principal: OTHER },
    ],
  });

  it("knows the caller by a bearer token or an API key", async () => {
    expect(await authenticator.authenticate(bearer("first-token"))).toBe(LOCAL_PRINCIPAL);
    expect(await authenticator.authenticate({ "x-api-key": "second-token" })).toBe(OTHER);
    expect(await authenticator.authenticate({ authorization: "bearer  first-token " })).toBe(LOCAL_PRINCIPAL);
  });

  it.each<[string, Credentials]>([
    ["nothing", {}],
    ["an empty key", { "x-api-key": "" }],
    ["an empty bearer token", { authorization: "Bearer " }],
    ["another token", bearer("third-token")],
    ["the beginning of a token", bearer("first")],
    ["a token in another case", bearer("FIRST-TOKEN")],
    ["a token with more behind it", bearer("first-token x")],
    ["another scheme", { authorization: "Basic first-token" }],
    ["a token without a scheme", { authorization: "first-token" }],
    ["two different secrets", { authorization: "Bearer first-token", "x-api-key": "second-token" }],
    ["a good and a bad one", { authorization: "Bearer first-token", "x-api-key": "nonsense" }],
  ])("does not know who presents %s", async (_, credentials) => {
    expect(await authenticator.authenticate(credentials)).toBeUndefined();
  });

  it("takes the same secret in both places for one", async () => {
    expect(
      await authenticator.authenticate({ authorization: "Bearer first-token", "x-api-key": "first-token" }),
    ).toBe(LOCAL_PRINCIPAL);
  });

  it("refuses to begin with an empty token", () => {
    expect(() => new StaticTokenAuthenticator({ tokens: [{ token: " ", principal: OTHER }] })).toThrow(
      /is empty/,
    );
  });

  it("declares what it accepts", () => {
    expect(authenticator.schemes).toEqual(["bearer", "apiKey"]);
  });
});

describe("ApiKeyAuthenticator", () => {
  const minted = mintApiKey();
  const brief = mintApiKey();
  const revoked = mintApiKey();
  const keyOf = ({ keyId, digest }: ReturnType<typeof mintApiKey>, more: Partial<ApiKey> = {}): ApiKey => ({
    keyId,
    digest,
    name: "x",
    principal: OTHER.id,
    scopes: OTHER.scopes,
    tenants: ["acme"],
    createdAt: 0,
    ...more,
  });
  const known = [keyOf(minted), keyOf(brief, { expiresAt: 1000 }), keyOf(revoked, { revokedAt: 1 })];
  let now = 0;
  const finding = (find: (keyId: string) => Promise<ApiKey | undefined>) =>
    new ApiKeyAuthenticator({ clock: { now: () => now }, keys: { find } });
  const authenticator = finding(async (id) => known.find(({ keyId }) => keyId === id));

  it("knows the holder of a minted key, presented either way", async () => {
    const holder = { ...OTHER, tenants: ["acme"] };
    expect(await authenticator.authenticate(bearer(minted.key))).toEqual(holder);
    expect(await authenticator.authenticate({ "x-api-key": minted.key })).toEqual(holder);
  });

  it("refuses a key with the right id and another secret", async () => {
    const { key } = mintApiKey();
    expect(await authenticator.authenticate(bearer(minted.key.slice(0, 21) + key.slice(21)))).toBeUndefined();
  });

  it("refuses unknown keys, and asks the store for nothing that is no key", async () => {
    expect(await authenticator.authenticate(bearer(mintApiKey().key))).toBeUndefined();
    const never = finding(() => Promise.reject(new Error("asked")));
    for (const text of ["", "cak_x_y", `${minted.key}x`, minted.digest])
      expect(await never.authenticate({ "x-api-key": text })).toBeUndefined();
  });

  it("refuses a key that is revoked", async () => {
    expect(await authenticator.authenticate(bearer(revoked.key))).toBeUndefined();
  });

  it("refuses a key from the moment it expires", async () => {
    now = 999;
    expect(await authenticator.authenticate(bearer(brief.key))).toMatchObject(OTHER);
    now = 1000;
    expect(await authenticator.authenticate(bearer(brief.key))).toBeUndefined();
  });

  it("a key without a digest opens nothing", async () => {
    const open = finding(async () => keyOf({ ...minted, digest: "" }));
    expect(await open.authenticate(bearer(minted.key))).toBeUndefined();
  });

  it("what is kept has nothing of the secret", () => {
    expect(JSON.stringify(keyOf(minted))).not.toContain(minted.key.slice(21));
  });
});

describe("AnyAuthenticator", () => {
  const first = new StaticTokenAuthenticator({ tokens: [{ token: "one", principal: LOCAL_PRINCIPAL }] });
  const second = new StaticTokenAuthenticator({ tokens: [{ token: "two", principal: OTHER }] });

  it("accepts and declares what its parts do", async () => {
    const any = new AnyAuthenticator([first, second]);
    expect(await any.authenticate(bearer("one"))).toBe(LOCAL_PRINCIPAL);
    expect(await any.authenticate(bearer("two"))).toBe(OTHER);
    expect(await any.authenticate(bearer("three"))).toBeUndefined();
    expect(any.schemes).toEqual(["bearer", "apiKey"]);
  });

  it("of nothing accepts nobody", async () => {
    expect(await new AnyAuthenticator([]).authenticate(bearer("one"))).toBeUndefined();
  });
});
