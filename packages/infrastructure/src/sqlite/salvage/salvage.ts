import type { Clock } from "@cleveragents/application";
import type { Migration } from "kysely/migration";
import { fromColumnText } from "../../schema/column-text.ts";
import type { Tables } from "../../schema/tables.ts";
import { DatabaseForeignError, DatabaseTooNewError } from "../database-errors.ts";
import { migrate } from "../migrate.ts";
import { rebuildProjections } from "../projections.ts";
import { SqliteConnection } from "../sqlite-connection.ts";
import { DamagedDatabase } from "./damaged-database.ts";
import { mendTasks, type TaskTrace } from "./mend-tasks.ts";
import type { Value } from "./record.ts";
import { RowShape } from "./row-shape.ts";
import type { SalvageReport } from "./salvage-report.ts";

/** What follows from logs is made anew, not copied, and the new file has its own migrations. */
const NOT_COPIED: ReadonlySet<string> = new Set([
  "task_artifacts",
  "task_counts",
  "kysely_migration",
  "kysely_migration_lock",
]);
const TABLES = {
  tasks: true,
  task_documents: true,
  task_events: true,
  task_artifacts: true,
  task_inbox: true,
  task_messages: true,
  shared_documents: true,
  task_counts: true,
  registry_entries: true,
  sessions: true,
  changesets: true,
  api_keys: true,
  push_configs: true,
  graph_checkpoints: true,
  graph_writes: true,
} as const satisfies Record<keyof Tables, true>;
/** By any of these a file is known for ours: which of its tables can still be read is chance. */
const OURS: ReadonlySet<string> = new Set(["kysely_migration", ...Object.keys(TABLES)]);

/**
 * Makes a new database at `target` of what can be read of the damaged one at `path`, which stays as it is. Throws
 * `DatabaseForeignError` if it is not ours, `DatabaseTooNewError` if a newer version wrote it.
 */
export async function salvage(options: {
  readonly path: string;
  readonly target: string;
  readonly migrations: Readonly<Record<string, Migration>>;
  readonly clock: Clock;
}): Promise<SalvageReport> {
  const { path, target, migrations, clock } = options;
  using damaged = new DamagedDatabase(path);
  const version = versionOf(damaged, path, Object.keys(migrations));
  const connection = new SqliteConnection(target);
  try {
    await migrate(connection, Object.fromEntries(Object.entries(migrations).slice(0, version)));
    connection.exec("pragma foreign_keys = off; begin immediate");
    const copy = new Copy(connection, damaged);
    copy.tables();
    const { tasks, others, events } = copy.lost();
    const ambiguous = copy.strays();
    const mended = mendTasks(connection, {
      traces: copy.traces(),
      lostTasks: tasks,
      lostEntries: events,
      withoutDocument: ambiguous,
      at: clock.now(),
    });
    connection.exec("commit; pragma foreign_keys = on");
    rebuildProjections(connection);
    connection.exec("pragma wal_checkpoint(truncate)");
    return {
      ...mended,
      others: others
        .filter(({ table, key }) => !copy.has(table, key))
        .map(({ table, key }) => ({ table, key: key.join(" ") })),
      unreadable: damaged.damaged,
    };
  } finally {
    connection.close();
  }
}

/** How many of the known migrations the new file begins with: those of the old one, so that the others run on its rows. */
function versionOf(damaged: DamagedDatabase, path: string, known: readonly string[]): number {
  const applied = damaged.migrations();
  if (applied.some((name) => !known.includes(name)))
    throw new DatabaseTooNewError(path, applied.length, known.length);
  const names = damaged.trees.filter(({ type }) => type === "table").map(({ name }) => name);
  if (names.length > 0 && !names.some((name) => OURS.has(name)))
    throw new DatabaseForeignError(path, "the database belongs to another program");
  return applied.length === 0 ? known.length : applied.length;
}

type Key = readonly (string | number)[];

/** Carries rows over. What is there already stays: rows that their table still leads to come before strays. */
class Copy {
  readonly #connection: SqliteConnection;
  readonly #damaged: DamagedDatabase;
  readonly #shapes: ReadonlyMap<string, RowShape>;

