import { describe, expect, test } from "vitest";
import { restartBefore, takenBack, undoneFrom, undoneSteps, undoneWith } from "./correction.ts";
import type { Decision } from "./decision.ts";
import { downstreamOf } from "./decision-tree.ts";
import type { Plan } from "./plan.ts";

function decision(decisionId: string, parentId: string | null, more: Partial<Decision> = {}): Decision {
  return {
    decisionId,
    planId: "p",
    parentId,
    type: parentId === null ? "prompt_definition" : "strategy_choice",
    question: `${decisionId}?`,
    chosen: decisionId,
    alternatives: [],
    confidence: 1,
    sequence: 0,
    phase: "strategize",
    attempt: 1,
    createdAt: 0,
    context: {},
    ...more,
  };
}

const DECISIONS = [
  decision("root", null),
  decision("rule", "root", { type: "invariant_enforced" }),
  decision("said", "root", { type: "user_intervention", chosen: "general" }),
  decision("a", "root"),
  decision("a1", "a"),
  decision("a-said", "a", { type: "user_intervention", chosen: "about a" }),
  decision("b", "root", { dependsOn: ["a1"] }),
  decision("c", "root"),
  decision("late", "root", { type: "implementation_choice", phase: "execute", step: 1 }),
  decision("later", "late", { type: "implementation_choice", phase: "execute", step: 2 }),
].map((each, at): Decision => ({ ...each, sequence: at + 1 }));

const idsOf = (decisions: readonly Decision[]) => decisions.map(({ decisionId }) => decisionId);
const named = (id: string) => DECISIONS.find(({ decisionId }) => decisionId === id) as Decision;

describe("what a correction undoes", () => {
  test.each([
    ["a", ["a", "a1", "a-said", "b", "late", "later"]],
    ["a1", ["a1", "b", "late", "later"]],
    ["c", ["c", "late", "later"]],
    ["late", ["late", "later"]],
    ["later", ["later"]],
    ["said", ["said", "late", "later"]],
    ["root", ["a", "a1", "a-said", "b", "c", "late", "later"]],
  ])("of %s is what follows from it, and what steps decide that run again", (id, expected) => {
    expect(idsOf(undoneWith(DECISIONS, named(id)))).toEqual(expected);
  });

  test("of a step is what it and later steps have decided", () => {
    expect(idsOf(undoneFrom(DECISIONS, { phase: "execute", step: 2 }))).toEqual(["later"]);
    expect(idsOf(undoneFrom(DECISIONS, { phase: "execute", step: 0 }))).toEqual(["late", "later"]);
    expect(idsOf(undoneFrom(DECISIONS, { phase: "execute", step: 3 }))).toEqual([]);
  });

  test("what follows is found by the tree and by what was looked at", () => {
    expect(idsOf(downstreamOf(DECISIONS, "a"))).toEqual(["a1", "a-said", "b"]);
    expect(idsOf(downstreamOf(DECISIONS, "c"))).toEqual([]);
  });
});

const PLAN = {
  planId: "p",
  script: {
    decisions: [],
    steps: ["x", "y", "z"].map((name) => ({ kind: "say", name, value: { text: name } })),
  },
  stage: { phase: "execute", state: "complete" },
  attempt: 1,
  steps: [0, 1, 2].map((index) => ({
    index,
    label: `${index}`,
    kind: "say",
    status: "done",
    checkpoint: `t${index}`,
  })),
  results: { x: { n: 1 }, y: { n: 2 }, z: { n: 3 } },
  guidance: ["general", "about a", "general"],
  decisions: DECISIONS,
  changeset: { digest: "d" },
  open: { requestId: "r" },
  toolCalls: 3,
} as unknown as Plan;

describe("a plan that is taken back", () => {
  const back = (id: string) => {
    const target = named(id);
    const restart = restartBefore(target);
    const instead = decision("new", target.parentId ?? "root", { type: "user_intervention", corrects: id });
    return takenBack(PLAN, restart, undoneWith(DECISIONS, target), instead, "differently");
  };

  test("to before everything was done begins with nothing done, and what it has used stays used", () => {
    const plan = back("a");
    expect(plan).toMatchObject({
      stage: { phase: "strategize", state: "queued" },
      attempt: 2,
      reversions: 1,
      steps: [],
      results: {},
      guidance: ["general", "general", "differently"],
      toolCalls: 3,
    });
    for (const gone of ["changeset", "open", "failure"]) expect(plan).not.toHaveProperty(gone);
    expect(
      plan.decisions.filter(({ supersededBy }) => supersededBy === "new").map(({ decisionId }) => decisionId),
    ).toEqual(idsOf(undoneWith(DECISIONS, named("a"))));
  });

  test("to before a step keeps what comes before it", () => {
    const plan = back("late");
    expect(plan.stage).toEqual({ phase: "execute", state: "queued" });
    expect(plan.steps.map(({ status, checkpoint }) => checkpoint ?? status)).toEqual([
      "t0",
      "pending",
      "pending",
    ]);
    expect(Object.keys(plan.results)).toEqual(["x"]);
    expect(undoneSteps(PLAN, restartBefore(named("late"))).map(({ index }) => index)).toEqual([1, 2]);
  });
});
