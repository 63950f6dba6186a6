import { expect, test } from "vitest";
import { ExpressionError, evaluate, holds, type ScriptScope, syntaxProblem } from "./expression.ts";
import { expressionsOf, fill } from "./template.ts";

const scope: ScriptScope = {
  args: { name: "Ada", times: 3, list: ["a", "b"], nothing: null, price: "$& $1" },
  decisions: { tone: "formal" },
  results: { read: { content: "x\n", size: 2 } },
  guidance: ["please be formal"],
  attempt: 2,
};

test("a string that is one expression keeps the expression's type, elsewhere it becomes text", () => {
  expect(fill("{{ args.times + 1 }}", scope)).toBe(4);
  expect(fill("{{ args.list }}", scope)).toEqual(["a", "b"]);
  expect(fill("{{args.name}} x{{ args.times }}, {{ args.list }}", scope)).toBe('Ada x3, ["a","b"]');
  expect(fill({ a: ["{{ decisions.tone }}", 1], b: { c: "{{ results.read.size }}" } }, scope)).toEqual({
    a: ["formal", 1],
    b: { c: 2 },
  });
});

test("values are put in literally, whatever they look like", () => {
  expect(fill("[{{ args.price }}]", scope)).toBe("[$& $1]");
});

test("text without templates is left as it is", () => {
  for (const text of ["", "a { b } c", "${X}", "}} {{", "{ {x} }"]) expect(fill(text, scope)).toBe(text);
});

test("conditions see arguments, decisions, results, guidance and the attempt", () => {
  expect(
    holds('args.name == "Ada" && decisions.tone == "formal" && results.read.size > 1 && attempt == 2', scope),
  ).toBe(true);
  expect(holds('guidance.exists(g, g.contains("formal"))', scope)).toBe(true);
  expect(holds("args.nothing == null", scope)).toBe(true);
});

test.each([
  "args.missing",
  "1 +",
  "nobody",
  "args.name",
  "process.exit()",
  "constructor",
  "args.name.constructor",
])("%s is told as a mistake of the script", (expression) => {
  expect(() => holds(expression, scope)).toThrow(ExpressionError);
});

test("what cannot be read is known without evaluating it", () => {
  expect(syntaxProblem("args.x == 1")).toBeUndefined();
  expect(syntaxProblem("args.x ==")).toEqual(expect.any(String));
});

test("expressions are found wherever a template is", () => {
  expect(expressionsOf({ a: "{{ x }} {{y}}", b: ["{{ z }}"], c: 1 })).toEqual(["x", "y", "z"]);
});

test("whole numbers stay whole numbers", () => {
  expect(evaluate("args.times * 2", scope)).toBe(6);
  expect(evaluate("1.5", scope)).toBe(1.5);
});
