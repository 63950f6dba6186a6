import { expect, test } from "vitest";
import { strictProblems } from "./strict-problems.ts";

const codes = (text: string, folder = "x") =>
  strictProblems(new TextEncoder().encode(text), folder).map(({ code }) => code);
const GOOD = "name: x\ndescription: d";

test.each([
  ["all fields", `${GOOD}\nlicense: MIT\ncompatibility: Node\nmetadata:\n  a: b\nallowed-tools: Read`, []],
  ["an empty compatibility", `${GOOD}\ncompatibility: ''`, []],
  ["a list of tools, which nobody looks at", `${GOOD}\nallowed-tools:\n  - Read`, []],
  ["a number for a name", "name: 123\ndescription: d", ["name-folder"]],
  ["fields of others", `${GOOD}\nversion: 1.0\nauthor: me`, ["unexpected-field"]],
  ["no name", "description: d", ["name-missing"]],
  ["no description", "name: x", ["description-missing"]],
  ["blanks alone", "name: ' '\ndescription: ' '", ["name-empty", "description-empty"]],
  ["too much", `name: x\ndescription: ${"d".repeat(1025)}`, ["description-too-long"]],
  ["too much compatibility", `${GOOD}\ncompatibility: ${"d".repeat(501)}`, ["compatibility-too-long"]],
  ["a list for compatibility", `${GOOD}\ncompatibility:\n  - a`, ["compatibility-no-text"]],
  ["brackets", `${GOOD}\nmetadata: {a: b}`, ["yaml-flow"]],
  ["an anchor", `${GOOD}\nlicense: &a MIT`, ["yaml-flow"]],
  ["a tag", `${GOOD}\nlicense: !!str MIT`, ["yaml-flow"]],
  ["a repeated key", `${GOOD}\nname: x`, ["yaml-invalid"]],
  ["a colon in a text", "name: x\ndescription: Use: it", ["yaml-invalid"]],
  ["a list", "- a", ["frontmatter-no-mapping"]],
  ["nothing", "", ["frontmatter-no-mapping"]],
])("the reference judges %s: %j", (_, yaml, expected) => {
  expect(codes(`---\n${yaml}\n---\n`)).toEqual(expected);
});

test("it begins with three hyphens, and ends with the next three wherever they stand", () => {
  expect(codes(`\n---\n${GOOD}\n---\n`)).toEqual(["no-frontmatter"]);
  expect(codes(`\uFEFF---\n${GOOD}\n---\n`)).toEqual(["no-frontmatter"]);
  expect(codes(`# T\n\nd`)).toEqual(["no-frontmatter"]);
  expect(codes(`---\n${GOOD}`)).toEqual(["frontmatter-unclosed"]);
  expect(codes("---\nname: x\ndescription: a---b\n---\n")).toEqual([]);
  expect(codes(`---\r\nname: x\r\ndescription: d\r\n---\r\n`)).toEqual([]);
});

test("the name is held against the folder", () => {
  expect(codes(`---\n${GOOD}\n---\n`, "y")).toEqual(["name-folder"]);
  expect(codes("---\nname: A--b\ndescription: d\n---\n", "A--b")).toEqual([
    "name-case",
    "name-hyphen-double",
  ]);
});

test("what is no UTF-8 is refused", () => {
  expect(strictProblems(new Uint8Array([0x2d, 0xff]), "x")).toMatchObject([{ code: "not-utf8" }]);
});
