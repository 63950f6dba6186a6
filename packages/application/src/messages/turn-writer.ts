import type { Message, Part, TaskEvent, TaskState } from "@cleveragents/domain";
import type { IdGenerator } from "../ports/clock.ts";
import type { MessageTurn, TurnEnd, TurnLog } from "../ports/message-actor.ts";
import type { Command, TaskStore } from "../ports/task-store.ts";
import { type MessageDocument, toDocument } from "./message-document.ts";

/** How long pieces of artifacts are gathered before they are written together. */
const GATHER_MS = 20;
/** From how many gathered pieces on the actor waits until they are written. */
const MOST_PENDING = 512;

export interface TurnWriterDeps {
  readonly store: Pick<TaskStore, "commit">;
  readonly ids: IdGenerator;
  readonly turn: MessageTurn;
  readonly epoch: number;
}

/** Writes what an actor says into the task's log, under the epoch of its attempt. Throws what the store throws. */
export class TurnWriter implements TurnLog {
  readonly #deps: TurnWriterDeps;
  #pending: { readonly key: string; readonly event: TaskEvent }[] = [];
  #said = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #failed: { readonly error: unknown } | undefined;
  #ended = false;

  constructor(deps: TurnWriterDeps) {
    this.#deps = deps;
  }

  async status(state: "working" | "auth-required", parts?: readonly Part[]): Promise<void> {
    this.#check();
    this.#push(this.#statusEvent(state, parts === undefined ? undefined : { parts }));
    await this.#flush();
  }

  async artifact(update: Parameters<TurnLog["artifact"]>[0]): Promise<void> {
    this.#check();
    const { artifact, append = false, lastChunk = false } = update;
    this.#push({ type: "artifact", artifact, append, lastChunk });
    if (this.#pending.length >= MOST_PENDING) await this.#flush();
    else
      this.#timer ??= setTimeout(() => {
        this.#flush().catch(() => undefined); // whoever says the next thing is told
      }, GATHER_MS);
  }

  /** The turn is over: everything that is left and the state that it ends in, as one commit. */
  async end(end: TurnEnd, document: MessageDocument): Promise<void> {
    this.#check();
    this.#ended = true;
    this.#push(
      this.#statusEvent(end.state, end.parts === undefined ? undefined : { ...end, parts: end.parts }),
    );
    await this.#flush({ document: toDocument(document), runId: null });
  }

  /** Writes nothing more. */
  stop(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#pending = [];
  }

  #check(): void {
    this.#deps.turn.signal.throwIfAborted();
    if (this.#failed !== undefined) throw this.#failed.error;
    if (this.#ended) throw new Error("the turn is over");
  }

  #push(event: TaskEvent): void {
    const { turn, epoch } = this.#deps;
    this.#pending.push({ key: `t${turn.turn}:e${epoch}:${++this.#said}`, event });
  }

  #statusEvent(
    state: TaskState,
    said: (Pick<TurnEnd, "metadata"> & { parts: readonly Part[] }) | undefined,
  ): TaskEvent {
    if (said === undefined) return { type: "status", state };
    const { ids, turn } = this.#deps;
    const message: Message = {
      messageId: ids.next(),
      role: "agent",
      taskId: turn.taskId,
      contextId: turn.contextId,
      parts: said.parts,
      ...(said.metadata === undefined ? {} : { metadata: said.metadata }),
    };
    return { type: "status", state, message };
  }

  /** One commit at a time, so that what was said first is logged first. */
  async #flush(more: Pick<Command, "document" | "runId"> = {}): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = this.#pending;
    this.#pending = [];
    const { store, turn, epoch } = this.#deps;
    this.#writing = this.#writing.then(async () => {
      if (this.#failed !== undefined) throw this.#failed.error;
      try {
        await store.commit({ taskId: turn.taskId, expect: { epoch }, events, ...more });
      } catch (error) {
        this.#failed = { error };
        throw error;
      }
    });
    this.#writing.catch(() => undefined);
    await this.#writing;
  }
}
