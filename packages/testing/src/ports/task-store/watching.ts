import type { TaskStore } from "@cleveragents/application";
import { describe, expect, it, vi } from "vitest";
import { chunk, counted, create, keyed, type OpenTaskStore, opened } from "./fixtures.ts";

function commit(store: TaskStore, taskId: string, key: string) {
  return store.commit({ taskId, events: keyed(key, chunk("x", key)) });
}

export function watchingTests(open: OpenTaskStore): void {
  describe("a watcher", () => {
    it("that reads from its cursor at each wake-up sees every event once, in order", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      const seen: number[] = [];
      const { promise: done, resolve } = Promise.withResolvers<void>();
      let following = Promise.resolve();
      const follow = async () => {
        for (const { seq } of await t.store.events("t", seen.length, 10)) seen.push(seq);
        if (seen.length === 100) resolve();
      };
      t.store.watch("t", () => {
        for (let n = 0; n < 10; n += 1) following = following.then(follow);
      });
      for (const n of counted(100)) {
        void commit(t.store, "t", `${n}.`);
        if (n % 9 === 0) await new Promise((r) => setImmediate(r));
      }
      await done;
      await following;
      expect(seen).toEqual(counted(100));
    });

    it("is never woken early: what it is told is there to be read", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      const reads: Promise<readonly [number, number, number]>[] = [];
      t.store.watch("t", (taskId, lastSeq) => {
        const read = async () => {
          const [row, page] = await Promise.all([
            t.store.load(taskId),
            t.store.events(taskId, lastSeq - 1, 1),
          ]);
          return [lastSeq, row?.lastSeq ?? 0, page[0]?.seq ?? 0] as const;
        };
        reads.push(read());
      });
      await Promise.all(counted(50).map((n) => commit(t.store, "t", `${n}.`)));
      await vi.waitFor(() => expect(reads.length).toBeGreaterThan(0));
      for (const [told, last, read] of await Promise.all(reads)) {
        expect(last).toBeGreaterThanOrEqual(told);
        expect(read).toBe(told);
      }
    });

    it("is not woken by commits that fail, nor by those that change nothing", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await commit(t.store, "t", "a");
      const listener = vi.fn();
      t.store.watch(undefined, listener);
      await t.store
        .commit({ taskId: "t", expect: { epoch: 9 }, events: keyed("b", chunk("x", "-")) })
        .catch(() => undefined);
      await commit(t.store, "t", "a");
      await create(t.store, "end");
      await vi.waitFor(() => expect(listener).toHaveBeenCalled());
      expect(listener.mock.calls).toEqual([["end", 0]]);
    });

    it("of one task hears of that task, and of all tasks of all", async () => {
      await using t = await opened(open);
      const one: (readonly [string, number])[] = [];
      const all: (readonly [string, number])[] = [];
      t.store.watch("a", (...heard) => one.push(heard));
      t.store.watch(undefined, (...heard) => all.push(heard));
      for (const taskId of ["a", "b"]) {
        await create(t.store, taskId);
        await commit(t.store, taskId, "k");
      }
      await vi.waitFor(() => expect(all).toContainEqual(["b", 1]));
      expect(one.at(-1)).toEqual(["a", 1]);
      expect(one.every(([taskId]) => taskId === "a")).toBe(true);
    });

    it("is not called again once it has stopped, and stops only itself", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      const [same, other, all] = [vi.fn(), vi.fn(), vi.fn()];
      const stops = [t.store.watch("t", same), t.store.watch(undefined, all)];
      t.store.watch("t", same);
      t.store.watch("t", other);
      await commit(t.store, "t", "a");
      await vi.waitFor(() => expect(other).toHaveBeenCalledTimes(1));
      expect(same).toHaveBeenCalledTimes(2);
      for (const stop of [...stops, ...stops]) stop();
      await commit(t.store, "t", "b");
      await vi.waitFor(() => expect(other).toHaveBeenCalledTimes(2));
      expect(same).toHaveBeenCalledTimes(3);
      expect(all).toHaveBeenCalledTimes(1);
    });

    it("that throws stops no other, no commit, and is logged", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      const broken = new Error("broken");
      const other = vi.fn();
      t.store.watch("t", () => {
        throw broken;
      });
      t.store.watch("t", other);
      expect(await commit(t.store, "t", "a")).toMatchObject({ lastSeq: 1 });
      expect(await commit(t.store, "t", "b")).toMatchObject({ lastSeq: 2 });
      await vi.waitFor(() => expect(other).toHaveBeenLastCalledWith("t", 2));
      expect(t.logger.errors[0]?.fields).toMatchObject({ err: broken, taskId: "t" });
    });

    it("may begin and stop watching, and commit, while it is called", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      const late = vi.fn();
      const second = vi.fn();
      const stopFirst = t.store.watch("t", () => {
        stopFirst();
        stopSecond();
        t.store.watch("t", late);
        void commit(t.store, "t", "from within");
      });
      const stopSecond = t.store.watch("t", second);
      await commit(t.store, "t", "a");
      await vi.waitFor(() => expect(late).toHaveBeenCalled());
      expect(late.mock.calls).toEqual([["t", 2]]);
      expect(second).not.toHaveBeenCalled();
    });
  });
}
