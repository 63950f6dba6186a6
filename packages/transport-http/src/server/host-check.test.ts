import { describe, expect, it } from "vitest";
import { createHostCheck } from "./host-check.ts";

describe("the host check", () => {
  const check = createHostCheck(["agent.example", "[2001:db8::1]"], ["https://ui.example"]);

  it.each([
    "localhost",
    "localhost:8000",
    "LOCALHOST:8000",
    "127.0.0.1:8000",
    "127.9.9.9",
    "[::1]:8000",
    "[::1]",
    "agent.example",
    "Agent.Example:443",
    "[2001:db8::1]:80",
  ])("serves a request for %s", (host) => expect(check.host(host, "127.0.0.1")).toBe(true));

  it.each([
    undefined,
    "",
    "evil.example",
    "localhost.evil.example",
    "evil-localhost",
    "127.0.0.1.evil.example",
    "evil.example#localhost",
    "a@localhost",
    "[::1",
    "localhost:80:80",
    "10.0.0.7",
    "*",
  ])("refuses a request for %s", (host) => expect(check.host(host, "127.0.0.1")).toBe(false));

  it("serves the address that the request arrived at, mapped or not", () => {
    expect(check.host("10.0.0.7:8000", "::ffff:10.0.0.7")).toBe(true);
    expect(check.host("[2001:db8::7]:8000", "2001:DB8::7")).toBe(true);
    expect(check.host("10.0.0.8:8000", "::ffff:10.0.0.7")).toBe(false);
  });

  it("does not take a refused name for an allowed one afterwards", () => {
    expect([
      check.host("localhost", undefined),
      check.host("evil.example", undefined),
      check.host("localhost", undefined),
    ]).toEqual([true, false, true]);
  });

  it.each([
    undefined,
    "http://localhost:5173",
    "http://127.0.0.1",
    "https://agent.example:8443",
    "https://ui.example",
  ])("lets a page of %s call", (origin) => expect(check.origin(origin)).toBe(true));

  it.each([
    "null",
    "",
    "https://evil.example",
    "https://localhost.evil.example",
    "http://ui.example",
    "file://localhost",
    "https://ui.example.evil.example",
  ])("refuses a page of %s", (origin) => expect(check.origin(origin)).toBe(false));

  it("serves every name where the operator says so, and the bound name once it is known", () => {
    expect(createHostCheck(["*"], []).host("anything.example", undefined)).toBe(true);
    const late = createHostCheck([], []);
    expect(late.host("box.local", undefined)).toBe(false);
    late.add("Box.Local");
    expect(late.host("box.local:1", undefined)).toBe(true);
  });
});
