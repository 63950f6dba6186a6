import {
  FencedError,
  type Message,
  type Session,
  TaskNotFoundError,
  TaskStateError,
} from "@cleveragents/domain";
import { sessionAccount } from "../plans/shared-budgets.ts";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { MessageActor, MessageActors, MessageTurn, TurnEnd } from "../ports/message-actor.ts";
import { TurnCancelledError } from "../ports/message-actor.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { TaskStore } from "../ports/task-store.ts";
import { earlier } from "./earlier.ts";
import { atRest, type MessageDocument, toDocument } from "./message-document.ts";
import { TurnAccount } from "./turn-account.ts";
import { type TurnPlansDeps, turnPlans } from "./turn-plans.ts";
import { TurnWriter } from "./turn-writer.ts";

/** How long a turn is left to its worker without a sign of life; renewed three times as often. */
const LEASE_MS = 15_000;

export interface TurnToRun {
  readonly taskId: string;
  readonly contextId: string;
  readonly principal: string;
  readonly epoch: number;
  readonly document: MessageDocument;
  readonly message: Message;
  readonly session?: Session | undefined;
}

export interface MessageRunnerDeps {
  readonly store: TaskStore;
  /** Who answers where nobody is named; undefined when nobody does. */
  readonly actor?: MessageActor | undefined;
  /** Who answers where sessions name somebody. */
  readonly actors?: MessageActors | undefined;
  readonly sessions?: Pick<SessionStore, "find" | "record"> | undefined;
  /** What actors may do about plans; undefined where there are none. */
  readonly plans?: TurnPlansDeps | undefined;
  /** Told when nobody works on a turn here any more, whatever it came to. */
  readonly over?: ((turn: TurnToRun) => void) | undefined;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
}

/**
 * Runs turns of message tasks in this process, without the engine: the lease in the task's document says that somebody
 * does, and a turn whose lease has run out is taken over by whoever sees it first.
 */
export class MessageRunner {
  readonly #deps: MessageRunnerDeps;
  readonly #running = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>();
  #closing = false;

  constructor(deps: MessageRunnerDeps) {
    this.#deps = deps;
  }

  /** Whether no turn may begin here any more. */
  get closing(): boolean {
    return this.#closing;
  }

  /** Who answers where nobody is named. */
  get own(): MessageActor | undefined {
    return this.#deps.actor;
  }

  /** Who answers in a name, or where there is none; undefined when nobody does. */
  async actorOf(name: string | undefined): Promise<MessageActor | undefined> {
    return name === undefined ? this.#deps.actor : this.#deps.actors?.find(name);
  }

  /** Until when a turn that begins or goes on now is this process's. */
  lease(): number {
    return this.#deps.clock.now() + LEASE_MS;
  }

  runs(taskId: string): boolean {
    return this.#running.has(taskId);
  }

  /** Begins a turn whose lease this process holds already. Returns at once; failures end in the log. */
  begin(turn: TurnToRun): void {
    const stop = new AbortController();
    const ended = this.#run(turn, stop).finally(() => {
      // The task's next turn may have begun by now.
      if (this.#running.get(turn.taskId)?.stop === stop) this.#running.delete(turn.taskId);
      this.#deps.over?.(turn);
    });
    this.#running.set(turn.taskId, { stop, ended });
    if (this.#closing) stop.abort();
  }

  /** Stops a turn that runs here and whose task was cancelled; what it says from now on is dropped. */
  stop(taskId: string): void {
    this.#running.get(taskId)?.stop.abort(new TurnCancelledError());
  }

