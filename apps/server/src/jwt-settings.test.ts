import { describe, expect, test } from "vitest";
import { readConfig, USAGE } from "./config.ts";

const NEEDED = {
  A2A_JWT_ISSUER: "https://login.example/",
  A2A_JWT_AUDIENCE: "agents",
  A2A_JWT_JWKS_URL: "https://login.example/jwks",
};
const jwtOf = (env: Record<string, string>) => readConfig([], env, "/work", "/home/me").jwt;

describe("bearer tokens", () => {
  test("are of nobody unless the settings say so", () => {
    expect(jwtOf({})).toBeUndefined();
    expect(jwtOf({ A2A_JWT_ISSUER: "" })).toBeUndefined();
  });

  test("have safe defaults", () => {
    expect(jwtOf(NEEDED)).toEqual({
      issuer: "https://login.example/",
      audience: "agents",
      jwksUrl: "https://login.example/jwks",
      algorithms: ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"],
      clockSkewSeconds: 30,
      defaultScopes: [],
      tenantClaim: undefined,
      openIdConnectUrl: undefined,
    });
  });

  test("take what is set", () => {
    const env = {
      A2A_JWT_ALGORITHMS: "ES256, EdDSA",
      A2A_JWT_CLOCK_SKEW: "0",
      A2A_JWT_SCOPES: "task:read task:write",
      A2A_JWT_TENANT_CLAIM: "org",
      A2A_JWT_OIDC_URL: "https://login.example/.well-known/openid-configuration",
    };
    expect(jwtOf({ ...NEEDED, ...env })).toMatchObject({
      algorithms: ["ES256", "EdDSA"],
      clockSkewSeconds: 0,
      defaultScopes: ["task:read", "task:write"],
      tenantClaim: "org",
      openIdConnectUrl: "https://login.example/.well-known/openid-configuration",
    });
  });

  test.each([
    ["A2A_JWT_ISSUER", ""],
    ["A2A_JWT_AUDIENCE", ""],
    ["A2A_JWT_JWKS_URL", ""],
    ["A2A_JWT_JWKS_URL", "http://login.example/jwks"],
    ["A2A_JWT_JWKS_URL", "file:///etc/passwd"],
    ["A2A_JWT_ALGORITHMS", "HS256"],
    ["A2A_JWT_ALGORITHMS", "none"],
    ["A2A_JWT_CLOCK_SKEW", "61"],
    ["A2A_JWT_CLOCK_SKEW", "-1"],
    ["A2A_JWT_SCOPES", "everything"],
    ["A2A_JWT_OIDC_URL", "nonsense"],
  ])("%s=%s is refused by name", (name, value) => {
    expect(() => jwtOf({ ...NEEDED, [name]: value })).toThrow(name);
  });

  test("may have keys on this machine without TLS", () => {
    for (const url of ["http://localhost:1/jwks", "http://127.0.0.1:1/jwks", "http://[::1]:1/jwks"])
      expect(jwtOf({ ...NEEDED, A2A_JWT_JWKS_URL: url })?.jwksUrl).toBe(url);
  });

  test("have their settings in the usage", () => {
    for (const name of [
      ...Object.keys(NEEDED),
      "A2A_JWT_ALGORITHMS",
      "A2A_JWT_SCOPES",
      "A2A_JWT_TENANT_CLAIM",
    ])
      expect(USAGE).toContain(name);
  });
});
