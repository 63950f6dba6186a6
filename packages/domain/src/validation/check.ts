import type { AdviceRole } from "../actor/actor-role.ts";
import type { JsonValue } from "../task/message.ts";
import type { Probe } from "./probe.ts";

/** `required` keeps a plan from being applied; `informational` is told and no more. */
export type CheckMode = "required" | "informational";
export type CheckScope = "plan" | "action" | "project" | "global";

/** Something that has to hold, or is to be known, at the end of Execute. Taken over when the plan is made. */
export interface Check {
  /** Of the attachment, the invariant, or what stands in the action; unique in the plan. */
  readonly id: string;
  readonly kind: "validation" | "definition_of_done" | "invariant" | "review";
  readonly name: string;
  readonly text: string;
  readonly mode: CheckMode;
  readonly scope: CheckScope;
  /** The name of what it is attached to. */
  readonly target: string;
  /** Absent: no machine can check it. */
  readonly probe?: Probe;
  /** The role of the actor that judges it, where there is one and no machine does. */
  readonly judge?: Exclude<AdviceRole, "estimation">;
  readonly result?: CheckResult;
}

export interface CheckResult {
  readonly passed: boolean;
  readonly message: string;
  readonly data?: JsonValue;
  readonly durationMs: number;
  /** The round of checks that it belongs to: attempt and repairs. */
  readonly round: string;
  readonly attempt: number;
  /** The actor whose opinion it is; absent where a machine has found it out. */
  readonly judgedBy?: string;
}

const SCOPES: readonly CheckScope[] = ["project", "action", "plan", "global"];

/** The order in which checks are run: what they are attached to, what is required first, name. */
export function inCheckOrder(checks: readonly Check[]): readonly Check[] {
  const key = ({ scope, mode, name }: Check) =>
    [SCOPES.indexOf(scope), mode === "required" ? 0 : 1, name] as const;
  return [...checks].sort((a, b) => {
    const [scopeA, modeA, nameA] = key(a);
    const [scopeB, modeB, nameB] = key(b);
    return scopeA - scopeB || modeA - modeB || (nameA < nameB ? -1 : nameA > nameB ? 1 : 0);
  });
}

/** Rounds of checks within an attempt: one, and another after each repair. */
export function roundOf(attempt: number, repairs: number): string {
  return `a${attempt}r${repairs}`;
}

/** The first check that has no result of this round; those that no machine can run are left out. */
export function nextCheck(checks: readonly Check[], round: string): Check | undefined {
  return checks.find(({ probe, result }) => probe !== undefined && result?.round !== round);
}

/** The next checks that an actor is to judge: all invariants at once, or a review. */
export function nextJudged(checks: readonly Check[], round: string): readonly Check[] {
  const open = checks.filter(
    ({ probe, judge, result }) => probe === undefined && judge !== undefined && result?.round !== round,
  );
  return open.filter(({ judge }) => judge === open[0]?.judge);
}

/** The required checks that have failed in this round: what a plan is held back by. */
export function failedChecks(checks: readonly Check[], round: string): readonly Check[] {
  return checks.filter(
    ({ mode, result }) => mode === "required" && result?.round === round && !result.passed,
  );
}
