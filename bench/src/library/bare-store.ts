import { DatabaseSync } from "node:sqlite";
import { openDatabase } from "./database.ts";

/** The product's tables in a file, without the product: each transaction is on the disk when it has ended. */
export interface BareStore extends Disposable {
  transaction(work: () => void): void;
  /** A row of `tasks`, `working`, with the row beside it. */
  task(taskId: string, at: number): void;
  /** The task goes on: to another state, or within the one that it is in. */
  update(
    taskId: string,
    change: { readonly at: number; readonly seq: number; readonly state?: string },
  ): void;
  event(event: BareEvent): void;
  claim(messageId: string, taskId: string): void;
  /** So many tasks more in a state. */
  count(state: string, tasks: number): void;
}
export interface BareEvent {
  readonly taskId: string;
  readonly seq: number;
  readonly key: string;
  readonly at: number;
  readonly body: unknown;
  readonly artifactId?: string;
  readonly messages?: number;
}

/** Under the settings that the product has. */
export async function openBareStore(path: string): Promise<BareStore> {
  await (await openDatabase(path))[Symbol.asyncDispose]();
  const database = new DatabaseSync(path);
  database.exec(
    "pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16384; pragma foreign_keys = on;" +
      "pragma temp_store = memory; pragma wal_autocheckpoint = 4000",
  );
  const task = database.prepare(
    `insert into tasks (task_id, context_id, principal, kind, state, status_at, created_at, updated_at, last_seq, epoch,
       revision, run_id, reference_task_ids)
     values (?, 'context', 'local', 'message', 'working', ?, ?, ?, 2, 1, 1, 'turn:1:1', '[]')`,
  );
  const document = database.prepare(
    "insert into task_documents (task_id, body) values (?, ?) on conflict (task_id) do update set body = excluded.body",
  );
  const progress = database.prepare(
    "update tasks set updated_at = ?, last_seq = ?, revision = ? where task_id = ?",
  );
  const status = database.prepare(
    "update tasks set state = ?, status_at = ?, updated_at = ?, last_seq = ?, revision = ?, run_id = null where task_id = ?",
  );
  const event = database.prepare(
    `insert into task_events (task_id, seq, event_key, logged_at, body, artifact_id, messages)
     values (?, ?, ?, ?, ?, ?, ?)`,
  );
  const claim = database.prepare(
    "insert into task_messages (principal, message_id, task_id) values ('local', ?, ?)",
  );
  const count = database.prepare(
    `insert into task_counts (principal, kind, state, tasks) values ('local', 'message', ?, ?)
     on conflict (principal, kind, state) do update set tasks = task_counts.tasks + excluded.tasks`,
  );
  const [begin, commit] = ["begin immediate", "commit"].map((sql) => database.prepare(sql));
  return {
    transaction(work) {
      begin?.run();
      work();
      commit?.run();
    },
    task(taskId, at) {
      task.run(taskId, at, at, at);
      document.run(taskId, JSON.stringify({ turn: 1, attempt: 1, leaseUntil: at }));
    },
    update(taskId, { at, seq, state }) {
      if (state === undefined) progress.run(at, seq, seq, taskId);
      else {
        status.run(state, at, at, seq, seq, taskId);
        document.run(taskId, JSON.stringify({ turn: 1, attempt: 1 }));
      }
    },
    event({ taskId, seq, key, at, body, artifactId = null, messages = 0 }) {
      event.run(taskId, seq, key, at, JSON.stringify(body), artifactId, messages);
    },
    claim: (messageId, taskId) => void claim.run(messageId, taskId),
    count: (state, tasks) => void count.run(state, tasks),
    [Symbol.dispose]: () => database.close(),
  };
}
