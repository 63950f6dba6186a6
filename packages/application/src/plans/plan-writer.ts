import type {
  BudgetKind,
  JsonObject,
  Message,
  Plan,
  Spending,
  TaskEvent,
  TaskState,
} from "@cleveragents/domain";
import type { Clock } from "../ports/clock.ts";
import { type Command, SharedMovedError, type TaskStore } from "../ports/task-store.ts";
import { documentOf } from "./plan-document.ts";
import { chargeShared } from "./shared-budgets.ts";

export interface NamedEvent {
  /** Deterministic and unique in the plan, so that a step that is run again says nothing twice. */
  readonly key: string;
  readonly name: string;
  readonly data?: JsonObject;
  readonly message?: Message;
  /** State at this event, where it is not yet the one that the commit ends in. */
  readonly state?: TaskState;
}

/** What else belongs to a commit: mail that is taken, and entries of the log that come first. */
export interface Also extends Pick<Command, "inbox"> {
  readonly logged?: NonNullable<Command["events"]>;
  /** The limit of a shared budget, raised. */
  readonly raised?:
    | { readonly account: string; readonly kind: BudgetKind; readonly limit: number }
    | undefined;
}

/** A status entry that carries a domain event. */
export function statusEvent(state: TaskState, event: NamedEvent): { key: string; event: TaskEvent } {
  return {
    key: event.key,
    event: {
      type: "status",
      state,
      ...(event.message === undefined ? {} : { message: event.message }),
      domain: { name: event.name, ...(event.data === undefined ? {} : { data: event.data }) },
    },
  };
}

/** Commits of the worker that runs a plan: under the epoch it was started with, document and events together. */
export class PlanWriter {
  readonly #store: TaskStore;
  readonly #epoch: number;
  readonly #clock: Clock | undefined;
  /** What of budgets was used by the commit before. */
  #spent: Spending | undefined;

  /** `plan`: as it was read, so that what it uses from there on is charged to the budgets that it shares. */
  constructor(store: TaskStore, epoch: number, more?: { readonly plan: Plan; readonly clock: Clock }) {
    this.#store = store;
    this.#epoch = epoch;
    this.#clock = more?.clock;
    this.#spent = more?.plan.guarding?.spending;
  }

  /**
   * Throws the domain's `FencedError` when the plan has moved on without us, and `SharedBudgetUsedUpError`, with nothing
   * committed, where a budget that it shares does not let through what it is about to do.
   */
  async write(
    plan: Plan,
    state: TaskState,
    events: readonly NamedEvent[],
    { logged = [], raised, ...more }: Also = {},
  ): Promise<void> {
    const document = documentOf(withoutShared(plan));
    for (;;) {
      const now = this.#clock?.now();
      const charge =
        now === undefined ? NOTHING : await chargeShared(this.#store, plan, this.#spent, now, raised);
      try {
        await this.#store.commit({
          taskId: plan.planId,
          expect: { epoch: this.#epoch },
          document,
          events: [
            ...logged,
            ...charge.events.map((event) => statusEvent("working", event)),
            ...events.map((event) => statusEvent(event.state ?? state, event)),
          ],
          ...(charge.shared.length === 0 ? {} : { shared: charge.shared }),
          ...more,
        });
        this.#spent = plan.guarding?.spending;
        return;
      } catch (error) {
        // Another plan was faster; what it has left is looked at anew.
        if (!(error instanceof SharedMovedError)) throw error;
      }
    }
  }

  async append(planId: string, events: Command["events"]): Promise<void> {
    await this.#store.commit({
      taskId: planId,
      expect: { epoch: this.#epoch },
      ...(events === undefined ? {} : { events }),
    });
  }
}

const NOTHING = { shared: [], events: [] } as const;

/** What others have used is theirs to say. */
function withoutShared(plan: Plan): Plan {
  if (plan.guarding?.shared === undefined) return plan;
  const { shared: _, ...guarding } = plan.guarding;
  return { ...plan, guarding };
}
