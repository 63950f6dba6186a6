import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Command } from "@cleveragents/application";
import { forAnyCommands } from "@cleveragents/testing";
import { expect, it } from "vitest";
import { checkProjections, rebuildProjections, SqliteConnection } from "../src/sqlite/index.ts";
import { JSON_COLUMNS, RowShape } from "../src/sqlite/salvage/row-shape.ts";
import { chunk, open, plan, temporaryDirectory } from "./sqlite-fixtures.ts";

const TABLES = ["tasks", "task_events", "task_artifacts", "task_documents", "task_inbox", "task_messages"];

/** Every row of a file, in order, whatever the order they lie in; of the totals those that are not 0. */
function dump(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  const all = TABLES.map((table) =>
    database
      .prepare(`select * from ${table}`)
      .all()
      .map((row) => JSON.stringify(row))
      .sort(),
  );
  const totals = database
    .prepare("select * from task_counts where tasks <> 0")
    .all()
    .map((row) => JSON.stringify(row))
    .sort();
  database.close();
  return [...all, totals];
}

/** Spoils everything that follows from the logs. */
function spoil(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("pragma foreign_keys = off");
  database.exec(
    "delete from task_artifacts where rowid % 2 = 0; update task_artifacts set start_seq = 1, first_seq = 9",
  );
  database.exec("delete from task_counts; insert into task_counts values ('nobody', 'plan', 'working', 5)");
  database.exec("update tasks set state = 'rejected', status_message = '{}', status_at = 7, last_seq = 99");
  database.exec("update task_events set artifact_id = 'other', messages = 3");
  database.close();
}

it("whatever the commands were, what is kept beside a log follows from it, and can be made anew", {
  timeout: 120_000,
}, async () => {
  using t = temporaryDirectory();
  let run = 0;
  await forAnyCommands(async (groups) => {
    run += 1;
    const database = await open(t.path);
    for (const name of ["a", "b"]) await database.tasks.commit(plan(`${run}.${name}`));
    for (const group of groups)
      await Promise.allSettled(group.map((command) => commitOf(database, run, command)));
    expect(database.checkProjections()).toEqual([]);
    await database.close();
    const before = dump(t.path);
    spoil(t.path);
    expect(checkProjections(t.path).length).toBeGreaterThan(0);
    const connection = new SqliteConnection(t.path);
    rebuildProjections(connection);
    connection.close();
    expect(dump(t.path)).toEqual(before);
  }, 25);
});

function commitOf(database: Awaited<ReturnType<typeof open>>, run: number, command: Command) {
  return database.tasks.commit({ ...command, taskId: `${run}.${command.taskId}` });
}

it.each([
  ["a gap in a log", "delete from task_events where seq = 2", "sequence"],
  ["a state that the log does not end in", "update tasks set state = 'completed'", "state"],
  ["an artifact that begins elsewhere", "update task_artifacts set start_seq = 2", "artifacts"],
  ["a total", "update task_counts set tasks = tasks + 1", 'total ["anna","plan","submitted"]'],
  ["a log without a task", "pragma foreign_keys = off; delete from tasks", "task"],
  ["a last sequence", "update tasks set last_seq = 4", "lastSeq"],
])("a check finds %s", async (_, sql, what) => {
  using t = temporaryDirectory();
  const database = await open(t.path);
  await database.tasks.commit(
    plan("t", { events: [1, 2, 3].map((n) => ({ key: `${n}`, event: chunk(`${n}`) })) }),
  );
  await database.close();
  expect(checkProjections(t.path)).toEqual([]);
  const bytes = readFileSync(t.path);
  expect(checkProjections(t.path)).toEqual([]);
  expect(readFileSync(t.path).equals(bytes)).toBe(true);
  const spoiled = new DatabaseSync(t.path);
  spoiled.exec(sql);
  spoiled.close();
  expect(checkProjections(t.path).map((mismatch) => mismatch.what)).toContain(what);
});

it("no two tables have rows of the same shape, so that a row that was found by itself has one place", async () => {
  using t = temporaryDirectory();
  await (await open(t.path)).close();
  const connection = new SqliteConnection(t.path, { readOnly: true });
  const tables = connection
    .statement<{ name: string }>(
      "select name from sqlite_schema where type = 'table' and name not like 'kysely%'",
    )
    .all();
  const shapes = tables.map(({ name }) => {
    const { columns } = new RowShape(connection, name);
    return JSON.stringify(columns.map((column) => [column.integer, JSON_COLUMNS.has(column.name)]));
  });
  connection.close();
  expect(new Set(shapes).size).toBe(shapes.length);
});
