import type { JsonValue } from "../task/message.ts";
import type { Probe } from "./probe.ts";

/** `required` keeps a plan from being applied; `informational` is told and no more. */
export type CheckMode = "required" | "informational";
export type CheckScope = "plan" | "action" | "project" | "global";

/** Something that has to hold, or is to be known, at the end of Execute. Taken over when the plan is made. */
export interface Check {
  /** Of the attachment, the invariant, or what stands in the action; unique in the plan. */
  readonly id: string;
  readonly kind: "validation" | "definition_of_done" | "invariant";
  readonly name: string;
  readonly text: string;
  readonly mode: CheckMode;
  readonly scope: CheckScope;
  /** The name of what it is attached to. */
  readonly target: string;
  /** Absent: text alone, which nobody here can check. */
  readonly probe?: Probe;
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

/** The first check that has no result of this round; those that nobody can run are left out. */
export function nextCheck(checks: readonly Check[], round: string): Check | undefined {
  return checks.find(({ probe, result }) => probe !== undefined && result?.round !== round);
}

/** The required checks that have failed in this round: what a plan is held back by. */
export function failedChecks(checks: readonly Check[], round: string): readonly Check[] {
  return checks.filter(
    ({ mode, result }) => mode === "required" && result?.round === round && !result.passed,
  );
}
