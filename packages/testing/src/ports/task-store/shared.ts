import { SharedMovedError } from "@cleveragents/application";
import { FencedError } from "@cleveragents/domain";
import { describe, expect, it } from "vitest";
import { create, keyed, type OpenTaskStore, opened, status } from "./fixtures.ts";

export function sharedTests(open: OpenTaskStore): void {
  describe("shared documents", () => {
    it("change with the commit of a task, and have a revision of their own", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      expect(await t.store.shared("budget:a")).toBeUndefined();
      await t.store.commit({
        taskId: "t",
        events: keyed("k", status("working")),
        shared: [
          { id: "budget:a", expect: 0, body: { used: 1 } },
          { id: "budget:b", expect: 0, body: { used: 2 } },
        ],
      });
      expect(await t.store.shared("budget:a")).toEqual({ id: "budget:a", revision: 1, body: { used: 1 } });
      await t.store.commit({ taskId: "t", shared: [{ id: "budget:a", expect: 1, body: { used: 3 } }] });
      expect(await t.store.shared("budget:a")).toMatchObject({ revision: 2, body: { used: 3 } });
      expect(await t.store.shared("budget:b")).toMatchObject({ revision: 1, body: { used: 2 } });
    });

    it("refuse a command that has read another revision, whole, whichever of its documents has moved", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await t.store.commit({ taskId: "t", shared: [{ id: "b", expect: 0, body: {} }] });
      const before = await t.store.load("t");
      for (const expected of [0, 2]) {
        const late = t.store.commit({
          taskId: "t",
          events: keyed("late", status("working")),
          shared: [
            { id: "a", expect: 0, body: {} },
            { id: "b", expect: expected, body: { late: true } },
          ],
        });
        await expect(late).rejects.toThrow(SharedMovedError);
        await expect(late).rejects.toMatchObject({ id: "b" });
      }
      expect(await t.store.load("t")).toEqual(before);
      expect(await t.store.shared("a")).toBeUndefined();
      expect(await t.store.shared("b")).toMatchObject({ revision: 1, body: {} });
    });

    it("are not written by a command that fails for another reason", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      const fenced = t.store.commit({
        taskId: "t",
        expect: { epoch: 7 },
        shared: [{ id: "a", expect: 0, body: {} }],
      });
      await expect(fenced).rejects.toThrow(FencedError);
      expect(await t.store.shared("a")).toBeUndefined();
    });

    it("count every one of many commands of many tasks that write one at once", async () => {
      await using t = await opened(open);
      const tasks = ["a", "b", "c", "d", "e"];
      for (const task of tasks) await create(t.store, task);
      const add = async (taskId: string, id: string): Promise<void> => {
        const found = await t.store.shared(id);
        const used = Number(found?.body["used"] ?? 0) + 1;
        try {
          await t.store.commit({ taskId, shared: [{ id, expect: found?.revision ?? 0, body: { used } }] });
        } catch (error) {
          if (!(error instanceof SharedMovedError)) throw error;
          await add(taskId, id);
        }
      };
      await Promise.all(tasks.flatMap((task) => ["x", "y", "x"].map((id) => add(task, id))));
      expect((await t.store.shared("x"))?.body).toEqual({ used: 10 });
      expect((await t.store.shared("y"))?.body).toEqual({ used: 5 });
    });
  });
}
