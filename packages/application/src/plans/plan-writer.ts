import type { JsonObject, Message, Plan, TaskEvent, TaskState } from "@cleveragents/domain";
import type { Command, TaskStore } from "../ports/task-store.ts";
import { documentOf } from "./plan-document.ts";

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

  constructor(store: TaskStore, epoch: number) {
    this.#store = store;
    this.#epoch = epoch;
  }

  /** Throws the domain's `FencedError` when the plan has moved on without us. */
  async write(
    plan: Plan,
    state: TaskState,
    events: readonly NamedEvent[],
    { logged = [], ...more }: Also = {},
  ): Promise<void> {
    await this.#store.commit({
      taskId: plan.planId,
      expect: { epoch: this.#epoch },
      document: documentOf(plan),
      events: [...logged, ...events.map((event) => statusEvent(event.state ?? state, event))],
      ...more,
    });
  }

  async append(planId: string, events: Command["events"]): Promise<void> {
    await this.#store.commit({
      taskId: planId,
      expect: { epoch: this.#epoch },
      ...(events === undefined ? {} : { events }),
    });
  }
}
