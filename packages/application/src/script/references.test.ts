import { expect, test } from "vitest";
import { referencesOf } from "./references.ts";

const told = (...expressions: string[]) => {
  const { decisions, results, guidance } = referencesOf(expressions);
  const list = (looked: ReadonlySet<string> | "all") => (looked === "all" ? looked : [...looked].sort());
  return { decisions: list(decisions), results: list(results), guidance };
};

test.each([
  ['decisions.tone == "loud" && results["a-b"].x > 1', ["tone"], ["a-b"], false],
  ['args.x ? decisions["tone"] : results.check.stdout', ["tone"], ["check"], false],
  ["guidance.exists(g, g.contains(decisions.way))", ["way"], [], true],
  ['[decisions.a, {"k": results.b}]', ["a"], ["b"], false],
  ["has(decisions.tone)", ["tone"], [], false],
  ["decisions[args.which]", "all", [], false],
  ["decisions[decisions.inner]", "all", [], false],
  ['decisions.exists(k, k == "x")', "all", [], false],
  ["results", [], "all", false],
  ['"decisions.tone, guidance" + args.decisions', [], [], false],
  ["attempt == 2", [], [], false],
  ["1 +", [], [], false],
] as const)("%s looks at the decisions %j and the results %j", (expression, decisions, results, guidance) => {
  expect(told(expression)).toEqual({ decisions, results, guidance });
});

test("several expressions are taken together", () => {
  expect(told("decisions.a", "decisions.b", "guidance[0]")).toEqual({
    decisions: ["a", "b"],
    results: [],
    guidance: true,
  });
});
