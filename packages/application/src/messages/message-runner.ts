import { FencedError, type Message, TaskNotFoundError, TaskStateError } from "@cleveragents/domain";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { MessageActor, TurnEnd } from "../ports/message-actor.ts";
import type { TaskStore } from "../ports/task-store.ts";
import { type MessageDocument, toDocument } from "./message-document.ts";
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
}

export interface MessageRunnerDeps {
  readonly store: TaskStore;
  readonly actor: MessageActor;
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

  constructor(deps: MessageRunnerDeps) {
    this.#deps = deps;
  }

  get actor(): MessageActor {
    return this.#deps.actor;
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
    });
    this.#running.set(turn.taskId, { stop, ended });
  }

  /** Stops a turn that runs here; what it says from now on is dropped. */
  stop(taskId: string): void {
    this.#running.get(taskId)?.stop.abort();
  }

  /** Stops all turns and gives up their leases, so that they are run again soon. */
  async close(graceMs: number): Promise<void> {
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
    const { store, ids, logger, actor } = this.#deps;
    const renewing = setInterval(() => void this.#renew(turn, stop), LEASE_MS / 3);
    renewing.unref?.();
    let writer: TurnWriter | undefined;
    try {
      const asked = {
        taskId,
        contextId: turn.contextId,
        principal: turn.principal,
        message: turn.message,
        history: await this.#history(turn),
        turn: document.turn,
        attempt: document.attempt,
        acceptedOutputModes: document.acceptedOutputModes,
        signal: stop.signal,
      };
      writer = new TurnWriter({ store, ids, turn: asked, epoch });
      const end = await this.#outcome(() => actor.run(asked, writer as TurnWriter), stop.signal, taskId);
      clearInterval(renewing);
      await writer.end(end, withoutLease(document));
    } catch (error) {
      if (stop.signal.aborted) await this.#giveUp(turn);
      else if (!isStale(error))
        logger.error({ taskId, error: String(error) }, "a turn could not be written; it is run again");
    } finally {
      clearInterval(renewing);
      writer?.stop();
    }
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

  async #renew({ taskId, epoch, document }: TurnToRun, stop: AbortController): Promise<void> {
    const renewed = toDocument({ ...document, leaseUntil: this.lease() });
    try {
      if (this.#running.has(taskId))
        await this.#deps.store.commit({ taskId, expect: { epoch }, document: renewed });
    } catch (error) {
      // Taken over, cancelled, finished: whoever works on here works in vain. What the store cannot do now, it may later.
      if (isStale(error)) stop.abort();
    }
  }

  async #giveUp({ taskId, epoch, document }: TurnToRun): Promise<void> {
    const given = toDocument({ ...document, stops: (document.stops ?? 0) + 1, leaseUntil: 0 });
    // Not ours any more, or a store that is gone: the lease runs out by itself.
    await this.#deps.store.commit({ taskId, expect: { epoch }, document: given }).catch(() => undefined);
  }
}

export function withoutLease({ leaseUntil: _, ...document }: MessageDocument): MessageDocument {
  return document;
}

function isStale(error: unknown): boolean {
  return (
    error instanceof FencedError || error instanceof TaskStateError || error instanceof TaskNotFoundError
  );
}
