import { expect, test } from "vitest";
import { FileViewSchema } from "./file-view.ts";

test("a view says something, by globs inside of the project", () => {
  const view = { include: ["src", "**/*.md"], exclude: ["src/gen..ed/*"], max_file_size: 1000 };
  expect(FileViewSchema.parse(view)).toEqual(view);
  for (const bad of [
    {},
    { include: [] },
    { include: ["/etc"] },
    { include: ["a/../../b"] },
    { exclude: ["a\0b"] },
    { max_file_size: 0 },
    { other: 1 },
  ])
    expect(FileViewSchema.safeParse(bad).success, JSON.stringify(bad)).toBe(false);
});
