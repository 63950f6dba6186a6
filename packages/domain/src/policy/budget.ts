import { z } from "zod";

/** What a plan can run out of, in the order in which it is looked at. */
export const BUDGET_KINDS = ["tool_calls", "cost_usd", "tokens", "seconds"] as const;
export type BudgetKind = (typeof BUDGET_KINDS)[number];
/** A kind without a limit is not bounded; a limit of 0 lets nothing through. */
export type BudgetLimits = Readonly<Partial<Record<BudgetKind, number>>>;
export type Amounts = BudgetLimits;

const Count = z.number().int().nonnegative();
export const BudgetSchema = z.strictObject({
  tool_calls: Count.optional(),
  cost_usd: z.number().nonnegative().optional(),
  tokens: Count.optional(),
  /** Time that calls have taken; waiting for a human costs nothing. */
  seconds: z.number().nonnegative().optional(),
});

/** What a plan has used up. A call that is being made is in `reserved` and, with what it reserves, in `used`. */
export interface Spending {
  readonly used: Amounts;
  readonly reserved: Readonly<Record<string, Amounts>>;
  /** Kinds of which it has been said that they run short. */
  readonly warned: readonly BudgetKind[];
}

export const NOTHING_SPENT: Spending = { used: {}, reserved: {}, warned: [] };

/** From this share of a limit on it is said that the budget runs short. */
const WARN_SHARE = 0.8;

export interface BudgetBreach {
  /** The account that is used up, where it is not the plan's own budget. */
  readonly account?: string;
  readonly kind: BudgetKind;
  readonly limit: number;
  readonly used: number;
}

/** The lowest limit of each kind: who comes later can tighten and never loosen. */
export function tightest(...limits: readonly (BudgetLimits | undefined)[]): BudgetLimits {
  return fromKinds((kind) => {
    const named = limits.flatMap((limit) => (limit?.[kind] === undefined ? [] : [limit[kind]]));
    return named.length === 0 ? undefined : Math.min(...named);
  });
}

/**
 * The first budget that does not let a call through that needs `amounts`: one that is used up already, or would be
 * exceeded. What has been reserved for the same call is not needed twice.
 */
export function breachOf(
  limits: BudgetLimits,
  spending: Spending,
  callId: string,
  amounts: Amounts,
): BudgetBreach | undefined {
  if (spending.reserved[callId] !== undefined) return undefined;
  for (const kind of BUDGET_KINDS) {
    const limit = limits[kind];
    const used = spending.used[kind] ?? 0;
    if (limit !== undefined && (used >= limit || used + (amounts[kind] ?? 0) > limit))
      return { kind, limit, used };
  }
  return undefined;
}

/** Reserves what a call needs, before it is made; the same call reserves once. */
export function reserve(spending: Spending, callId: string, amounts: Amounts): Spending {
  if (spending.reserved[callId] !== undefined) return spending;
  return {
    ...spending,
    used: sum(spending.used, amounts),
    reserved: { ...spending.reserved, [callId]: amounts },
  };
}

/** Puts what a call has really used in the place of what was reserved for it. Reserved nothing: nothing changes. */
export function settle(spending: Spending, callId: string, actual: Amounts): Spending {
  const { [callId]: reserved, ...rest } = spending.reserved;
  if (reserved === undefined) return spending;
  const used = fromKinds((kind) => {
    const spent = actual[kind] ?? reserved[kind];
    const total = (spending.used[kind] ?? 0) - (reserved[kind] ?? 0) + (spent ?? 0);
    return spent === undefined && spending.used[kind] === undefined ? undefined : round(total);
  });
  return { ...spending, used, reserved: rest };
}

/** Budgets of which at least 80 % are used, and of which that has not been said yet; and that it now is. */
export function warn(
  limits: BudgetLimits,
  spending: Spending,
): { readonly spending: Spending; readonly short: readonly BudgetBreach[] } {
  const short = BUDGET_KINDS.flatMap((kind): BudgetBreach[] => {
    const limit = limits[kind];
    const used = spending.used[kind] ?? 0;
    if (limit === undefined || spending.warned.includes(kind) || used < limit * WARN_SHARE) return [];
    return [{ kind, limit, used }];
  });
  if (short.length === 0) return { spending, short };
  return { short, spending: { ...spending, warned: [...spending.warned, ...short.map(({ kind }) => kind)] } };
}

/** A budget with more in it, of which it is said anew when it runs short. */
export function raise(
  limits: BudgetLimits,
  spending: Spending,
  kind: BudgetKind,
  limit: number,
): { readonly limits: BudgetLimits; readonly spending: Spending } {
  return {
    limits: { ...limits, [kind]: limit },
    spending: { ...spending, warned: spending.warned.filter((warned) => warned !== kind) },
  };
}

function sum(a: Amounts, b: Amounts): Amounts {
  return fromKinds((kind) =>
    a[kind] === undefined && b[kind] === undefined ? undefined : round((a[kind] ?? 0) + (b[kind] ?? 0)),
  );
}

/** Sums of cents must not end in 0.30000000000000004. */
function round(value: number): number {
  return Math.max(0, Math.round(value * 1e6) / 1e6);
}

function fromKinds(value: (kind: BudgetKind) => number | undefined): Amounts {
  return Object.fromEntries(
    BUDGET_KINDS.flatMap((kind) => {
      const amount = value(kind);
      return amount === undefined ? [] : [[kind, amount]];
    }),
  );
}
