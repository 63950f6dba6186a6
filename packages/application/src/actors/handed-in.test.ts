import { expect, test } from "vitest";
import { reviewForm } from "../plans/judgement-forms.ts";
import { candidatesIn, handedIn, jsonIn } from "./handed-in.ts";

const FIT = { passed: true, summary: "Good." };
const read = (...candidates: unknown[]) => handedIn(candidates, reviewForm);

test("the first that fits is taken as the schema completes it, wherever it stands in an answer", () => {
  expect(read("words", 7, null, { passed: "yes" }, FIT)).toEqual({ answer: { ...FIT, findings: [] } });
  const artifacts = [
    { artifactId: "a", parts: [{ kind: "text", text: `So:\n\`\`\`json\n${JSON.stringify(FIT)}\n\`\`\`` }] },
  ] as const;
  expect(read(...candidatesIn({ parts: [{ kind: "text", text: "Done." }], artifacts }))).toMatchObject({
    answer: FIT,
  });
});

test("what does not fit, or does not hold together, is told of the one that is nearest, and never mended", () => {
  expect(read()).toEqual({ problem: "it has neither a data part nor JSON in its text" });
  expect(read({ else: 1 }, { passed: true, summary: 7 })).toEqual({
    problem: expect.stringMatching(/^summary: /),
  });
  const blocking = [{ severity: "blocking", message: "x" }];
  expect(read({ ...FIT, findings: blocking })).toEqual({
    problem: "passed is true, and there is a blocking finding",
  });
  expect(read({ ...FIT, passed: "true" })).toHaveProperty("problem");
});

test("of a text the whole is JSON, or what stands between fences", () => {
  expect(jsonIn("[1]")).toEqual([[1]]);
  expect(jsonIn('So:\n```json\n{"b": 1}\n```')).toEqual([{ b: 1 }]);
  expect(jsonIn('a {"b": 1} c')).toEqual([]);
});
