import { expect, test } from "vitest";
import { toYaml } from "./yaml.ts";

test("objects and lists are written in block style, empty ones in place", () => {
  expect(toYaml({ a: 1, b: [{ c: "x", d: [] }, "word", [1, 2]], e: {}, f: { g: null } })).toBe(
    [
      "a: 1",
      "b:",
      "  - c: x",
      "    d: []",
      "  - word",
      "  - - 1",
      "    - 2",
      "e: {}",
      "f:",
      "  g: null",
      "",
    ].join("\n"),
  );
});

test("text that a reader could take for something else is quoted", () => {
  const texts = [
    "yes",
    "No",
    "null",
    "~",
    "1.5",
    "2026-07-01",
    "a: b",
    "# c",
    " d",
    "e ",
    "line\nline",
    "",
    "- x",
    "sha256:ab",
    "{a}",
    "é",
  ];
  expect(
    toYaml(texts)
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith('- "')),
  ).toEqual([]);
});

test("a scalar alone is a document", () => {
  expect(toYaml(3)).toBe("3\n");
  expect(toYaml([])).toBe("[]\n");
});
