import type { ChildPlan, Plan, Subplan } from "@cleveragents/domain";

export interface WantedChild {
  readonly parent: Plan;
  readonly step: number;
  readonly child: ChildPlan & { readonly planId: string; readonly base: string };
  readonly spec: Subplan;
  /** When its work is to be over, in milliseconds since the epoch. */
  readonly deadline?: number | undefined;
}

/** Plans that are started by plans: how they come to be, and how they end with what has started them. */
export interface ChildPlans {
  /**
   * Makes the plan under its id, in one commit, and queues its run; one that is there already stays as it is. Throws
   * `ChildRefusedError` where it cannot be made, now or later.
   */
  make(wanted: WantedChild): Promise<void>;
  /** Ends a plan for good, durably before it answers; what it runs is stopped after that. One that is over stays as it is. */
  end(planId: string, reason: string): Promise<void>;
}

export class ChildRefusedError extends Error {
  override readonly name = "ChildRefusedError";
}

/** What keys of mail from children in an inbox begin with. */
export const CHILD = "child:";
