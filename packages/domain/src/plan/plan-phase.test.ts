import fc from "fast-check";
import { expect, test } from "vitest";
import {
  canAdvance,
  canReopen,
  canRetry,
  canRevert,
  isFinalStage,
  MAX_REVERSIONS,
  type PlanPhase,
  type PlanStage,
  type PlanState,
  reversionProblem,
} from "./plan-phase.ts";

const PHASES: PlanPhase[] = ["strategize", "execute", "apply"];
const STATES: PlanState[] = [
  "queued",
  "processing",
  "complete",
  "errored",
  "constrained",
  "applied",
  "cancelled",
  "rejected",
  "failed",
];
const stage = fc.record({ phase: fc.constantFrom(...PHASES), state: fc.constantFrom(...STATES) });

const start: PlanStage = { phase: "strategize", state: "queued" };
const everything = PHASES.flatMap((phase) => STATES.map((state): PlanStage => ({ phase, state })));

/** Whether anything at all leads from one stage to another. */
function leads(from: PlanStage, to: PlanStage): boolean {
  if (canAdvance(from, to)) return true;
  if (to.state === "queued") return (canRetry(from) && from.phase === to.phase) || canRevert(from, to.phase);
  return canReopen(from) && key(to) === "execute/complete";
}

/** Every stage that can be reached from a new plan, going on and going back. */
function reachable(): PlanStage[] {
  const seen = new Map([[key(start), start]]);
  for (const from of seen.values()) {
    const next = everything.filter((to) => leads(from, to));
    for (const to of next) if (!seen.has(key(to))) seen.set(key(to), to);
  }
  return [...seen.values()];
}
const key = ({ phase, state }: PlanStage) => `${phase}/${state}`;

test("a final stage is left neither forwards nor backwards", () => {
  fc.assert(
    fc.property(stage, stage, (from, to) => {
      fc.pre(isFinalStage(from));
      expect(canAdvance(from, to)).toBe(false);
      expect(leads(from, to)).toBe(false);
      expect(reversionProblem(from, to.phase, 0)).toBe("final");
    }),
  );
});

test("the stages of a plan are these and no others", () => {
  expect(reachable().map(key).sort()).toEqual([
    "apply/applied",
    "apply/cancelled",
    "apply/constrained",
    "apply/errored",
    "apply/failed",
    "apply/processing",
    "apply/queued",
    "execute/applied",
    "execute/cancelled",
    "execute/complete",
    "execute/constrained",
    "execute/errored",
    "execute/failed",
    "execute/processing",
    "execute/queued",
    "strategize/cancelled",
    "strategize/complete",
    "strategize/errored",
    "strategize/failed",
    "strategize/processing",
    "strategize/queued",
    "strategize/rejected",
  ]);
});

test("from every stage that is not final an end can be reached", () => {
  for (const from of reachable().filter((s) => !isFinalStage(s))) {
    const seen = new Map([[key(from), from]]);
    for (const at of seen.values())
      for (const to of everything) if (canAdvance(at, to) && !seen.has(key(to))) seen.set(key(to), to);
    expect([...seen.values()].some(isFinalStage), key(from)).toBe(true);
  }
});

test("Apply is entered from a complete Execute only, and applied from processing only", () => {
  for (const from of everything) {
    if (from.phase !== "apply" && canAdvance(from, { phase: "apply", state: "queued" }))
      expect(key(from)).toBe("execute/complete");
    if (canAdvance(from, { phase: "apply", state: "applied" })) expect(key(from)).toBe("apply/processing");
  }
});

test("only what has stopped is tried again, and in its own phase; going back is another table", () => {
  for (const from of everything) {
    expect(canRetry(from), key(from)).toBe(from.state === "errored" || from.state === "constrained");
    if (!canRetry(from)) continue;
    for (const phase of PHASES) expect(canAdvance(from, { phase, state: "queued" })).toBe(false);
  }
  expect(canRevert({ phase: "strategize", state: "errored" }, "strategize")).toBe(true);
  expect(canRevert({ phase: "apply", state: "constrained" }, "strategize")).toBe(true);
  expect(canRevert({ phase: "strategize", state: "complete" }, "execute")).toBe(false);
});

test("whatever is done to a plan, it is taken back at most so often", () => {
  const steps = fc.array(fc.tuple(stage, fc.boolean()), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (moves) => {
      let at = start;
      let reversions = 0;
      for (const [to, back] of moves) {
        if (back && reversionProblem(at, to.phase, reversions) === undefined) {
          at = { phase: to.phase, state: "queued" };
          reversions++;
        } else if (!back && canAdvance(at, to)) at = to;
      }
      expect(reversions).toBeLessThanOrEqual(MAX_REVERSIONS);
    }),
  );
  expect(reversionProblem({ phase: "execute", state: "complete" }, "execute", MAX_REVERSIONS)).toBe("limit");
  expect(reversionProblem(start, "strategize", 0)).toBe("not begun");
});

test("a plan that is being worked on cannot be taken back", () => {
  for (const phase of PHASES)
    for (const to of PHASES) expect(canRevert({ phase, state: "processing" }, to)).toBe(false);
});
