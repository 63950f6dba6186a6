import { describe, expect, it } from "vitest";
import { isJsonRpcType, isReadable } from "./content-type.ts";

describe("the content type of a request", () => {
  it.each([
    "application/json",
    "application/a2a+json",
    "Application/JSON; charset=UTF-8",
    'application/json;charset="utf-8"',
    "application/json ;",
    undefined,
    "",
  ])("may be %s", (type) => expect(isJsonRpcType(type, undefined)).toBe(true));

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=latin1",
    "application/json; boundary=x",
    "application/jsonp",
    "text/plain; application/json",
    "garbage",
  ])("may not be %s", (type) => expect(isJsonRpcType(type, undefined)).toBe(false));

  it("is due from a browser, whose foreign pages may leave it out to be let through without a preflight", () => {
    expect(isJsonRpcType(undefined, "http://localhost:5173")).toBe(false);
    expect(isJsonRpcType("application/json", "http://localhost:5173")).toBe(true);
  });

  it("says nothing of a body that is compressed: that one is not read", () => {
    const type = { "content-type": "application/json" };
    expect(isReadable({ ...type, "content-encoding": "gzip" })).toBe(false);
    expect(isReadable({ ...type, "content-encoding": "Identity" })).toBe(true);
    expect(isReadable(type)).toBe(true);
    expect(isReadable({ ...type, origin: "http://localhost:5173" })).toBe(true);
    expect(isReadable({ origin: "http://localhost:5173" })).toBe(false);
  });
});
