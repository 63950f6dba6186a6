import { expect, test } from "vitest";
import { hasGitName, isGitName, isInside } from "./project-paths.ts";

test("a folder is inside itself and holds what is below it, not its neighbour with the same beginning", () => {
  for (const path of ["/repo", "/repo/x", "/repo/x/y"]) expect(isInside("/repo", path), path).toBe(true);
  for (const path of ["/", "/rep", "/repo-old", "/repo-old/x", "/repo.git"])
    expect(isInside("/repo", path), path).toBe(false);
  expect(isInside("/", "/anything")).toBe(true);
});

test("a name is git's own in every spelling that some file system opens as such, and in no other", () => {
  for (const name of [".git", ".GIT", ".gIt", ".g\u200cit", "\u{feff}.git", ".git\u202e"])
    expect([isGitName(name), hasGitName(`a/${name}/b`)], JSON.stringify(name)).toEqual([true, true]);
  for (const name of [".gitignore", "git", ".git.", "a.git", ".gi", ".g it"])
    expect([isGitName(name), hasGitName(`a/${name}/b`)], name).toEqual([false, false]);
});
