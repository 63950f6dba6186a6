import { type Client, RemoteError, type ResultOf, TransportError } from "@cleveragents/protocol";
import { type ChaosPlace, pause } from "./chaos-place.ts";

export type PlanStatus = ResultOf<"_cleveragents/plan/status">;

const OVER: ReadonlySet<string> = new Set([
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
]);

/** How long one thing may take, counted anew from each start of an owner, before a test gives up on it. */
const PATIENCE_MS = 90_000;

/**
 * A user who does not give up: each request is repeated until an owner has answered it, whoever dies meanwhile. What is
 * asked for may be asked for twice, so every request here is one that may be repeated.
 */
export class Hand {
  readonly #place: ChaosPlace;
  #client: Client | undefined;

  constructor(place: ChaosPlace) {
    this.#place = place;
  }

  #patience(): () => boolean {
    let owners = this.#place.owners.length;
    let deadline = performance.now() + PATIENCE_MS;
    return () => {
      if (this.#place.owners.length !== owners) deadline = performance.now() + PATIENCE_MS;
      owners = this.#place.owners.length;
      return performance.now() > deadline;
    };
  }

  async again<T>(ask: (client: Client) => Promise<T>): Promise<T> {
    for (const tired = this.#patience(); ; ) {
      try {
        this.#client ??= await this.#place.connect();
        return await ask(this.#client);
      } catch (error) {
        if (!TransportError.is(error)) throw error;
        if (tired()) throw new Error(`no owner answered:\n${this.#place.log()}`, { cause: error });
        await pause(20);
      }
    }
  }

  /** Makes the repository a project, and an action of this YAML. */
  async furnish(...documents: readonly string[]): Promise<void> {
    await this.#made("_cleveragents/registry/project/add", {
      name: "demo",
      path: this.#place.repository.root,
    });
    for (const document of documents) await this.#made("_cleveragents/registry/action/add", { document });
  }

  /** Makes actors of this YAML. */
  async enlist(...documents: readonly string[]): Promise<void> {
    for (const document of documents) await this.#made("_cleveragents/registry/actor/add", { document });
  }

  async #made(
    method: `_cleveragents/registry/${"project" | "action" | "actor"}/add`,
    params: never | object,
  ): Promise<void> {
    try {
      await this.again((client) => client.request(method, params));
    } catch (error) {
      // Asked for before, by a request whose answer was lost.
      if (!RemoteError.is(error) || !/EXISTS/.test(error.reason)) throw error;
    }
  }

  /** Starts a plan; the message's id makes it one plan however often it is sent. */
  async begin(action: string, messageId: string, profile = "trusted"): Promise<string> {
    const data = { action_name: action, project: "demo", automation_profile: profile };
    const sent = await this.again((client) =>
      client.call("SendMessage", {
        message: { messageId, role: "ROLE_USER", parts: [{ data }] },
        configuration: { returnImmediately: true },
      }),
    );
    if (!("task" in sent)) throw new Error(`no plan was started: ${JSON.stringify(sent)}`);
    return sent.task.id;
  }

  status(planId: string): Promise<PlanStatus> {
    return this.again((client) => client.call("_cleveragents/plan/status", { plan_id: planId }));
  }

  /** Looks at a plan until it satisfies. Throws if it does not, with what it did instead. */
  async until(planId: string, holds: (status: PlanStatus) => boolean, what: string): Promise<PlanStatus> {
    let status = await this.status(planId);
    for (const tired = this.#patience(); !holds(status); status = await this.status(planId)) {
      if (tired() || isStuck(status))
        throw new Error(`the plan did not get to ${what}: ${JSON.stringify(status)}\n${this.#place.log()}`);
      await pause(40);
    }
    return status;
  }

  /** Waits until the plan asks something of this kind, or is over. */
  asked(planId: string, kind: string): Promise<PlanStatus> {
    return this.until(
      planId,
      (status) => status.waiting_for?.kind === kind || isOver(status),
      `a question of the kind ${kind}`,
    );
  }

  over(planId: string): Promise<PlanStatus> {
    return this.until(planId, isOver, "its end");
  }

  /** Waits for a question and answers it, once. */
  async answer(planId: string, option: string): Promise<void> {
    const { waiting_for: open } = await this.asked(planId, "question");
    if (open === undefined) throw new Error(`plan ${planId} asked nothing`);
    await this.again((client) =>
      client.call("_cleveragents/plan/approve", { plan_id: planId, request_id: open.request_id, option }),
    ).catch(async (error: unknown) => {
      // Answered by a request whose own answer was lost: then the plan has gone on from this question.
      if (!RemoteError.is(error) || (await this.status(planId)).waiting_for?.request_id === open.request_id)
        throw error;
    });
  }

  /** Says whose files count where a subplan's do not go together with the plan's. */
  async resolve(planId: string, option: "ours" | "theirs", after?: string): Promise<string> {
    const { waiting_for: open } = await this.until(
      planId,
      ({ waiting_for, task_state }) =>
        (waiting_for?.kind === "conflict" && waiting_for.request_id !== after) ||
        task_state === "TASK_STATE_FAILED",
      "a conflict",
    );
    const request_id = open?.request_id ?? "";
    await this.again((client) =>
      client.call("_cleveragents/plan/approve", { plan_id: planId, request_id, option }),
    ).catch(async (error: unknown) => {
      // As with a question.
      if (!RemoteError.is(error) || (await this.status(planId)).waiting_for?.request_id === request_id)
        throw error;
    });
    return request_id;
  }

  /** Takes a plan back before what it has decided; the message's id makes it one correction however often it is sent. */
  async correct(planId: string, guidance: string, message_id: string): Promise<void> {
    await this.again((client) =>
      client.call("_cleveragents/plan/correct", { plan_id: planId, guidance, message_id }),
    ).catch((error: unknown) => {
      // Sent before, and not taken yet.
      if (!RemoteError.is(error) || error.reason !== "INVALID_STATE") throw error;
    });
  }

  /** Takes a plan that waits to be applied back to a checkpoint, and has it go on from there; one message, one time. */
  async goBack(planId: string, checkpoint: string, message_id: string): Promise<void> {
    await this.again((client) =>
      client.call("_cleveragents/plan/rollback", { plan_id: planId, checkpoint, message_id }),
    ).catch((error: unknown) => {
      // As with a correction.
      if (!RemoteError.is(error) || error.reason !== "INVALID_STATE") throw error;
    });
    await this.asked(planId, "start");
    await this.again((client) => client.call("_cleveragents/plan/execute", { plan_id: planId }));
  }

  /** Makes the plan that undoes one that was applied; the message's id makes it one however often it is sent. */
  async undo(planId: string, message_id: string): Promise<string> {
    const { plan_id } = await this.again((client) =>
      client.call("_cleveragents/plan/rollback", { plan_id: planId, message_id }),
    );
    return plan_id;
  }

  /** The plans that a plan has started, also those that no longer count, by their ids. */
  async children(planId: string): Promise<readonly string[]> {
    const { plans } = await this.again((client) =>
      client.call("_cleveragents/plan/list", { parent: planId, page_size: 500 }),
    );
    const named = await Promise.all(
      plans.map(async ({ plan_id }) => (await this.status(plan_id)).parent?.name),
    );
    // By what they are, since which of them ends first is nobody's to say.
    return plans
      .map(({ plan_id }, at) => ({ plan_id, name: named[at] ?? "" }))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
      .map(({ plan_id }) => plan_id);
  }

  /** Waits for the changeset and applies it. */
  async apply(planId: string): Promise<PlanStatus> {
    const { digest } = await this.asked(planId, "apply");
    if (digest === undefined) throw new Error(`plan ${planId} offered nothing`);
    await this.again((client) => client.call("_cleveragents/plan/apply", { plan_id: planId, digest }));
    return this.over(planId);
  }

  /** Cancels a plan; one that was cancelled by a request whose answer was lost is cancelled. */
  async cancel(planId: string): Promise<PlanStatus> {
    try {
      await this.again((client) => client.call("_cleveragents/plan/cancel", { plan_id: planId }));
    } catch (error) {
      if (!RemoteError.is(error) || !isOver(await this.status(planId))) throw error;
    }
    return this.over(planId);
  }
}

export function isOver(status: PlanStatus): boolean {
  return OVER.has(status.task_state);
}

/** It asks whether it shall try again what no test lets fail. */
function isStuck(status: PlanStatus): boolean {
  return status.waiting_for?.kind === "retry";
}
