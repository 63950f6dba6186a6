import type { Decision, Plan } from "@cleveragents/domain";
import { ScriptSchema } from "@cleveragents/domain";
import { expect, test } from "vitest";
import { decisionsBehind, decisionsOfStep } from "./decision-links.ts";

const script = ScriptSchema.parse({
  decisions: [
    { id: "tone", question: "Which tone?", choose: [{ choice: "loud" }] },
    {
      id: "ending",
      question: "Which end?",
      choose: [{ when: 'decisions.tone == "loud"', choice: "bang" }, { choice: "dot" }],
    },
  ],
  steps: [
    { write: { path: "a", content: "plain" } },
    { name: "read", when: 'decisions.tone == "loud"', read: { path: "a" } },
    { write: { path: "b", content: "{{ results.read.content }}" } },
    { write: { path: "c", content: "{{ guidance[0] }}" } },
    { write: { path: "d", content: "{{ decisions.ending }} {{ decisions.tone }}" } },
    { decide: { id: "late", question: "{{ results.read.size }}?", choose: [{ choice: "x" }] } },
  ],
});

function decision(decisionId: string, more: Partial<Decision>): Decision {
  return { decisionId, type: "strategy_choice", ...more } as Decision;
}
const plan = {
  script,
  decisions: [
    decision("root", { type: "prompt_definition" }),
    decision("old", { label: "tone", supersededBy: "tone" }),
    decision("tone", { label: "tone" }),
    decision("ending", { label: "ending" }),
    decision("said", { type: "user_intervention" }),
  ],
} as unknown as Plan;

test.each([
  ["looks at nothing", 0, ["root"]],
  ["has a condition", 1, ["tone"]],
  ["uses what another step has read", 2, ["tone"]],
  ["uses guidance", 3, ["said"]],
  ["looks at two decisions", 4, ["tone", "ending"]],
  ["decides by what another step has read", 5, ["tone"]],
])("a step that %s hangs on what stands behind it", (_what, index, expected) => {
  expect(decisionsOfStep(plan, index)).toEqual(expected);
});

test("a decision follows from those that its conditions look at", () => {
  expect(script.decisions.map((declared) => decisionsBehind(plan, declared))).toEqual([[], ["tone"]]);
});
