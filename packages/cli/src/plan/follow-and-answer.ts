import type { Invocation } from "../command/command.ts";
import { mayAsk } from "../output/may-ask.ts";
import type { PlanStatus } from "./ask-text.ts";
import { type FollowRequest, followPlan } from "./follow-plan.ts";

export interface Request extends FollowRequest {
  /** Whether the command knows the answer by itself. */
  readonly isKnown?: (status: PlanStatus) => boolean;
}

/**
 * Follows a plan; on a terminal what it asks is asked there and then, and it goes on with the answer. Without one, or when the
 * question is left open, it ends where the plan waits.
 */
export async function followAndAnswer(
  invocation: Invocation,
  { isKnown, ...request }: Request,
): Promise<PlanStatus> {
  const asksBelow = (status: PlanStatus) => isKnown?.(status) !== true && isAskedHere(invocation, status);
  const plain = { planId: request.planId, untilDone: request.untilDone, onItem: request.onItem, asksBelow };
  let missed = false;
  let next: FollowRequest = { ...request, asksBelow };
  for (;;) {
    const status = await followPlan(invocation, next);
    if (asksBelow(status)) {
      const { answerHere } = await import("./answer-here.ts");
      const give = await answerHere(invocation, status);
      if (give === "left") return status;
      const start = async () => {
        missed = give === "elsewhere" || !(await give());
        return !missed;
      };
      next = { ...plain, start };
    } else if (missed) {
      // Somebody else was quicker: it goes on from their answer.
      missed = false;
      next = plain;
    } else return status;
  }
}

/** `--yes` and `--quiet` are for those who are not there to answer. */
function isAskedHere({ context, options }: Invocation, { waiting_for }: PlanStatus): boolean {
  return waiting_for !== undefined && !options.yes && !options.quiet && mayAsk({ context, options });
}
