import fc from "fast-check";
import { expect, test } from "vitest";
import { skillHandle, skillNameProblems } from "./skill-name.ts";

const codes = (name: string, folder?: string) => skillNameProblems(name, folder).map(({ code }) => code);

test.each([
  ["pdf", undefined, []],
  ["3d-models", undefined, []],
  ["große-dinge", undefined, []],
  [" pdf ", "pdf", []],
  ["Local_Search", undefined, ["name-case", "name-chars"]],
  ["-x", undefined, ["name-hyphen-edge"]],
  ["a--b", undefined, ["name-hyphen-double"]],
  ["a".repeat(65), undefined, ["name-too-long"]],
  ["pdf", "pdf-tools", ["name-folder"]],
  ["ｐｄｆ", "pdf", []],
  ["  ", undefined, ["name-empty"]],
])("%j in %j breaks %j", (name, folder, broken) => {
  expect(codes(name, folder)).toEqual(broken);
});

test.each([
  ["Local_Search", "local-search"],
  ["Writing Hookify Rules", "writing-hookify-rules"],
  ["-x", "x"],
  ["a--b", "a-b"],
  ["Über/../..\\etc", "uber-etc"],
  ["a".repeat(70), "a".repeat(64)],
  ["große-dinge", "große-dinge"],
  ["!!", ""],
])("%j becomes the handle %j", (name, handle) => {
  expect(skillHandle(name)).toBe(handle);
});

test("a handle keeps to the rules, and is its own handle", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      const handle = skillHandle(name);
      if (handle === "") return;
      expect(skillNameProblems(handle, undefined)).toEqual([]);
      expect(skillHandle(handle)).toBe(handle);
    }),
  );
});
