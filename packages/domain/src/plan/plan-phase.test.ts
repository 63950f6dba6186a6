import fc from "fast-check";
import { expect, test } from "vitest";
import {
  canAdvance,
  canRevert,
  isFinalStage,
  type PlanPhase,
  type PlanStage,
  type PlanState,
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

/** Every stage that can be reached from a new plan, going on and going back. */
function reachable(): PlanStage[] {
  const seen = new Map([[key(start), start]]);
  for (const from of seen.values()) {
    const next = everything.filter(
      (to) => canAdvance(from, to) || (to.state === "queued" && canRevert(from, to.phase)),
    );
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
      expect(canRevert(from, to.phase)).toBe(false);
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

test("a plan that is being worked on cannot be taken back", () => {
  for (const phase of PHASES)
    for (const to of PHASES) expect(canRevert({ phase, state: "processing" }, to)).toBe(false);
});
