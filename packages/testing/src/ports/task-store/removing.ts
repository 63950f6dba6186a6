import { isTerminal, TASK_STATES, TaskNotFoundError, TaskStateError } from "@cleveragents/domain";
import { describe, expect, it } from "vitest";
import { chunk, create, entry, keyed, logOf, type OpenTaskStore, opened, status } from "./fixtures.ts";

export function removingTests(open: OpenTaskStore): void {
  describe("a task that is removed", () => {
    it("is gone with its log, its claims and its place in every list; the others stay", async () => {
      await using t = await opened(open);
      const { store } = t;
      for (const taskId of ["gone", "stays"]) {
        await create(store, taskId, { kind: "message" });
        await store.commit({
          taskId,
          document: { of: taskId },
          events: keyed(
            "k",
            status("working", undefined, taskId),
            chunk("a", taskId),
            status("completed", "done"),
          ),
          inbox: { add: [entry("x")] },
          claimMessage: { principal: "anna", messageId: `m-${taskId}` },
        });
        await store.snapshot(taskId, { artifacts: true });
      }
      expect(await store.remove("gone")).toBe(true);
      expect(await store.remove("gone")).toBe(false);
      expect(await store.load("gone")).toBeUndefined();
      expect(await store.snapshot("gone", { artifacts: true })).toBeUndefined();
      expect(await logOf(store, "gone")).toEqual([]);
      expect(await store.inbox("gone")).toEqual([]);
      expect(await store.taskOfMessage("anna", "m-gone")).toBeUndefined();
      await expect(store.commit({ taskId: "gone", document: {} })).rejects.toThrow(TaskNotFoundError);
      expect(await store.taskOfMessage("anna", "m-stays")).toBe("stays");
      expect(await logOf(store, "stays")).toHaveLength(3);
      const page = await store.list({ principal: "anna", limit: 9 });
      expect([page.total, page.rows.map(({ taskId }) => taskId)]).toEqual([1, ["stays"]]);
      expect(await store.count("message", ["completed"])).toBe(1);
      const fed = await store.feed({ at: 0, taskId: "", seq: 0 }, { principal: "anna" });
      expect(new Set(fed.events.map(({ logged }) => logged.taskId))).toEqual(new Set(["stays"]));
    });

    it("can be made again, as if it had never been", async () => {
      await using t = await opened(open);
      await create(t.store, "again");
      await t.store.commit({ taskId: "again", events: keyed("k", status("failed", "first")) });
      await t.store.remove("again");
      await create(t.store, "again", { kind: "message" });
      await t.store.commit({ taskId: "again", events: keyed("k", status("completed", "second")) });
      expect(await t.store.load("again")).toMatchObject({ kind: "message", state: "completed", lastSeq: 1 });
      expect(await t.store.count("plan", ["failed"])).toBe(0);
    });

    it("is one that is over", async () => {
      await using t = await opened(open);
      for (const state of TASK_STATES) {
        await create(t.store, state);
        if (state !== "submitted") await t.store.commit({ taskId: state, events: keyed("k", status(state)) });
        if (isTerminal(state)) expect(await t.store.remove(state)).toBe(true);
        else await expect(t.store.remove(state)).rejects.toThrow(TaskStateError);
        expect((await t.store.load(state)) === undefined).toBe(isTerminal(state));
      }
    });
  });
}
