import { type Expectation, MessageSeenError } from "@cleveragents/application";
import { FencedError } from "@cleveragents/domain";
import { describe, expect, it } from "vitest";
import { aTask, chunk, counted, create, keyed, type OpenTaskStore, opened, status } from "./fixtures.ts";

export function fencingTests(open: OpenTaskStore): void {
  describe("an expectation", () => {
    const cases: readonly (readonly [string, Expectation, Expectation])[] = [
      ["the epoch", { epoch: 2 }, { epoch: 1 }],
      ["the revision", { revision: 4 }, { revision: 3 }],
      ["the state", { states: ["input-required", "working"] }, { states: ["submitted", "completed"] }],
      ["the run", { runId: "run" }, { runId: "other" }],
      ["no run", { epoch: 2 }, { runId: null }],
      [
        "all at once",
        { epoch: 2, revision: 4, states: ["working"], runId: "run" },
        { epoch: 2, revision: 4, runId: "x" },
      ],
      ["no state at all", {}, { states: [] }],
    ];
    it.each(cases)("of %s lets through what holds and fences what does not", async (_, holds, fails) => {
      await using t = await opened(open);
      await create(t.store, "t");
      await t.store.commit({ taskId: "t", events: keyed("a", status("working")) });
      await t.store.commit({ taskId: "t", bumpEpoch: true });
      await t.store.commit({ taskId: "t", runId: "run" });
      const before = await t.store.load("t");
      expect(before).toMatchObject({ epoch: 2, revision: 4, state: "working", runId: "run" });
      const fenced = t.store.commit({
        taskId: "t",
        expect: fails,
        events: keyed("b", chunk("x", "1")),
        document: { late: true },
      });
      await expect(fenced).rejects.toThrow(FencedError);
      await expect(fenced).rejects.toMatchObject({ taskId: "t" });
      expect(await t.store.load("t")).toEqual(before);
      expect(
        await t.store.commit({ taskId: "t", expect: holds, events: keyed("c", chunk("x", "1")) }),
      ).toMatchObject({
        appended: 1,
      });
    });

    it("comes before what is already logged: a fenced writer is told so even if it repeats itself", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await t.store.commit({ taskId: "t", expect: { epoch: 1 }, events: keyed("a", status("working")) });
      await t.store.commit({ taskId: "t", bumpEpoch: true });
      const again = t.store.commit({
        taskId: "t",
        expect: { epoch: 1 },
        events: keyed("a", status("working")),
      });
      await expect(again).rejects.toThrow(FencedError);
    });
  });

  describe("a new epoch", () => {
    it("ends the present one: its workers commit nothing more, and its run is no longer the task's", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await t.store.commit({ taskId: "t", expect: { epoch: 1, runId: null }, runId: "first" });
      expect(await t.store.commit({ taskId: "t", bumpEpoch: true })).toMatchObject({ epoch: 2 });
      const zombie = t.store.commit({
        taskId: "t",
        expect: { epoch: 1 },
        events: keyed("a", chunk("x", "late")),
      });
      await expect(zombie).rejects.toThrow(FencedError);
      expect(await t.store.load("t")).toMatchObject({ epoch: 2, runId: null, lastSeq: 0 });
      await t.store.commit({ taskId: "t", expect: { epoch: 2, runId: null }, runId: "second" });
      expect(await t.store.load("t")).toMatchObject({ epoch: 2, runId: "second" });
    });

    it("may be claimed by the command that begins it", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await t.store.commit({ taskId: "t", bumpEpoch: true, runId: "next" });
      expect(await t.store.load("t")).toMatchObject({ epoch: 2, runId: "next" });
      await t.store.commit({ taskId: "t", runId: null });
      expect(await t.store.load("t")).toMatchObject({ epoch: 2, runId: null });
    });

    it("is claimed by one of many runs that try", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      const claims = counted(20).map((n) =>
        t.store.commit({ taskId: "t", expect: { epoch: 1, runId: null }, runId: `run ${n}` }),
      );
      const outcomes = await Promise.allSettled(claims);
      expect(outcomes.map(({ status: s }) => s)).toEqual(["fulfilled", ...counted(19).map(() => "rejected")]);
      expect(await t.store.load("t")).toMatchObject({ runId: "run 1" });
    });
  });

  describe("a message", () => {
    const claimMessage = { principal: "anna", messageId: "m" };

    it("is claimed by one task, which every later claim is told", async () => {
      await using t = await opened(open);
      expect(await t.store.taskOfMessage("anna", "m")).toBeUndefined();
      await t.store.commit({ taskId: "first", create: aTask, claimMessage });
      expect(await t.store.taskOfMessage("anna", "m")).toBe("first");
      const again = t.store.commit({
        taskId: "second",
        create: aTask,
        claimMessage,
        events: keyed("a", status("working")),
      });
      await expect(again).rejects.toThrow(MessageSeenError);
      await expect(again).rejects.toMatchObject({ messageId: "m", taskId: "first" });
      expect(await t.store.load("second")).toBeUndefined();
      const same = t.store.commit({ taskId: "first", claimMessage, events: keyed("a", status("working")) });
      await expect(same).rejects.toMatchObject({ name: "MessageSeenError", taskId: "first" });
      expect(await t.store.load("first")).toMatchObject({ lastSeq: 0 });
    });

    it("is claimed once by many at once", async () => {
      await using t = await opened(open);
      const outcomes = await Promise.allSettled(
        counted(20).map((n) => t.store.commit({ taskId: `t${n}`, create: aTask, claimMessage })),
      );
      expect(outcomes.filter(({ status: s }) => s === "fulfilled")).toHaveLength(1);
      expect(await t.store.taskOfMessage("anna", "m")).toBe("t1");
      expect(await t.store.list({ principal: "anna", limit: 10 })).toMatchObject({ total: 1 });
    });

    it("of another principal is another message", async () => {
      await using t = await opened(open);
      await t.store.commit({ taskId: "a", create: aTask, claimMessage });
      await t.store.commit({
        taskId: "b",
        create: aTask,
        claimMessage: { ...claimMessage, principal: "ben" },
      });
      expect(await t.store.taskOfMessage("ben", "m")).toBe("b");
    });

    it("is not claimed by a command that fails", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await expect(t.store.commit({ taskId: "t", expect: { epoch: 9 }, claimMessage })).rejects.toThrow(
        FencedError,
      );
      expect(await t.store.taskOfMessage("anna", "m")).toBeUndefined();
    });

    it("that comes again is told so even if its task is finished", async () => {
      await using t = await opened(open);
      await t.store.commit({
        taskId: "t",
        create: aTask,
        claimMessage,
        events: keyed("end", status("completed")),
      });
      const again = t.store.commit({ taskId: "t", claimMessage, events: keyed("late", status("working")) });
      await expect(again).rejects.toThrow(MessageSeenError);
    });
  });
}
