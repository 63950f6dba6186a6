import { describe, expect, test } from "vitest";
import { AllowList, AllowListError } from "./allow-list.ts";
import { isPublicAddress } from "./public-address.ts";
import { WebhookPolicy } from "./webhook-policy.ts";

const strict = new WebhookPolicy(new AllowList([]));
const allowing = (...entries: string[]) => new WebhookPolicy(new AllowList(entries));

describe("an address", () => {
  test.each(["8.8.8.8", "93.184.215.14", "2606:4700::1111", "2a00:1450:4001::200e"])(
    "%s is anybody's",
    (ip) => {
      expect(isPublicAddress(ip)).toBe(true);
    },
  );

  test.each([
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.5",
    "100.64.0.1",
    "127.0.0.1",
    "127.8.9.10",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::a00:1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "localhost",
    "",
  ])("%j is not", (ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });
});

describe("a URL", () => {
  test.each([
    "https://example.com/webhook",
    "http://example.com:8080/a?b=c#d",
    "https://93.184.215.14/",
    "https://[2606:4700::1111]/",
    "https://xn--bcher-kva.example/",
    "https://localhost.example.com/",
    "https://internal.example.com/",
  ])("%s may be tried", (url) => {
    expect(strict.refusal(url)).toBe(undefined);
  });

  test.each([
    "",
    "not a url",
    "/webhook",
    "//example.com/",
    "file:///etc/passwd",
    "ftp://example.com/",
    "ws://example.com/",
    "javascript:alert(1)",
    "https://user:s3cret@example.com/",
    "https://user@example.com/",
    "http://127.0.0.1/",
    "http://127.1/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://2130706433/",
    "http://１２７.0.0.1/",
    "http://0/",
    "http://10.0.0.5/",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[64:ff9b::10.0.0.5]/",
    "http://localhost/",
    "http://LOCALHOST:8080/",
    "http://localhost./",
    "http://x.localhost/",
    "http://printer.local/",
    "http://metadata.google.internal/",
    "http://router.home.arpa/",
  ])("%j is refused, and the reason does not repeat it", (url) => {
    const why = strict.refusal(url);
    expect(why).toEqual(expect.stringMatching(/^must /));
    expect(why).not.toContain("s3cret");
  });
});

describe("the allow-list", () => {
  test("lets a host in on every port, or on one", () => {
    expect(allowing("localhost").refusal("http://localhost:4711/webhook")).toBe(undefined);
    expect(allowing("localhost").refusal("http://localhost./webhook")).toBe(undefined);
    expect(allowing("localhost:4711").refusal("http://localhost:4711/")).toBe(undefined);
    expect(allowing("localhost:4711").refusal("http://localhost:4712/")).not.toBe(undefined);
    expect(allowing("localhost:443").refusal("https://localhost/")).toBe(undefined);
    expect(allowing("localhost").refusal("http://other.local/")).not.toBe(undefined);
    expect(allowing("127.0.0.1:80").refusal("http://127.0.0.1/")).toBe(undefined);
    expect(allowing("[::1]:80", "::1").refusal("http://[::1]/")).toBe(undefined);
  });

  test("lets a range of addresses in, written out or resolved, of its own family alone", () => {
    const policy = allowing("10.1.0.0/16", "fd00::/8");
    expect(policy.refusal("http://10.1.2.3/")).toBe(undefined);
    expect(policy.refusal("http://10.2.2.3/")).not.toBe(undefined);
    const named = new URL("http://hooks.example/");
    expect(
      ["10.1.9.9", "fd00::9", "10.2.0.1", "::ffff:10.1.2.3"].map((ip) => policy.admits(named, ip)),
    ).toEqual([true, true, false, false]);
  });

  test("never lets in what is no web address", () => {
    expect(allowing("localhost").refusal("ftp://localhost/")).not.toBe(undefined);
    expect(allowing("localhost").refusal("http://a:b@localhost/")).not.toBe(undefined);
  });

  test.each(["http://localhost", "a b", "10.0.0.0/33", "host:99999", "user@host", "/8", ""])(
    "%j is no entry",
    (entry) => {
      expect(() => new AllowList([entry])).toThrow(AllowListError);
    },
  );
});
