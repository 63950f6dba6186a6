import { expect, test } from "vitest";
import { ScriptSchema, STEP_KINDS } from "./script-schema.ts";

const problems = (value: unknown) =>
  ScriptSchema.safeParse(value).error?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`) ??
  [];

test("a step is its kind with its value, and a name and a condition if it has them", () => {
  const { steps } = ScriptSchema.parse({
    steps: [{ read: { path: "a" }, name: "x", when: "true" }, { run: { command: "ls" } }],
  });
  expect(steps).toEqual([
    { kind: "read", value: { path: "a" }, name: "x", when: "true" },
    { kind: "run", value: { command: "ls", env: {}, timeout: 300, expect: [0] } },
  ]);
});

test("a step with no kind or with two is refused, and the message lists the kinds", () => {
  expect(problems({ steps: [{ name: "x" }] })).toEqual([
    `steps.0: a step has exactly one of ${STEP_KINDS.join(", ")}`,
  ]);
  expect(problems({ steps: [{ read: { path: "a" }, delete: { path: "a" } }] })[0]).toContain(
    "this one has read and delete",
  );
});

test("an unknown key is refused where it stands", () => {
  expect(problems({ steps: [{ write: { path: "a", content: "", modus: "755" } }] })[0]).toMatch(
    /^steps\.0\.write: /,
  );
});

test("a decision ends in a choice that always holds, and chooses among its alternatives", () => {
  const decision = { id: "d", question: "?", alternatives: [{ id: "a" }, { id: "b" }] };
  expect(problems({ decisions: [{ ...decision, choose: [{ choice: "a", when: "true" }] }] })[0]).toContain(
    "the last choice needs no `when`",
  );
  expect(problems({ decisions: [{ ...decision, choose: [{ choice: "c" }] }] })[0]).toContain(
    '"c" is not among the alternatives a, b',
  );
});

test("decisions hang on decisions above them, and names are there once", () => {
  const choose = [{ choice: "a" }];
  expect(problems({ decisions: [{ id: "d", question: "?", parent: "e", choose }] })[0]).toContain(
    'no decision "e" above',
  );
  expect(
    problems({
      decisions: [
        { id: "d", question: "?", choose },
        { id: "d", question: "?", choose },
      ],
    })[0],
  ).toContain("is there twice");
  expect(
    problems({
      steps: [
        { name: "x", say: { text: "a" } },
        { name: "x", say: { text: "b" } },
      ],
    })[0],
  ).toContain("is there twice");
});
