import {
  type Amounts,
  type BudgetBreach,
  breachIn,
  type ModelSettings,
  type Plan,
  reserve,
  settle,
  warn,
} from "@cleveragents/domain";
import { guardingOf } from "../plans/guarding-call.ts";
import type { NamedEvent } from "../plans/plan-writer.ts";

/** With fewer tokens than this left for its answer a model is not asked. */
export const LEAST_ANSWER = 64;

export type Charge =
  | { readonly breach: BudgetBreach }
  | { readonly plan: Plan; readonly events: readonly NamedEvent[]; readonly maxTokens: number };

/**
 * Charges a request before it is sent: all that it can cost at most, so that what is left of the budget bounds the
 * answer. The same request charges once.
 */
export function charge(
  plan: Plan,
  callId: string,
  input: number,
  wanted: number,
  prices: ModelSettings["prices"],
): Charge {
  const guarding = guardingOf(plan);
  const { limits, spending } = guarding;
  const budgets = [{ limits, used: spending.used }, ...(guarding.shared ?? [])];
  const left = (kind: "tokens" | "cost_usd") =>
    Math.min(
      ...budgets.map(({ limits: of, used }) =>
        of[kind] === undefined ? Number.POSITIVE_INFINITY : of[kind] - (used[kind] ?? 0),
      ),
    );
  const forInput = prices === undefined ? 0 : (input * prices.input) / 1e6;
  const affordable =
    prices === undefined || prices.output === 0
      ? wanted
      : ((left("cost_usd") - forInput) * 1e6) / prices.output;
  const maxTokens = Math.floor(Math.min(wanted, left("tokens") - input, affordable));
  const answer = Math.max(maxTokens, Math.min(wanted, LEAST_ANSWER));
  const amounts: Amounts = {
    tokens: input + answer,
    ...(prices === undefined ? {} : { cost_usd: forInput + (answer * prices.output) / 1e6 }),
  };
  const breach = breachIn(guarding, callId, amounts);
  if (breach !== undefined) return { breach };
  const { spending: reserved, short } = warn(limits, reserve(spending, callId, amounts));
  return {
    plan: { ...plan, guarding: { ...guarding, spending: reserved } },
    events: short.map(shortEvent),
    maxTokens: answer,
  };
}

/** Puts what a request has really cost in the place of what was charged for it. */
export function settleCharge(
  plan: Plan,
  callId: string,
  used: Amounts,
): { readonly plan: Plan; readonly events: readonly NamedEvent[] } {
  const guarding = guardingOf(plan);
  const { spending, short } = warn(guarding.limits, settle(guarding.spending, callId, used));
  return { plan: { ...plan, guarding: { ...guarding, spending } }, events: short.map(shortEvent) };
}

function shortEvent({ kind, limit, used }: BudgetBreach): NamedEvent {
  return {
    key: `budget:${kind}:${limit}:warning`,
    name: "budget.warning",
    data: { budget: kind, limit, used },
  };
}
