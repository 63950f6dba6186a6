import {
  type Account,
  type AccountRef,
  type Amounts,
  BUDGET_KINDS,
  type BudgetBreach,
  breachIn,
  newGuarding,
  withCharge,
} from "@cleveragents/domain";
import { readAccount } from "../plans/shared-budgets.ts";
import type { Clock } from "../ports/clock.ts";
import type { TurnBudget } from "../ports/message-actor.ts";
import { SharedMovedError, type TaskStore } from "../ports/task-store.ts";
import { type MessageDocument, toDocument } from "./message-document.ts";

/** Others charge the same budget: so often it is read again before that is somebody's fault. */
const TRIES = 50;

/**
 * The session's budget, charged by a turn of a message. What a request can cost is taken in a commit that also says so in the
 * task's document, so that a turn that is run again finds it and does not take it twice.
 */
export class TurnAccount implements TurnBudget {
  readonly #deps: { readonly store: Pick<TaskStore, "shared" | "commit">; readonly clock: Clock };
  readonly #ref: AccountRef;
  readonly #task: { readonly taskId: string; readonly epoch: number };
  #document: MessageDocument;

  constructor(
    deps: { readonly store: Pick<TaskStore, "shared" | "commit">; readonly clock: Clock },
    ref: AccountRef,
    task: { readonly taskId: string; readonly epoch: number; readonly document: MessageDocument },
  ) {
    this.#deps = deps;
    this.#ref = ref;
    this.#task = task;
    this.#document = task.document;
  }

  /** The task's document as it is kept. */
  get document(): MessageDocument {
    return this.#document;
  }

  renewed(leaseUntil: number): MessageDocument {
    this.#document = { ...this.#document, leaseUntil };
    return this.#document;
  }

  async left(): Promise<Amounts> {
    const { account } = await this.#read();
    const { limits, used } = account;
    return Object.fromEntries(
      BUDGET_KINDS.flatMap((kind) => {
        const limit = limits[kind];
        return limit === undefined ? [] : [[kind, Math.max(0, limit - (used[kind] ?? 0))]];
      }),
    );
  }

  async reserve(amounts: Amounts): Promise<BudgetBreach | undefined> {
    return this.#change((account) => {
      const spending = { ...account, reserved: {} };
      const breach = breachIn({ ...newGuarding(account.limits), spending }, "", amounts);
      return breach === undefined ? { amounts, account: withCharge(account, amounts).account } : { breach };
    });
  }

  async settle(used: Amounts): Promise<void> {
    await this.#change((account) => ({ account: withCharge(account, used).account }));
  }

  /** What was reserved before is given back first, whoever has reserved it. */
  async #change(
    to: (
      account: Account,
    ) => { readonly breach: BudgetBreach } | { readonly account: Account; readonly amounts?: Amounts },
  ): Promise<BudgetBreach | undefined> {
    const { store } = this.#deps;
    for (let tries = 1; ; tries++) {
      const { id, revision, account } = await this.#read();
      const changed = to(account);
      if ("breach" in changed) return changed.breach;
      const { reserved: _, ...rest } = this.#document;
      const document = { ...rest, ...(changed.amounts === undefined ? {} : { reserved: changed.amounts }) };
      try {
        await store.commit({
          taskId: this.#task.taskId,
          expect: { epoch: this.#task.epoch },
          document: toDocument(document),
          shared: [{ id, expect: revision, body: JSON.parse(JSON.stringify(changed.account)) }],
        });
        this.#document = document;
        return undefined;
      } catch (error) {
        if (!(error instanceof SharedMovedError) || tries === TRIES) throw error;
      }
    }
  }

  /** As it is without what this turn has reserved. */
  async #read() {
    const kept = await readAccount(this.#deps.store, this.#ref, this.#deps.clock.now());
    const { reserved } = this.#document;
    if (reserved === undefined) return kept;
    const back = Object.fromEntries(Object.entries(reserved).map(([kind, amount]) => [kind, -amount]));
    return { ...kept, account: withCharge(kept.account, back).account };
  }
}
