import type { FeedFilter, FeedPosition, TaskStore } from "@cleveragents/application";
import { describe, expect, it } from "vitest";
import { chunk, counted, create, keyed, type OpenTaskStore, opened, status } from "./fixtures.ts";

const anna: FeedFilter = { principal: "anna" };

/** Everything of a feed until nothing is left that is there or on its way, as `task/seq`; and where it ended. */
async function fed(store: TaskStore, after: FeedPosition, filter: FeedFilter, limit?: number) {
  const events: string[] = [];
  for (let at = after; ; ) {
    const page = await store.feed(at, filter, limit);
    events.push(...page.events.map(({ logged }) => `${logged.taskId}/${logged.seq}`));
    at = page.next;
    if (page.ahead === "nothing") return { events, next: at };
    if (page.ahead === "soon") await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const now = async (store: TaskStore) => (await store.feed("now", anna)).next;

/** The order of the events of all tasks together. */
export function feedTests(open: OpenTaskStore): void {
  describe("the feed", () => {
    it("has every event after now once, those of one task in order, and nothing of before", async () => {
      await using t = await opened(open);
      await create(t.store, "old");
      await t.store.commit({ taskId: "old", events: keyed("a", status("working")) });
      const start = await now(t.store);
      for (const taskId of ["b", "a"]) await create(t.store, taskId);
      await t.store.commit({ taskId: "b", events: keyed("x", status("working", "one"), chunk("c", "two")) });
      await t.store.commit({ taskId: "a", events: keyed("x", status("working")) });
      await t.store.commit({ taskId: "b", events: keyed("y", status("completed")) });
      const { events, next } = await fed(t.store, start, anna);
      expect(events).toEqual(["b/1", "b/2", "a/1", "b/3"]);
      expect(await fed(t.store, next, anna)).toMatchObject({ events: [] });
      const page = await t.store.feed(start, anna);
      expect(page.events[1]).toMatchObject({
        contextId: "context",
        logged: { taskId: "b", seq: 2, key: "x2", at: t.clock.time, event: chunk("c", "two") },
      });
    });

    it("goes on after any event that was given out, however small its pages are", async () => {
      await using t = await opened(open);
      const start = await now(t.store);
      for (const taskId of ["a", "b", "c"]) await create(t.store, taskId);
      for (const n of counted(3))
        for (const taskId of ["c", "a", "b"])
          await t.store.commit({ taskId, events: keyed(`${n}`, status("working"), chunk("x", "-")) });
      const whole = await fed(t.store, start, anna);
      expect(new Set(whole.events).size).toBe(18);
      expect((await fed(t.store, start, anna, 1)).events).toEqual(whole.events);
      const page = await t.store.feed(start, anna);
      for (const [i, { position }] of page.events.entries())
        expect((await fed(t.store, position, anna, 4)).events).toEqual(whole.events.slice(i + 1));
    });

    it("shows nothing of anybody else's, nor of another context, and passes it by", async () => {
      await using t = await opened(open);
      const start = await now(t.store);
      await create(t.store, "mine", { contextId: "one" });
      await create(t.store, "also mine", { contextId: "two" });
      await create(t.store, "hers", { principal: "berta", contextId: "one" });
      for (const taskId of ["mine", "hers", "also mine"])
        await t.store.commit({ taskId, events: keyed("a", status("working"), status("completed")) });
      expect((await fed(t.store, start, anna, 2)).events).toEqual([
        "mine/1",
        "mine/2",
        "also mine/1",
        "also mine/2",
      ]);
      const one = await fed(t.store, start, { principal: "anna", contextId: "one" }, 2);
      expect(one.events).toEqual(["mine/1", "mine/2"]);
      const everybody = await fed(t.store, start, { principal: null, contextId: "one" });
      expect(everybody.events).toEqual(["mine/1", "mine/2", "hers/1", "hers/2"]);
      // Past what was left out.
      expect((await t.store.feed(one.next, { principal: "berta" })).events).toEqual([]);
    });

    it("gives no more text at once than a page holds, but always one event", async () => {
      await using t = await opened(open);
      const start = await now(t.store);
      await create(t.store, "t");
      const long = "x".repeat(700_000);
      for (const n of counted(3))
        await t.store.commit({ taskId: "t", events: keyed(`${n}`, chunk("x", long)) });
      expect((await fed(t.store, start, anna)).events).toEqual(["t/1", "t/2", "t/3"]);
      expect(await t.store.feed(start, anna)).toMatchObject({
        events: [{ logged: { seq: 1 } }],
        ahead: "more",
      });
    });

    it("loses nothing to followers while many write", async () => {
      await using t = await opened(open);
      const start = await now(t.store);
      const ids = counted(10).map((n) => `t${n}`);
      await Promise.all(ids.map((taskId) => create(t.store, taskId)));
      let done = false;
      const writing = Promise.all(
        ids.map(async (taskId) => {
          for (const n of counted(20))
            await t.store.commit({ taskId, events: keyed(`${n}`, chunk("x", "-")) });
        }),
      ).finally(() => {
        done = true;
      });
      const seen: string[] = [];
      for (let at = start, last = false; ; ) {
        const { events, next } = await fed(t.store, at, anna, 7);
        seen.push(...events);
        at = next;
        if (last) break;
        last = done;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await writing;
      for (const taskId of ids)
        expect(seen.filter((event) => event.startsWith(`${taskId}/`))).toEqual(
          counted(20).map((n) => `${taskId}/${n}`),
        );
      expect(seen).toHaveLength(200);
    });
  });
}
