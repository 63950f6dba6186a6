import { type Committed, type FailPoint, WITH_FAIL_POINTS } from "@cleveragents/application";
import type { CommandText } from "../schema/command-text.ts";
import { StoreClosedError } from "../schema/store-closed-error.ts";
import { committedBy, type ServerOutcome } from "./commit-command.ts";
import { PostgresError } from "./database-errors.ts";
import { deadlineIn } from "./patience.ts";
import type { WriterLine } from "./writer-line.ts";

/** A group is bounded, so that its answer does not keep the first of its commands waiting for long. */
const GROUP_COMMANDS = 512;
const GROUP_CHARACTERS = 4 * 1024 * 1024;

interface Job {
  readonly command: CommandText;
  readonly deadline: number;
  readonly resolve: (committed: Committed) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One writer for all commands of a process: what has arrived while the previous group was on its way is the next
 * one. Commands of one task take effect in the order in which they were queued, each has its own outcome, and it is
 * told only when the outcome is durable.
 */
export class GroupWriter {
  readonly #line: WriterLine;
  readonly #timeoutMs: number;
  readonly #changed: (taskId: string, lastSeq: number) => void;
  readonly #failPoint: FailPoint | undefined;
  #queue: Job[] = [];
  #draining: Promise<void> | undefined;
  #patientUntil = 0;
  #closed = false;

  constructor(deps: {
    readonly line: WriterLine;
    readonly timeoutMs: number;
    /** Told after a commit is durable, once per task. */
    readonly changed: (taskId: string, lastSeq: number) => void;
    readonly failPoint?: FailPoint | undefined;
  }) {
    this.#line = deps.line;
    this.#timeoutMs = deps.timeoutMs;
    this.#changed = deps.changed;
    this.#failPoint = deps.failPoint;
  }

  enqueue(command: CommandText): Promise<Committed> {
    if (this.#closed) return Promise.reject(new StoreClosedError());
    return new Promise((resolve, reject) => {
      this.#queue.push({ command, deadline: deadlineIn(this.#timeoutMs), resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Refuses from now on; resolves when what was queued has its outcome. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // What arrives in the same turn of the event loop goes together.
    await new Promise((turn) => setImmediate(turn));
    while (this.#queue.length > 0) await this.#carryOut(this.#nextGroup());
    this.#draining = undefined;
  }

  /** In the order of their tasks, as every writer's groups are: two writers never wait for each other in a circle. */
  #nextGroup(): readonly Job[] {
    let length = 0;
    for (let size = 0; length < this.#queue.length && length < GROUP_COMMANDS; length += 1) {
      size += this.#queue[length]?.command.size ?? 0;
      if (size > GROUP_CHARACTERS && length > 0) break;
    }
    const group = this.#queue.slice(0, length);
    this.#queue = this.#queue.slice(length);
    return group.sort(({ command: a }, { command: b }) =>
      a.taskId < b.taskId ? -1 : a.taskId > b.taskId ? 1 : 0,
    );
  }

  async #carryOut(group: readonly Job[]): Promise<void> {
    let outcomes: readonly ServerOutcome[];
    try {
      if (WITH_FAIL_POINTS) this.#failPoint?.("store.commit.before");
      outcomes = await this.#line.carryOut(
        group.map(({ command }) => command),
        // Waiting behind groups that are carried out is no waiting for the database.
        Math.max(this.#patientUntil, Math.min(...group.map(({ deadline }) => deadline))),
      );
      this.#patientUntil = deadlineIn(this.#timeoutMs);
      if (WITH_FAIL_POINTS) this.#failPoint?.("store.commit.after");
    } catch (error) {
      // What is wrong with one of them must not fail the others; where the database is away, none has a chance.
      if (group.length === 1 || error instanceof PostgresError) for (const { reject } of group) reject(error);
      else for (const job of group) await this.#carryOut([job]);
      return;
    }
    const reached = new Map<string, number>();
    group.forEach(({ command, resolve, reject }, i) => {
      const outcome = outcomes[i];
      try {
        if (outcome === undefined)
          throw new Error("the database has answered for fewer commands than it was given");
        resolve(committedBy(outcome, command));
        if ("done" in outcome && outcome.done[4]) reached.set(command.taskId, outcome.done[0]);
      } catch (error) {
        reject(error);
      }
    });
    for (const [taskId, lastSeq] of reached) this.#changed(taskId, lastSeq);
  }
}
