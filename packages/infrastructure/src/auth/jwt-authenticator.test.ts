import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ProtocolError, type Scope } from "@cleveragents/protocol";
import {
  base64url,
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { JwtAuthenticator, type JwtAuthenticatorDeps } from "./jwt-authenticator.ts";

const ISSUER = "https://login.example/";
const AUDIENCE = "https://agents.example";
const NOW = Date.UTC(2030, 0, 1);
const SECONDS = NOW / 1000;

interface Pair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

let first: Pair;
let second: Pair;
let server: Server;
let jwksUrl: string;
/** What the issuer answers with. */
let status = 200;
let published: { readonly kid: string; readonly pair: Pair }[];
let asked = 0;
let now = NOW;

beforeAll(async () => {
  [first, second] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
  server = createServer(async (_request, response) => {
    asked++;
    const keys = await Promise.all(
      published.map(async ({ kid, pair }) => ({ ...(await exportJWK(pair.publicKey)), kid, alg: "RS256" })),
    );
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ keys }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
});
afterAll(() => new Promise((closed) => server.close(closed)));
beforeEach(() => {
  status = 200;
  published = [{ kid: "one", pair: first }];
  asked = 0;
  now = NOW;
});

const logged: unknown[] = [];
const log = (fields: unknown, message: string) => void logged.push(fields, message);

function open(options: Partial<JwtAuthenticatorDeps> = {}) {
  const authenticator = new JwtAuthenticator({
    clock: { now: () => now },
    logger: { debug: log, info: log, warn: log, error: log },
    issuer: ISSUER,
    audience: AUDIENCE,
    jwksUrl,
    algorithms: ["RS256", "ES256"],
    clockSkewSeconds: 30,
    defaultScopes: [],
    ...options,
  });
  return (token: string) => authenticator.authenticate({ authorization: `Bearer ${token}` });
}

type Claims = Readonly<Record<string, unknown>>;
const CLAIMS = { iss: ISSUER, aud: AUDIENCE, sub: "anna", exp: SECONDS + 300, scope: "task:read" };

function sign(claims: Claims = {}, kid = "one", pair = first): Promise<string> {
  const payload = Object.fromEntries(
    Object.entries({ ...CLAIMS, ...claims }).filter(([, value]) => value !== undefined),
  );
  return new SignJWT(payload).setProtectedHeader({ alg: "RS256", kid }).sign(pair.privateKey);
}

describe("a bearer token", () => {
  it("of the issuer is its subject's, with the scopes that it names", async () => {
    expect(await open()(await sign())).toEqual({
      id: "jwt:https://login.example/#anna",
      scopes: ["task:read"],
      tenants: [],
    });
  });

  it.each<[string, Claims]>([
    ["for several audiences, ours among them", { aud: ["https://other.example", AUDIENCE] }],
    ["10 s late, within the skew", { exp: SECONDS - 10 }],
    ["that begins in 5 s, within the skew", { nbf: SECONDS + 5 }],
  ])("%s is accepted", async (_, claims) => {
    expect(await open()(await sign(claims))).toMatchObject({ id: expect.stringMatching(/#anna$/) });
  });

  it.each<[string, Claims]>([
    ["without an audience", { aud: undefined }],
    ["for another audience", { aud: "https://other.example" }],
    ["for other audiences", { aud: ["https://other.example", `${AUDIENCE}/x`] }],
    ["of another issuer", { iss: "https://evil.example/" }],
    ["without an issuer", { iss: undefined }],
    ["that does not end", { exp: undefined }],
    ["that has ended beyond the skew", { exp: SECONDS - 31 }],
    ["that has not begun", { nbf: SECONDS + 31 }],
    ["without a subject", { sub: undefined }],
    ["with an empty subject", { sub: "" }],
    ["with an endless subject", { sub: "x".repeat(201) }],
  ])("%s is refused", async (_, claims) => {
    expect(await open()(await sign(claims))).toBeUndefined();
  });

  it("that is not signed, or with a shared secret, is refused", async () => {
    const authenticate = open();
    expect(await authenticate(new UnsecuredJWT(CLAIMS).encode())).toBeUndefined();
    const secret = new TextEncoder().encode(await exportSPKI(first.publicKey));
    const symmetric = await new SignJWT(CLAIMS).setProtectedHeader({ alg: "HS256", kid: "one" }).sign(secret);
    expect(await authenticate(symmetric)).toBeUndefined();
  });

  it("of an algorithm that is not among those chosen is refused", async () => {
    expect(await open({ algorithms: ["ES256"] })(await sign())).toBeUndefined();
  });

  it("whose claims were changed is refused", async () => {
    const [header, , signature] = (await sign()).split(".");
    const payload = base64url.encode(JSON.stringify({ ...CLAIMS, sub: "root" }));
    expect(await open()(`${header}.${payload}.${signature}`)).toBeUndefined();
  });

  it("is asked for in Authorization alone, and other secrets are none", async () => {
    const authenticator = new JwtAuthenticator({
      clock: { now: () => now },
      logger: { debug: log, info: log, warn: log, error: log },
      issuer: ISSUER,
      audience: AUDIENCE,
      jwksUrl,
      algorithms: ["RS256"],
      clockSkewSeconds: 0,
      defaultScopes: [],
    });
    const token = await sign();
    expect(await authenticator.authenticate({ "x-api-key": token })).toBeUndefined();
    expect(
      await authenticator.authenticate({ authorization: `Bearer ${token}`, "x-api-key": "k" }),
    ).toBeUndefined();
    expect(await authenticator.authenticate({ authorization: `bearer \t${token} ` })).toBeDefined();
    asked = 0;
    for (const secret of ["cak_0123456789abcdef_x", "a.b", "a.b.c.d"])
      expect(await authenticator.authenticate({ authorization: `Bearer ${secret}` })).toBeUndefined();
    expect(asked).toBe(0);
    expect(authenticator.schemes).toEqual(["jwt"]);
  });
});

describe("the scopes of a token", () => {
  const defaultScopes: Scope[] = ["health:read"];
  it.each<[string, Claims, readonly string[]]>([
    ["are those that are ours", { scope: "openid task:write admin" }, ["task:write"]],
    ["may be a list", { scope: undefined, scp: ["task:read", "email"] }, ["task:read"]],
    [
      "may be a text in scp",
      { scope: undefined, scp: "task:read registry:read" },
      ["task:read", "registry:read"],
    ],
    ["are the configured ones where none is ours", { scope: "openid" }, defaultScopes],
    ["are the configured ones where none is named", { scope: undefined }, defaultScopes],
    ["are no more than words", { scope: undefined, scp: [{ "task:read": true }] }, defaultScopes],
  ])("%s", async (_, claims, scopes) => {
    expect((await open({ defaultScopes })(await sign(claims)))?.scopes).toEqual(scopes);
  });
});

it("the tenants of a caller are those of the configured claim", async () => {
  const authenticate = open({ tenantClaim: "org" });
  expect((await authenticate(await sign({ org: ["acme", 7, ""] })))?.tenants).toEqual(["acme"]);
  expect((await authenticate(await sign({ org: "acme" })))?.tenants).toEqual(["acme"]);
  expect((await authenticate(await sign()))?.tenants).toEqual([]);
  expect((await open()(await sign({ org: "acme" })))?.tenants).toEqual([]);
});

describe("the issuer's keys", () => {
  it("are asked for once, and again when a token names one that is new", async () => {
    const authenticate = open({ coolDownMs: 0 });
    expect(await authenticate(await sign())).toBeDefined();
    expect(await authenticate(await sign())).toBeDefined();
    expect(asked).toBe(1);
    published = [{ kid: "two", pair: second }];
    expect(await authenticate(await sign({}, "two", second))).toBeDefined();
    expect(asked).toBe(2);
    expect(await authenticate(await sign())).toBeUndefined();
  });

  it("are not asked for again at once for names that nobody knows", async () => {
    const authenticate = open();
    expect(await authenticate(await sign())).toBeDefined();
    for (const kid of ["x", "y", "z"]) expect(await authenticate(await sign({}, kid))).toBeUndefined();
    expect(asked).toBe(1);
  });

  it("that cannot be had make no token wrong: who is calling cannot be told now", async () => {
    status = 500;
    const authenticate = open();
    const token = await sign();
    logged.length = 0;
    const refused = await authenticate(token).catch((error: unknown) => error);
    expect(ProtocolError.is(refused) && refused.kind).toBe("AuthenticationUnavailable");
    expect(JSON.stringify(logged)).toContain("cannot be had");
    expect(JSON.stringify(logged)).not.toContain(token);
    await expect(authenticate(token)).rejects.toThrow();
    expect(asked).toBe(1);
    status = 200;
    now += 5000;
    expect(await authenticate(token)).toBeDefined();
  });
});