  constructor(connection: SqliteConnection, damaged: DamagedDatabase) {
    this.#connection = connection;
    this.#damaged = damaged;
    const there = connection
      .statement<{ name: string }>(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'",
      )
      .all();
    const tables = there.map(({ name }) => name).filter((name) => !NOT_COPIED.has(name));
    this.#shapes = new Map(tables.map((table) => [table, new RowShape(connection, table)]));
  }

  tables(): void {
    for (const [table, shape] of this.#shapes)
      for (const row of this.#damaged.rows(table))
        if (shape.fits(row, { exact: false })) this.#insert(shape, row);
  }

  /** What indexes of primary keys name and no row was found for. Call it before strays are looked at, which may find it. */
  lost(): {
    readonly tasks: readonly string[];
    readonly events: readonly { readonly taskId: string; readonly seq: number }[];
    readonly others: readonly { readonly table: string; readonly key: Key }[];
  } {
    const tasks: string[] = [];
    const events: { taskId: string; seq: number }[] = [];
    const others: { table: string; key: Key }[] = [];
    for (const table of this.#shapes.keys()) {
      for (const entry of this.#damaged.index(`sqlite_autoindex_${table}_1`)) {
        const key = keyOf(entry);
        if (
          key === undefined ||
          key.length !== (this.#shapes.get(table)?.key.length ?? 0) ||
          this.has(table, key)
        )
          continue;
        const [first, second] = key;
        if (table === "tasks") tasks.push(String(first));
        else if (table === "task_events") events.push({ taskId: String(first), seq: Number(second) });
        else others.push({ table, key });
      }
    }
    return { tasks, events, others };
  }

  /** Fills up from pages that nothing leads to. Answers tasks of which two documents were found: neither is to be trusted. */
  strays(): ReadonlySet<string> {
    const seen = new Map<string, Value>();
    const ambiguous = new Set<string>();
    for (const row of this.#damaged.strays()) {
      const shape = [...this.#shapes.values()].find((candidate) => candidate.fits(row, { exact: true }));
      if (shape === undefined) continue;
      const inserted = this.#insert(shape, row);
      if (shape.table !== "task_documents") continue;
      const [taskId, body] = [String(row[0]), row[1] ?? null];
      if (inserted) seen.set(taskId, body);
      else if (seen.has(taskId) && seen.get(taskId) !== body) ambiguous.add(taskId);
    }
    return ambiguous;
  }

  /** What the index by context still knows of tasks. */
  traces(): ReadonlyMap<string, TaskTrace> {
    const traces = new Map<string, TaskTrace>();
    for (const [contextId, principal, , taskId, kind, state] of this.#damaged.index("tasks_by_context")) {
      if (![contextId, principal, taskId, kind, state].every((value) => typeof value === "string")) continue;
      traces.set(fromColumnText(String(taskId)), {
        contextId: fromColumnText(String(contextId)),
        principal: fromColumnText(String(principal)),
        kind: kind === "message" ? "message" : "plan",
      });
    }
    return traces;
  }

  has(table: string, key: Key): boolean {
    const where = (this.#shapes.get(table)?.key ?? []).map((column) => `${column} = ?`).join(" and ");
    return this.#connection.statement(`select 1 from ${table} where ${where}`).get(...key) !== undefined;
  }

  /** Whether it was new. */
  #insert(shape: RowShape, row: readonly Value[]): boolean {
    const names = shape.columns.slice(0, row.length).map(({ name }) => name);
    const insert = this.#connection.statement(
      `insert or ignore into ${shape.table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`,
    );
    return insert.run(...row.map((value) => (typeof value === "string" ? fromColumnText(value) : value))) > 0;
  }
}

function keyOf(entry: readonly Value[]): Key | undefined {
  const key = entry.map((value) => (typeof value === "string" ? fromColumnText(value) : value));
  return key.every((value) => typeof value === "string" || typeof value === "number")
    ? (key as Key)
    : undefined;
}
