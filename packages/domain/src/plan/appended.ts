import type { Subplans } from "../script/subplans-schema.ts";
import type { Decision } from "./decision.ts";
import { stands } from "./decision-tree.ts";
import type { Plan, PlanStep } from "./plan.ts";

/** Work that somebody has added below a decision: a step of its own, after all the others. */
export interface Appended {
  /** The decision that the correction is; without it the work is gone, too. */
  readonly decisionId: string;
  readonly label: string;
  readonly subplans: Subplans;
}

/** Steps that were added, behind those that are there. */
export function withAppended(
  steps: readonly PlanStep[],
  appended: readonly Appended[] = [],
): readonly PlanStep[] {
  const there = new Set(steps.flatMap(({ addedBy }) => addedBy ?? []));
  const more = appended.filter(({ decisionId }) => !there.has(decisionId));
  return [
    ...steps,
    ...more.map(
      ({ decisionId, label, subplans }, at): PlanStep => ({
        index: steps.length + at,
        kind: "subplan",
        label,
        status: "pending",
        addedBy: decisionId,
        subplans,
      }),
    ),
  ];
}

/** What of it still counts, by the decisions that stand. */
export function appendedStanding(
  { appended }: Pick<Plan, "appended">,
  decisions: readonly Decision[],
): readonly Appended[] | undefined {
  const standing = new Set(decisions.filter(stands).map(({ decisionId }) => decisionId));
  const left = appended?.filter(({ decisionId }) => standing.has(decisionId));
  return left === undefined || left.length === 0 ? undefined : left;
}
