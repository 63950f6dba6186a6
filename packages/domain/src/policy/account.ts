import {
  type Amounts,
  BUDGET_KINDS,
  type BudgetBreach,
  type BudgetLimits,
  type Spending,
  warn,
} from "./budget.ts";

/** A budget that several plans charge: of a plan and those that it starts, of a session, of a namespace. */
export interface AccountRef {
  /** Where it is kept; of one that begins anew each day without the day. */
  readonly id: string;
  readonly of: "plan" | "session" | "namespace";
  readonly name: string;
  /** What it begins with. */
  readonly limits: BudgetLimits;
  readonly used?: Amounts;
  /** It begins anew each day (UTC). */
  readonly daily?: boolean;
}

export interface Account {
  readonly limits: BudgetLimits;
  readonly used: Amounts;
  /** Kinds of which it has been said that they run short. */
  readonly warned: Spending["warned"];
}

/** An account as a plan sees it at a moment. */
export interface SharedBudget extends Account, Pick<AccountRef, "of" | "name"> {
  readonly id: string;
}

export function openedAccount({ limits, used = {} }: AccountRef): Account {
  return { limits, used, warned: [] };
}

/** Under which id it is kept at a moment. */
export function accountId({ id, daily }: Pick<AccountRef, "id" | "daily">, now: number): string {
  return daily === true ? `${id}:${new Date(now).toISOString().slice(0, 10)}` : id;
}

/** The account with more, or less, used; and what is to be said of it. */
export function withCharge(
  account: Account,
  more: Amounts,
): { readonly account: Account; readonly short: readonly BudgetBreach[] } {
  const used: Record<string, number> = { ...account.used };
  for (const kind of BUDGET_KINDS)
    if (more[kind] !== undefined)
      used[kind] = Math.max(0, Math.round(((account.used[kind] ?? 0) + more[kind]) * 1e6) / 1e6);
  const { spending, short } = warn(account.limits, { used, reserved: {}, warned: account.warned });
  return { account: { ...account, used, warned: spending.warned }, short };
}

/** How much more is used now than before. */
export function difference(before: Amounts, now: Amounts): Amounts {
  return Object.fromEntries(
    BUDGET_KINDS.flatMap((kind) => {
      const more = (now[kind] ?? 0) - (before[kind] ?? 0);
      return more === 0 ? [] : [[kind, more]];
    }),
  );
}

/** An account with more in it. */
export function raisedAccount(account: Account, kind: BudgetBreach["kind"], limit: number): Account {
  return {
    ...account,
    limits: { ...account.limits, [kind]: limit },
    warned: account.warned.filter((warned) => warned !== kind),
  };
}
