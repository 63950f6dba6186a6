import { describe, expect, test } from "vitest";
import { readConfig, USAGE } from "./config.ts";

const configOf = (env: Record<string, string>, args: readonly string[] = []) =>
  readConfig(args, env, "/work", "/home/me");

describe("the public URL", () => {
  test.each([
    ["https://x.example", "https://x.example"],
    ["https://x.example/", "https://x.example"],
    ["https://x.example:443/a//b/", "https://x.example/a/b"],
    [" http://10.0.0.1:8000/a ", "http://10.0.0.1:8000/a"],
    ["HTTPS://X.example/A", "https://x.example/A"],
  ])("%s is %s", (given, url) => {
    expect(configOf({ A2A_PUBLIC_URL: given }).publicUrl).toBe(url);
    expect(configOf({}, ["--public-url", given]).publicUrl).toBe(url);
  });

  test.each([
    "x.example",
    "ftp://x.example",
    "https://",
    "https://user:s3cret@x.example",
    "https://x.example?token=s3cret",
    "https://x.example/#s3cret",
  ])("%s is refused, without its secret", (given) => {
    let message = "";
    try {
      configOf({ A2A_PUBLIC_URL: given });
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain("A2A_PUBLIC_URL");
    expect(message).not.toContain("s3cret");
  });

  test("is none where it is empty", () => {
    expect(configOf({ A2A_PUBLIC_URL: "" }).publicUrl).toBeUndefined();
  });
});

describe("trusted proxies", () => {
  test("are none by default, else addresses and networks", () => {
    expect(configOf({}).trustedProxies).toEqual([]);
    expect(configOf({ A2A_TRUSTED_PROXIES: "10.0.0.0/8, ::1,192.168.1.1" }).trustedProxies).toEqual([
      "10.0.0.0/8",
      "::1",
      "192.168.1.1",
    ]);
  });

  test.each(["proxy.example", "*", "10.0.0.0/33", "10.0.0/8", "::1/129", "1.2.3.4/x"])(
    "%s is refused",
    (given) => {
      expect(() => configOf({ A2A_TRUSTED_PROXIES: given })).toThrow("A2A_TRUSTED_PROXIES");
    },
  );
});

describe("what the card says of the operator", () => {
  test("is nothing unless it is set", () => {
    expect(configOf({}).card).toEqual({
      provider: undefined,
      documentationUrl: undefined,
      iconUrl: undefined,
      signing: undefined,
    });
  });

  test("is what is set", () => {
    const env = {
      A2A_PROVIDER_NAME: "Example",
      A2A_PROVIDER_URL: "https://example.com/",
      A2A_DOCUMENTATION_URL: "https://example.com/docs",
      A2A_ICON_URL: "https://example.com/icon.png",
      A2A_CARD_SIGNING_KEY: "/run/key.pem",
      A2A_CARD_SIGNING_KID: "k1",
      A2A_CARD_SIGNING_JKU: "https://example.com/jwks",
    };
    expect(configOf(env).card).toEqual({
      provider: { organization: "Example", url: "https://example.com" },
      documentationUrl: "https://example.com/docs",
      iconUrl: "https://example.com/icon.png",
      signing: { key: "/run/key.pem", kid: "k1", jku: "https://example.com/jwks" },
    });
    for (const name of Object.keys(env)) expect(USAGE).toContain(name);
  });

  test.each([
    [{ A2A_PROVIDER_NAME: "Example" }, "A2A_PROVIDER_URL"],
    [{ A2A_PROVIDER_URL: "https://example.com" }, "A2A_PROVIDER_NAME"],
    [{ A2A_CARD_SIGNING_KID: "k1" }, "A2A_CARD_SIGNING_KEY"],
    [{ A2A_CARD_SIGNING_KEY: "x", A2A_CARD_SIGNING_JKU: "http://example.com" }, "A2A_CARD_SIGNING_JKU"],
    [{ A2A_ICON_URL: "icon.png" }, "A2A_ICON_URL"],
  ] as [Record<string, string>, string][])("%j is refused by name", (env, name) => {
    expect(() => configOf(env)).toThrow(name);
  });
});
