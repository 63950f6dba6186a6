import { DatabaseSync } from "node:sqlite";
import { TASK_STATES } from "@cleveragents/domain";
import { describe, expect, it } from "vitest";
import { DatabaseFullError, SqliteConnection, SqliteTaskStore } from "../src/sqlite/index.ts";
import type { Statement } from "../src/sqlite/statement.ts";
import { chunk, clock, logger, open, plan, temporaryDirectory } from "./sqlite-fixtures.ts";

/** Remembers what was prepared. */
class WatchedConnection extends SqliteConnection {
  readonly prepared: string[] = [];
  override prepare<Row>(sql: string): Statement<Row> {
    // The constructor of the connection prepares, too, before there is a list.
    this.prepared?.push(sql);
    return super.prepare<Row>(sql);
  }
}

async function watched(path: string) {
  await (await open(path)).close();
  const connection = new WatchedConnection(path);
  const tasks = new SqliteTaskStore({ connection, clock, logger });
  const close = async () => {
    await tasks.close();
    connection.close();
  };
  return { connection, tasks, [Symbol.asyncDispose]: close };
}

describe("SqliteTaskStore", () => {
  it("writes through to the disk with each commit, and minds references", async () => {
    using t = temporaryDirectory();
    await using d = await watched(t.path);
    const pragma = (name: string) =>
      Object.values(d.connection.prepare<object>(`pragma ${name}`).get() ?? {})[0];
    expect(["journal_mode", "synchronous", "foreign_keys", "busy_timeout"].map(pragma)).toEqual([
      "wal",
      2,
      1,
      5000,
    ]);
    await expect(async () =>
      d.connection.exec("insert into task_documents values ('nobody', '{}')"),
    ).rejects.toThrow(/FOREIGN KEY/);
  });

  it("gives each command its own outcome when the disk is full, and serves again when it is not", async () => {
    using t = temporaryDirectory();
    await using d = await watched(t.path);
    await d.tasks.commit(plan("t"));
    const pages = d.connection.prepare<{ page_count: number }>("pragma page_count").get()?.page_count ?? 0;
    d.connection.exec(`pragma max_page_count = ${pages + 40}`);
    const commit = (key: string, size: number) =>
      d.tasks.commit({ taskId: "t", events: [{ key, event: chunk("x".repeat(size)) }] });
    const outcomes = await Promise.allSettled([
      commit("a", 10),
      commit("large", 1_000_000),
      commit("b", 10),
      commit("large", 900_000),
    ]);
    expect(outcomes.map((o) => (o.status === "fulfilled" ? o.value.lastSeq : o.reason))).toEqual([
      1,
      expect.any(DatabaseFullError),
      2,
      expect.any(DatabaseFullError),
    ]);
    await expect(commit("large", 1_000_000)).rejects.toMatchObject({
      reason: "NO_SPACE",
      hint: expect.stringContaining("space"),
    });
    expect((await d.tasks.events("t", 0)).map(({ key }) => key)).toEqual(["a", "b"]);
    expect(await d.tasks.load("t")).toMatchObject({ lastSeq: 2, revision: 3 });
    await d.tasks.check();
    d.connection.exec("pragma max_page_count = 100000");
    expect(await commit("large", 1_000_000)).toMatchObject({ lastSeq: 3 });
    await d.tasks.check();
  });

  it("refuses a group at once, and serves again, when another program has held the file too long", async () => {
    using t = temporaryDirectory();
    await using d = await watched(t.path);
    await d.tasks.commit(plan("t"));
    d.connection.exec("pragma busy_timeout = 200");
    const other = new DatabaseSync(t.path);
    other.exec("begin immediate");
    const started = performance.now();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, () => d.tasks.commit({ taskId: "t", document: {} })),
    );
    // Once 200 ms for all of them; a hundred times would be 20 s.
    expect(performance.now() - started).toBeLessThan(10_000);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { reason: "DATABASE_BUSY" } });
    }
    other.close();
    expect(await d.tasks.commit({ taskId: "t", document: {} })).toMatchObject({ revision: 2 });
  });

  it("fails its check while nothing can be written", async () => {
    using t = temporaryDirectory();
    await using d = await watched(t.path);
    await d.tasks.commit(plan("t"));
    d.connection.exec("pragma query_only = on");
    await expect(d.tasks.commit({ taskId: "t", document: {} })).rejects.toMatchObject({
      reason: "DATABASE_UNWRITABLE",
    });
    expect(await d.tasks.load("t")).toMatchObject({ revision: 1 });
    await expect(d.tasks.check()).rejects.toMatchObject({ reason: "DATABASE_UNWRITABLE" });
    d.connection.exec("pragma query_only = off");
    await d.tasks.check();
  });

  it("loses no command of a group of which one fails in a way that nobody foresaw", async () => {
    using t = temporaryDirectory();
    await using d = await watched(t.path);
    await d.tasks.commit(plan("t"));
    d.connection.exec(
      "create trigger odd before insert on task_events when new.event_key = 'odd' begin select raise(abort, 'odd'); end",
    );
    d.connection.exec(
      "create trigger lost before insert on task_events when new.event_key = 'lost' begin select raise(rollback, 'lost'); end",
    );
    // The first event of a command is written when its second fails.
    const commit = (key: string) =>
      d.tasks.commit({
        taskId: "t",
        document: { key },
        events: [`${key}, begun`, key].map((k) => ({ key: k, event: chunk(k) })),
      });
    for (const bad of ["odd", "lost"]) {
      const outcomes = await Promise.allSettled([commit(`${bad} 1`), commit(bad), commit(`${bad} 2`)]);
      expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    }
    expect((await d.tasks.events("t", 0)).map(({ key }) => key)).toEqual(
      ["odd 1", "odd 2", "lost 1", "lost 2"].flatMap((key) => [`${key}, begun`, key]),
    );
    expect(await d.tasks.load("t")).toMatchObject({ lastSeq: 8, revision: 5, document: { key: "lost 2" } });
  });

  it("drains a queue of more commands, and more text, than a group holds", async () => {
    using t = temporaryDirectory();
    await using d = await watched(t.path);
    await d.tasks.commit(plan("t"));
    const commits = Array.from({ length: 1300 }, (_, n) =>
      d.tasks.commit({
        taskId: "t",
        events: [{ key: `${n}`, event: chunk("x".repeat(n % 100 === 0 ? 900_000 : 10)) }],
      }),
    );
    expect((await Promise.all(commits)).map(({ lastSeq }) => lastSeq)).toEqual(commits.map((_, n) => n + 1));
  });

  it("reads through indexes alone, whatever is asked, and sorts nothing", async () => {
    using t = temporaryDirectory();
    await using d = await watched(t.path);
    await d.tasks.commit(plan("t", { events: [{ key: "k", event: chunk("1") }] }));
    const cursor = { statusAt: 1, taskId: "t" };
    for (const states of [undefined, ["working"], ["working", "failed"], [...TASK_STATES]] as const)
      for (const kind of [undefined, "plan"] as const)
        for (const contextId of [undefined, "context"])
          for (const more of [{}, { cursor }, { statusSince: 1 }, { cursor, statusSince: 1 }]) {
            const query = {
              principal: "anna",
              limit: 5,
              ...more,
              ...(states && { states }),
              ...(kind && { kind }),
            };
            await d.tasks.list({ ...query, ...(contextId !== undefined && { contextId }) });
          }
    // A task has few artifacts: to put those in order is no cost.
    const reads = d.connection.prepared.filter(
      (sql) => sql.startsWith("select") && !sql.includes('from "task_artifacts"'),
    );
    expect(reads.length).toBeGreaterThan(50);
    const merged = reads.filter((sql) => /union all/.test(sql));
    expect(merged.length).toBeGreaterThan(5);
    for (const sql of merged) {
      const searches = d.connection.prepare<{ detail: string }>(`explain query plan ${sql}`).all();
      const pairs = searches.filter(({ detail }) => detail.startsWith("SEARCH"));
      expect(
        pairs.every(({ detail }) => detail.includes("tasks_by_state (principal=? AND kind=? AND state=?")),
      ).toBe(true);
    }
    for (const sql of reads) {
      const plan_ = d.connection.prepare<{ detail: string }>(`explain query plan ${sql}`).all();
      const details = plan_.map(({ detail }) => detail);
      expect(
        details.filter((detail) => /^SCAN (?!CONSTANT ROW)|TEMP B-TREE/.test(detail)),
        `${sql}\n${details.join("\n")}`,
      ).toEqual([]);
    }
  });

  it("prepares a statement once, however often it runs", async () => {
    using t = temporaryDirectory();
    await using d = await watched(t.path);
    const use = async (n: number) => {
      await d.tasks.commit(
        plan(`t${n}`, {
          document: {},
          events: [{ key: "k", event: chunk("1") }],
          inbox: { add: [{ key: "i", body: {} }] },
        }),
      );
      await d.tasks.snapshot(`t${n}`, { artifacts: true, historyLength: n });
      await d.tasks.list({ principal: "anna", states: ["working"], limit: n });
      await d.tasks.events(`t${n}`, 0, n);
      await d.tasks.check();
    };
    await use(1);
    const prepared = d.connection.prepared.length;
    for (const n of [2, 3, 4]) await use(n);
    expect(d.connection.prepared.length).toBe(prepared);
  });
});
