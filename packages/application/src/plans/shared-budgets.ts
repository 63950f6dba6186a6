import {
  type Account,
  type AccountRef,
  type Amounts,
  accountId,
  type BudgetBreach,
  breachIn,
  difference,
  type JsonObject,
  newGuarding,
  openedAccount,
  type Plan,
  raisedAccount,
  type Session,
  type SharedBudget,
  type Spending,
  withCharge,
} from "@cleveragents/domain";
import type { SharedWrite, TaskStore } from "../ports/task-store.ts";
import type { NamedEvent } from "./plan-writer.ts";

/** A shared budget was used up between the look at it and the charge: nothing was committed, and the turn is taken again. */
export class SharedBudgetUsedUpError extends Error {
  override readonly name = "SharedBudgetUsedUpError";
}

/** The budget of a session, which its plans and its messages charge. */
export function sessionAccount({
  sessionId,
  budget,
}: Pick<Session, "sessionId" | "budget">): AccountRef | undefined {
  if (budget === undefined) return undefined;
  return { id: `session:${sessionId}`, of: "session", name: sessionId, limits: budget };
}

export function planAccount(planId: string): string {
  return `plan:${planId}`;
}

/** The budgets of a plan that starts others: from then on its own is one that all of them charge. */
export function withOwnAccount(plan: Plan): readonly AccountRef[] | undefined {
  const { accounts = [], guarding, planId } = plan;
  const id = planAccount(planId);
  if (guarding === undefined || Object.keys(guarding.limits).length === 0) return plan.accounts;
  if (accounts.some((ref) => ref.id === id)) return accounts;
  const { limits, spending } = guarding;
  return [...accounts, { id, of: "plan", name: planId, limits, used: spending.used }];
}

interface KeptAccount {
  readonly ref: AccountRef;
  readonly id: string;
  readonly revision: number;
  readonly account: Account;
}

/** The budgets that a plan shares, as they are now. */
export async function sharedBudgets(
  store: Pick<TaskStore, "shared">,
  { accounts = [] }: Pick<Plan, "accounts">,
  now: number,
): Promise<readonly SharedBudget[]> {
  const kept = await Promise.all(accounts.map((ref) => readAccount(store, ref, now)));
  return kept.map(({ ref: { of, name }, id, account }) => ({ id, of, name, ...account }));
}

/** What a commit writes of shared budgets: what the plan has used since, and a limit that somebody has raised. */
export async function chargeShared(
  store: Pick<TaskStore, "shared">,
  plan: Plan,
  before: Spending | undefined,
  now: number,
  raised?: { readonly account: string; readonly kind: BudgetBreach["kind"]; readonly limit: number },
): Promise<{ readonly shared: readonly SharedWrite[]; readonly events: readonly NamedEvent[] }> {
  const { accounts = [] } = plan;
  const spending = (plan.guarding ?? newGuarding({})).spending;
  const more: Amounts = difference(before?.used ?? {}, spending.used);
  if (accounts.length === 0 || (Object.keys(more).length === 0 && raised === undefined))
    return { shared: [], events: [] };
  // A call that was made is charged whatever it has come to; one that is to be made is not made.
  const reserves = Object.keys(spending.reserved).some((callId) => before?.reserved[callId] === undefined);
  const shared: SharedWrite[] = [];
  const events: NamedEvent[] = [];
  for (const ref of accounts) {
    const { id, revision, account } = await readAccount(store, ref, now);
    if (
      reserves &&
      breachIn({ ...newGuarding(account.limits), spending: { ...account, reserved: {} } }, "", more)
    )
      throw new SharedBudgetUsedUpError(id);
    const open = raised?.account === id ? raisedAccount(account, raised.kind, raised.limit) : account;
    const { account: charged, short } = withCharge(open, more);
    shared.push({ id, expect: revision, body: { ...charged } as unknown as JsonObject });
    events.push(...short.map((breach) => warning(ref, id, breach)));
  }
  return { shared, events };
}

/** An account as it is kept, under the id that it has now. */
export async function readAccount(
  store: Pick<TaskStore, "shared">,
  ref: AccountRef,
  now: number,
): Promise<KeptAccount> {
  const id = accountId(ref, now);
  const found = await store.shared(id);
  return {
    ref,
    id,
    revision: found?.revision ?? 0,
    account: found === undefined ? openedAccount(ref) : (found.body as unknown as Account), // written above
  };
}

function warning({ of, name }: AccountRef, id: string, { kind, limit, used }: BudgetBreach): NamedEvent {
  return {
    key: `budget:${id}:${kind}:${limit}:warning`,
    name: "budget.warning",
    data: { budget: kind, limit, used, of, name },
  };
}
