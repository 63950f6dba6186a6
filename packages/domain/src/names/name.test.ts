import fc from "fast-check";
import { expect, test } from "vitest";
import { BUILTIN_PROVIDERS } from "../model/builtin-providers.ts";
import { canonicalName, formatName, InvalidNameError, isProviderActor, ownName, parseName } from "./name.ts";

const part = fc
  .stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,20}$/)
  .filter((p) => !["system", "internal", "admin", "root"].includes(p));

test("the full form of a name is parsed into the parts that it was made of", () => {
  fc.assert(
    fc.property(fc.option(part, { nil: undefined }), part, part, (server, namespace, name) => {
      const parts = server === undefined ? { namespace, name } : { server, namespace, name };
      expect(parseName(formatName(parts))).toEqual(parts);
    }),
  );
});

test("a bare name lies in the namespace local, and case is kept", () => {
  expect(canonicalName("Fix-It")).toBe("local/Fix-It");
  expect(canonicalName("team/Fix-It")).toBe("team/Fix-It");
  expect(canonicalName("srv:team/x")).toBe("srv:team/x");
});

test("a name without a server means the one that is spoken with, in every namespace", () => {
  for (const name of ["x", "local/x", "team/x"]) expect(parseName(name).server).toBeUndefined();
  expect(canonicalName("team/x")).toBe("team/x");
});

test.each(["", "/", "a/", "/b", "a/b/c", "1a", "a b", "ü", "srv:x", "system/x", "a:b:c/d", "../x"])(
  "%j is no name",
  (value) => {
    expect(() => parseName(value)).toThrow(InvalidNameError);
  },
);

test.each(Object.keys(BUILTIN_PROVIDERS))(
  "a model of the built-in provider %s is an actor by its name",
  (provider) => {
    expect(isProviderActor(`${provider}/some-model:7b`)).toBe(true);
    expect(() => ownName(`${provider}/mine`)).toThrow("is for the models of this provider");
  },
);