  /** Stops all turns and gives up their leases, so that they are run again soon. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    const running = [...this.#running.values()];
    for (const { stop } of running) stop.abort();
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([
      Promise.all(running.map(({ ended }) => ended)),
      new Promise((resolve) => (timer = setTimeout(resolve, graceMs))),
    ]);
    clearTimeout(timer);
  }

  async #run(turn: TurnToRun, stop: AbortController): Promise<void> {
    const { taskId, epoch, document } = turn;
    const { store, ids, logger } = this.#deps;
    let account: TurnAccount | undefined;
    const kept = () => account?.document ?? document;
    const renewing = setInterval(() => void this.#renew(turn, stop, account), LEASE_MS / 3);
    renewing.unref?.();
    let writer: TurnWriter | undefined;
    try {
      const session = await this.#sessionOf(turn);
      account = this.#accountOf(turn, session);
      const asked = await this.#asked(turn, session, account, stop.signal);
      const actor = await this.actorOf(document.actor);
      writer = new TurnWriter({ store, ids, turn: asked, epoch });
      const end =
        actor === undefined
          ? nobody(document.actor)
          : await this.#outcome(() => actor.run(asked, writer as TurnWriter), stop.signal, taskId);
      clearInterval(renewing);
      await writer.end(end, withUsed(atRest(kept()), end));
    } catch (error) {
      if (stop.signal.aborted) await this.#giveUp(turn, kept());
      else if (!isStale(error))
        logger.error({ taskId, error: String(error) }, "a turn could not be written; it is run again");
    } finally {
      clearInterval(renewing);
      writer?.stop();
    }
  }

  async #sessionOf({ session, document, contextId }: TurnToRun): Promise<Session | undefined> {
    return session ?? (document.session === true ? await this.#deps.sessions?.find(contextId) : undefined);
  }

  #accountOf({ taskId, epoch, document }: TurnToRun, session: Session | undefined): TurnAccount | undefined {
    const ref = session && sessionAccount(session);
    return ref && new TurnAccount(this.#deps, ref, { taskId, epoch, document });
  }

  async #asked(
    turn: TurnToRun,
    session: Session | undefined,
    budget: TurnAccount | undefined,
    signal: AbortSignal,
  ): Promise<MessageTurn> {
    const { store, sessions, plans } = this.#deps;
    const { taskId, contextId, principal, document, message } = turn;
    const { acceptedOutputModes, attempt, actor, unsafe } = document;
    const named = { taskId, contextId, principal, turn: document.turn };
    return {
      ...named,
      message,
      history: await this.#history(turn),
      attempt,
      acceptedOutputModes,
      ...(unsafe === undefined ? {} : { unsafe }),
      session,
      budget,
      actor,
      earlier: (tokens) => earlier({ store, sessions }, named, tokens),
      plans: turnPlans(plans, named),
      signal,
    };
  }

  /** What the actor ends with; a mistake of its own is a failed task, and only the log has the cause. */
  async #outcome(run: () => Promise<TurnEnd>, signal: AbortSignal, taskId: string): Promise<TurnEnd> {
    try {
      return await run();
    } catch (error) {
      if (signal.aborted || isStale(error)) throw error;
      const reference = this.#deps.ids.next();
      this.#deps.logger.error(
        { taskId, reference, error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
        "an actor failed",
      );
      const text = `Something went wrong inside the agent (reference ${reference}).`;
      return { state: "failed", parts: [{ kind: "text", text }] };
    }
  }

  async #history({ taskId, document, message }: TurnToRun): Promise<readonly Message[]> {
    if (document.turn === 1 && document.attempt === 1) return [message];
    return (await this.#deps.store.snapshot(taskId, { artifacts: false }))?.history ?? [message];
  }

  async #renew(
    { taskId, epoch, document }: TurnToRun,
    stop: AbortController,
    account: TurnAccount | undefined,
  ): Promise<void> {
    const leaseUntil = this.lease();
    const renewed = toDocument(account?.renewed(leaseUntil) ?? { ...document, leaseUntil });
    try {
      if (this.#running.has(taskId))
        await this.#deps.store.commit({ taskId, expect: { epoch }, document: renewed });
    } catch (error) {
      // Taken over, cancelled, finished: whoever works on here works in vain. What the store cannot do now, it may later.
      if (isStale(error)) stop.abort(await this.#whyStale(taskId));
    }
  }

  /** Somebody has cancelled it through another process, or works on it. */
  async #whyStale(taskId: string): Promise<unknown> {
    const row = await this.#deps.store.load(taskId).catch(() => undefined);
    return row?.state === "canceled" ? new TurnCancelledError() : undefined;
  }

  async #giveUp({ taskId, epoch }: TurnToRun, document: MessageDocument): Promise<void> {
    const given = toDocument({ ...document, stops: (document.stops ?? 0) + 1, leaseUntil: 0 });
    // Not ours any more, or a store that is gone: the lease runs out by itself.
    await this.#deps.store.commit({ taskId, expect: { epoch }, document: given }).catch(() => undefined);
  }
}

function withUsed(document: MessageDocument, { use = [] }: TurnEnd): MessageDocument {
  return use.length === 0 ? document : { ...document, modelUse: [...(document.modelUse ?? []), ...use] };
}

/** The session's actor was taken out of the registry after the message was taken in. */
function nobody(actor: string | undefined): TurnEnd {
  const text = `Nobody answers ${actor === undefined ? "messages" : `in the name of ${actor}`} here any more.`;
  return { state: "failed", parts: [{ kind: "text", text }] };
}

function isStale(error: unknown): boolean {
  return (
    error instanceof FencedError || error instanceof TaskStateError || error instanceof TaskNotFoundError
  );
}
