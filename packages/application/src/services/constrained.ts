import {
  type Changeset,
  type Check,
  failedChecks,
  type Plan,
  PlanConstrainedError,
} from "@cleveragents/domain";
import { currentRound } from "../plans/check-calls.ts";
import { whatFailed } from "../plans/constraining.ts";
import { judge } from "../plans/probing.ts";

/** Throws `PlanConstrainedError` for a plan that is held back by what was found out at the end of Execute. */
export function assertUnconstrained(plan: Plan): void {
  if (plan.stage.state !== "constrained") return;
  refuse(plan, failedChecks(plan.checks ?? [], currentRound(plan)));
}

/**
 * Throws `PlanConstrainedError` where a part of the changes, or what was merged into them, is against what held for the
 * whole. Commands are not run again for a part.
 */
export function assertKept(plan: Plan, changeset: Changeset): void {
  const failed = (plan.checks ?? []).flatMap((check): Check[] => {
    const said = check.probe === undefined ? undefined : judge(check.probe, plan, changeset);
    if (check.mode !== "required" || said === undefined || said.passed) return [];
    const { attempt } = plan;
    return [{ ...check, result: { ...said, durationMs: 0, attempt, round: currentRound(plan) } }];
  });
  if (failed.length > 0) refuse(plan, failed);
}

function refuse({ planId }: Plan, failed: readonly Check[]): never {
  throw new PlanConstrainedError(
    planId,
    whatFailed(failed),
    failed.map(({ id, name, result }) => ({ id, name, message: result?.message ?? "" })),
  );
}
