import type { FeedPosition, TaskStore } from "@cleveragents/application";
import { startPostgres } from "@cleveragents/testing/services";
import { Client } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { ask, chunk, emptied, open, plan } from "./postgres-fixtures.ts";

const service = await startPostgres();
const database = await service?.createDatabase();
afterAll(() => database?.[Symbol.asyncDispose]());
const url = database?.url ?? "";

const anna = { principal: "anna" };
const event = (key: string) => ({ events: [{ key, event: chunk("-") }] });

async function fed(store: TaskStore, after: FeedPosition) {
  const { events, ahead, next } = await store.feed(after, anna);
  return { events: events.map(({ logged }) => `${logged.taskId}/${logged.seq}`), ahead, next };
}

/** A group that has been carried out and not been committed. */
async function unfinished(taskId: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  const command = {
    task: taskId,
    events: [{ key: "open", body: JSON.stringify(chunk("-")), messages: 0, artifact: "x", replaces: false }],
    add: [],
    take: [],
  };
  await client.query("begin");
  await client.query("select commit_group_1('another writer', 1, 1, $1)", [JSON.stringify([command])]);
  return async (end: "commit" | "rollback") => {
    await client.query(end);
    await client.end();
  };
}

describe.skipIf(database === undefined)("the feed of PostgreSQL", () => {
  it("shows nothing beyond a transaction that is open, and then everything in one order", async () => {
    const stores = await open(url);
    await emptied(url);
    const { tasks } = stores;
    await tasks.commit(plan("a"));
    await tasks.commit(plan("b"));
    const { next: start } = await tasks.feed("now", anna);
    const end = await unfinished("b");
    await tasks.commit({ taskId: "a", ...event("1") });
    expect(await fed(tasks, start)).toEqual({ events: [], ahead: "soon", next: start });
    await end("commit");
    const page = await fed(tasks, start);
    expect(page).toMatchObject({ events: ["b/1", "a/1"], ahead: "nothing" });
    expect(await fed(tasks, page.next)).toMatchObject({ events: [], ahead: "nothing" });
    await stores.close();
  });

  it("begins now before what is not settled", async () => {
    const stores = await open(url);
    await emptied(url);
    const { tasks } = stores;
    await tasks.commit(plan("a"));
    const end = await unfinished("a");
    const { next: start } = await tasks.feed("now", anna);
    await end("commit");
    expect((await fed(tasks, start)).events).toEqual(["a/1"]);
    await stores.close();
  });

  it("skips nothing while two processes write", async () => {
    const writers = [await open(url), await open(url)];
    await emptied(url);
    const reader = await open(url);
    const { next: start } = await reader.tasks.feed("now", anna);
    const ids = Array.from({ length: 12 }, (_, i) => `t${i}`);
    let writing = true;
    const written = Promise.all(
      ids.map(async (taskId, i) => {
        const { tasks } = writers[i % 2] ?? reader;
        await tasks.commit(plan(taskId));
        for (let n = 1; n <= 15; n++) await tasks.commit({ taskId, ...event(`${n}`) });
      }),
    ).finally(() => {
      writing = false;
    });
    const seen: string[] = [];
    for (let at = start; ; ) {
      const last = !writing;
      const page = await fed(reader.tasks, at);
      seen.push(...page.events);
      at = page.next;
      if (last && page.ahead === "nothing") break;
    }
    await written;
    for (const taskId of ids)
      expect(seen.filter((one) => one.startsWith(`${taskId}/`))).toEqual(
        Array.from({ length: 15 }, (_, i) => `${taskId}/${i + 1}`),
      );
    expect(seen).toHaveLength(12 * 15);
    for (const stores of [...writers, reader]) await stores.close();
  });

  it("goes on where it was when the database was restored into a server that counts anew", async () => {
    const before = await open(url);
    await emptied(url);
    const { next: start } = await before.tasks.feed("now", anna);
    for (const taskId of ["b", "a"]) {
      await before.tasks.commit(plan(taskId));
      await before.tasks.commit({ taskId, ...event("1") });
    }
    const page = await before.tasks.feed({ ...start, taskId: "" }, anna);
    const seen = page.events[0]?.position as FeedPosition;
    await before.close();
    // What the rows look like there: far ahead of the server.
    await ask(url, "update task_events set xid = xid + 1000000000");
    const after = await open(url);
    await after.tasks.commit({ taskId: "b", ...event("2") });
    expect(await fed(after.tasks, { ...seen, at: seen.at + 1_000_000_000 })).toMatchObject({
      events: ["a/1", "b/2"],
      ahead: "nothing",
    });
    await after.close();
  });

  it("has an index in its order", async () => {
    const stores = await open(url);
    await emptied(url);
    const rows = await ask<{ name: string }>(
      url,
      "select indexname as name from pg_indexes where tablename = 'task_events' and indexdef like '%(xid, task_id, seq)'",
    );
    expect(rows).toEqual([{ name: "task_events_feed" }]);
    await stores.close();
  });
});
