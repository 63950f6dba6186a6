import { describe, expect, it } from "vitest";
import { nearestName } from "./nearest-name.ts";

const known = ["name", "description", "definition_of_done", "write", "all"];

describe("nearestName", () => {
  it.each([
    ["descripton", "description"],
    ["wirte", "write"],
    ["Name", "name"],
    ["definitionOfDone", "definition_of_done"],
    ["al", "all"],
  ])("%s was probably %s", (given, expected) => {
    expect(nearestName(given, known)).toBe(expected);
  });

  it("does not guess when nothing is near", () => {
    expect(nearestName("colour", known)).toBeUndefined();
    expect(nearestName("x", [])).toBeUndefined();
  });
});
