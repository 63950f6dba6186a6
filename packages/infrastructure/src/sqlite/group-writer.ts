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
  /** What a command comes to in the open transaction. Writes nothing; what it throws is this command's alone. */
  decide(input: Input): Output;
  /** Writes down what was decided; what it throws loses the transaction. */
  write(output: Output): void;
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

/** A decided command that could not be written, though the file can be. */
class UnwritableCommand extends Error {
  readonly index: number;
  constructor(index: number, cause: unknown) {
    super("a command of a group could not be written", { cause });
    this.index = index;
  }
}

/**
 * One writer for all commands: what has arrived while the event loop turned is one transaction. Commands take effect in
 * the order in which they were queued, each has its own outcome, and it is told only when the outcome is durable. A
 * command is refused before anything of it is written, so that none needs a savepoint. If a whole transaction is lost,
 * its commands are carried out again: those before and after one that could not be written as groups, else one by one.
 */
export class GroupWriter<Input extends { readonly size: number }, Output> {
  readonly #connection: SqliteConnection;
  readonly #work: GroupWork<Input, Output>;
  readonly #failPoint: FailPoint | undefined;
  readonly #sql: Record<"begin" | "commit" | "rollback", Statement>;
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
      this.#afterLoss(group, begun, error);
      return;
    }
    group.forEach(({ resolve, reject }, i) => {
      const outcome = outcomes[i];
      if (outcome !== undefined && "output" in outcome) resolve(outcome.output);
      else reject(outcome?.error);
    });
    this.#work.committed(succeeded(outcomes));
  }

  #afterLoss(group: readonly Job<Input, Output>[], begun: boolean, error: unknown): void {
    const unwritable = error instanceof UnwritableCommand ? error : undefined;
    // Where no transaction can begin (another program holds the file), each of many would wait for it in vain.
    if (group.length === 1 || !begun) for (const { reject } of group) reject(unwritable?.cause ?? error);
    else if (unwritable === undefined) for (const job of group) this.#carryOut([job]);
    else {
      const { index } = unwritable;
      const parts = [group.slice(0, index), group.slice(index, index + 1), group.slice(index + 1)];
      for (const part of parts) if (part.length > 0) this.#carryOut(part);
    }
  }

  /** All outcomes, committed; throws if nothing was. The error of a command that is alone is the transaction's. */
  #transaction(group: readonly Job<Input, Output>[]): readonly Outcome<Output>[] {
    try {
      this.#work.begin();
      const outcomes = group.map(({ input }, index) => this.#outcome(input, index, group.length === 1));
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

  #outcome(input: Input, index: number, alone: boolean): Outcome<Output> {
    let output: Output;
    try {
      output = this.#work.decide(input);
    } catch (error) {
      // A full disk or the like takes the transaction with it, or leaves it in doubt.
      if (alone || error instanceof DatabaseError || !this.#connection.inTransaction) throw error;
      return { error };
    }
    try {
      this.#work.write(output);
    } catch (error) {
      throw error instanceof DatabaseError ? error : new UnwritableCommand(index, error);
    }
    return { output };
  }
}

function succeeded<Output>(outcomes: readonly Outcome<Output>[]): readonly Output[] {
  return outcomes.flatMap((outcome) => ("output" in outcome ? [outcome.output] : []));
}
