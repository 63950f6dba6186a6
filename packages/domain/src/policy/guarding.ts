import type { SharedBudget } from "./account.ts";
import {
  type Amounts,
  type BudgetBreach,
  type BudgetLimits,
  breachOf,
  NOTHING_SPENT,
  raise,
  reserve,
  type Spending,
  settle,
  warn,
} from "./budget.ts";

/** Something that a human has let pass: a call by its key, for one guard. */
export interface Approval {
  readonly guard: string;
  readonly key: string;
  /** Gone with the call that it lets through, unless it is for the whole plan. */
  readonly once: boolean;
}

/** What the guards of a plan remember, stored with the plan. */
export interface Guarding {
  readonly limits: BudgetLimits;
  readonly spending: Spending;
  readonly approvals: readonly Approval[];
  /** The call that was made last, and how often in a row with nothing else in between. */
  readonly last?: { readonly key: string; readonly count: number };
  /** The attempt that `last` is about: who lets a plan try again wants its calls to be made again. */
  readonly attempt: number;
  /** Calls of the step that is being worked on. */
  readonly step?: { readonly of: string; readonly calls: number };
  /** Budgets that it shares with others, as they were when the turn began; never kept. */
  readonly shared?: readonly SharedBudget[];
}

export function newGuarding(limits: BudgetLimits): Guarding {
  return { limits, spending: NOTHING_SPENT, approvals: [], attempt: 1 };
}

/** A call as the guards see it. The same call after a crash has the same id; the same tool and arguments the same key. */
export interface GuardedCall {
  readonly callId: string;
  readonly key: string;
  readonly attempt: number;
  /** The step that it belongs to. */
  readonly step: string;
  /** Nothing that is no call was done since the last one. */
  readonly follows: boolean;
  readonly amounts: Amounts;
}

/**
 * The first budget, shared ones before the plan's own, that does not let a call through. What has been reserved for the
 * same call is not needed twice.
 */
export function breachIn(
  { limits, spending, shared = [] }: Guarding,
  callId: string,
  amounts: Amounts,
): BudgetBreach | undefined {
  if (spending.reserved[callId] !== undefined) return undefined;
  for (const { id, limits: of, used, warned } of shared) {
    const breach = breachOf(of, { used, reserved: {}, warned }, callId, amounts);
    if (breach !== undefined) return { ...breach, account: id };
  }
  return breachOf(limits, spending, callId, amounts);
}

/** How often this very call was made directly before it is made now. */
export function repeatsOf(
  { last, attempt }: Guarding,
  call: Pick<GuardedCall, "key" | "attempt" | "follows">,
): number {
  return last?.key === call.key && attempt === call.attempt && call.follows ? last.count : 0;
}

export function callsOfStep({ step }: Guarding, of: string): number {
  return step?.of === of ? step.calls : 0;
}

export function isApproved({ approvals }: Guarding, guard: string, key: string): boolean {
  return approvals.some((approval) => approval.guard === guard && approval.key === key);
}

export function approve(guarding: Guarding, approval: Approval): Guarding {
  return { ...guarding, approvals: [...guarding.approvals, approval] };
}

export function raised(guarding: Guarding, kind: BudgetBreach["kind"], limit: number): Guarding {
  return { ...guarding, ...raise(guarding.limits, guarding.spending, kind, limit) };
}

/**
 * A call that is about to be made is charged, remembered, and uses up what was approved for it once. One that was
 * charged already, before its process died, changes nothing.
 */
export function begun(
  guarding: Guarding,
  call: GuardedCall,
): { readonly guarding: Guarding; readonly short: readonly BudgetBreach[] } {
  if (guarding.spending.reserved[call.callId] !== undefined) return { guarding, short: [] };
  const { spending, short } = warn(
    guarding.limits,
    reserve(guarding.spending, call.callId, { tool_calls: 1, ...call.amounts }),
  );
  const again = isApproved(guarding, "loop", call.key) ? 0 : repeatsOf(guarding, call);
  return {
    short,
    guarding: {
      ...(guarding.shared === undefined ? {} : { shared: guarding.shared }),
      limits: guarding.limits,
      spending,
      approvals: guarding.approvals.filter(({ once, key }) => !once || key !== call.key),
      last: { key: call.key, count: again + 1 },
      attempt: call.attempt,
      step: { of: call.step, calls: callsOfStep(guarding, call.step) + 1 },
    },
  };
}

/** The call has ended and has used this much. */
export function ended(
  guarding: Guarding,
  callId: string,
  used: Amounts,
): { readonly guarding: Guarding; readonly short: readonly BudgetBreach[] } {
  const settled = settle(guarding.spending, callId, used);
  const { spending, short } = warn(guarding.limits, settled);
  return { guarding: { ...guarding, spending }, short };
}
