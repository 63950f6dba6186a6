import { type FailPoint, WITH_FAIL_POINTS } from "@cleveragents/application";
import { StoreClosedError } from "../schema/store-closed-error.ts";
import { DatabaseError } from "./database-errors.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { Statement } from "./statement.ts";

/** A group is bounded, so that requests that only read get their turn between two groups. */
const GROUP_COMMANDS = 512;
const GROUP_CHARACTERS = 4 * 1024 * 1024;

export interface GroupWork<Input, Output> {
  /** A transaction begins; what was done in one before that is not committed did not happen. */
  begin(): void;
  /** Carries out one command in the open transaction; what it throws undoes this command alone. */
  carryOut(input: Input): Output;
  /** The last writes of the transaction. */
  finish(): void;
  /** The commit is durable. */
  committed(outputs: readonly Output[]): void;
}

interface Job<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}
type Outcome<Output> = { readonly output: Output } | { readonly error: unknown };

/**
 * One writer for all commands: what has arrived while the event loop turned is one transaction, a savepoint around
 * each command. Commands take effect in the order in which they were queued, each has its own outcome, and it is
 * told only when the outcome is durable. If a whole transaction is lost, its commands are carried out one by one.
 */
export class GroupWriter<Input extends { readonly size: number }, Output> {
  readonly #connection: SqliteConnection;
  readonly #work: GroupWork<Input, Output>;
  readonly #failPoint: FailPoint | undefined;
  readonly #sql: Record<"begin" | "commit" | "rollback" | "save" | "release" | "undo", Statement>;
  #queue: Job<Input, Output>[] = [];
  #scheduled = false;
  #closed = false;
  #failure: DatabaseError | undefined;

  constructor(connection: SqliteConnection, work: GroupWork<Input, Output>, failPoint?: FailPoint) {
    this.#connection = connection;
    this.#work = work;
    this.#failPoint = failPoint;
    this.#sql = {
      begin: connection.prepare("begin immediate"),
      commit: connection.prepare("commit"),
      rollback: connection.prepare("rollback"),
      save: connection.prepare("savepoint command"),
      release: connection.prepare("release command"),
      undo: connection.prepare("rollback to command"),
    };
  }

  /** Why the newest transaction was lost, until one succeeds. */
  get failure(): DatabaseError | undefined {
    return this.#failure;
  }

  enqueue(input: Input): Promise<Output> {
    if (this.#closed) return Promise.reject(new StoreClosedError());
    return new Promise((resolve, reject) => {
      this.#queue.push({ input, resolve, reject });
      if (this.#scheduled) return;
      this.#scheduled = true;
      setImmediate(() => this.#drain());
    });
  }

  /** Carries out what is queued, then refuses. */
  close(): void {
    this.#closed = true;
    while (this.#queue.length > 0) this.#carryOut(this.#nextGroup());
  }

  #drain(): void {
    this.#scheduled = false;
    if (this.#queue.length === 0) return;
    this.#carryOut(this.#nextGroup());
    if (this.#queue.length === 0 || this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#drain());
  }

  #nextGroup(): readonly Job<Input, Output>[] {
    let length = 0;
    for (let size = 0; length < this.#queue.length && length < GROUP_COMMANDS; length += 1) {
      size += this.#queue[length]?.input.size ?? 0;
      if (size > GROUP_CHARACTERS && length > 0) break;
    }
    const group = this.#queue.slice(0, length);
    this.#queue = this.#queue.slice(length);
    return group;
  }

  #carryOut(group: readonly Job<Input, Output>[]): void {
    let outcomes: readonly Outcome<Output>[];
    let begun = false;
    try {
      this.#sql.begin.run();
      begun = true;
      outcomes = this.#transaction(group);
      this.#failure = undefined;
    } catch (error) {
      if (error instanceof DatabaseError) this.#failure = error;
      // Where no transaction can begin (another program holds the file), each of many would wait for it in vain.
      if (group.length === 1 || !begun) for (const { reject } of group) reject(error);
      else for (const job of group) this.#carryOut([job]);
      return;
    }
    group.forEach(({ resolve, reject }, i) => {
      const outcome = outcomes[i];
      if (outcome !== undefined && "output" in outcome) resolve(outcome.output);
      else reject(outcome?.error);
    });
    this.#work.committed(succeeded(outcomes));
  }

  /** All outcomes, committed; throws if nothing was. The error of a command that is alone is the transaction's. */
  #transaction(group: readonly Job<Input, Output>[]): readonly Outcome<Output>[] {
    try {
      this.#work.begin();
      const outcomes = group.map(({ input }) =>
        group.length === 1 ? { output: this.#work.carryOut(input) } : this.#inSavepoint(input),
      );
      this.#work.finish();
      if (WITH_FAIL_POINTS) this.#failPoint?.("store.commit.before");
      this.#sql.commit.run();
      if (WITH_FAIL_POINTS) this.#failPoint?.("store.commit.after");
      return outcomes;
    } catch (error) {
      if (this.#connection.inTransaction) this.#sql.rollback.run();
      throw error;
    }
  }

  #inSavepoint(input: Input): Outcome<Output> {
    this.#sql.save.run();
    try {
      const output = this.#work.carryOut(input);
      this.#sql.release.run();
      return { output };
    } catch (error) {
      // A full disk or the like takes the transaction with it, or leaves it in doubt.
      if (error instanceof DatabaseError || !this.#connection.inTransaction) throw error;
      this.#sql.undo.run();
      this.#sql.release.run();
      return { error };
    }
  }
}

function succeeded<Output>(outcomes: readonly Outcome<Output>[]): readonly Output[] {
  return outcomes.flatMap((outcome) => ("output" in outcome ? [outcome.output] : []));
}
