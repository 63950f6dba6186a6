import { TaskExistsError } from "@cleveragents/application";
import { isTerminal, TASK_STATES, TaskNotFoundError, TaskStateError } from "@cleveragents/domain";
import { describe, expect, it } from "vitest";
import {
  aTask,
  chunk,
  counted,
  create,
  keyed,
  keysOf,
  logOf,
  message,
  type OpenTaskStore,
  opened,
  status,
} from "./fixtures.ts";

export function logTests(open: OpenTaskStore): void {
  describe("making a task", () => {
    it("makes it submitted, in its first epoch, with an empty log", async () => {
      await using t = await opened(open);
      const committed = await t.store.commit({
        taskId: "t",
        create: { ...aTask, referenceTaskIds: ["before"] },
      });
      expect(committed).toEqual({ lastSeq: 0, epoch: 1, revision: 1, appended: 0 });
      expect(await t.store.load("t")).toEqual({
        taskId: "t",
        contextId: "context",
        principal: "anna",
        kind: "plan",
        state: "submitted",
        statusMessage: null,
        statusAt: t.clock.time,
        createdAt: t.clock.time,
        updatedAt: t.clock.time,
        lastSeq: 0,
        epoch: 1,
        revision: 1,
        runId: null,
        referenceTaskIds: ["before"],
        document: null,
      });
    });

    it("makes it together with all else that the command says", async () => {
      await using t = await opened(open);
      await t.store.commit({
        taskId: "t",
        create: aTask,
        events: keyed("k", status("working", "hello")),
        document: { a: 1 },
        runId: "run",
        inbox: { add: [{ key: "answer", body: {} }] },
      });
      expect(await t.store.load("t")).toMatchObject({
        state: "working",
        statusMessage: message("hello"),
        lastSeq: 1,
        revision: 1,
        runId: "run",
        document: { a: 1 },
      });
      expect(await t.store.inbox("t")).toHaveLength(1);
    });

    it("refuses an id that is known with TaskExistsError, and leaves the task that has it alone", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      const again = t.store.commit({
        taskId: "t",
        create: { ...aTask, principal: "ben" },
        document: { new: true },
      });
      await expect(again).rejects.toThrow(TaskExistsError);
      await expect(again).rejects.toMatchObject({ taskId: "t" });
      expect(await t.store.load("t")).toMatchObject({ principal: "anna", document: null, revision: 1 });
    });

    it("lets one of many that make the same task at once succeed", async () => {
      await using t = await opened(open);
      const all = await Promise.allSettled(
        counted(20).map(() => t.store.commit({ taskId: "t", create: aTask })),
      );
      expect(all.filter(({ status: s }) => s === "fulfilled")).toHaveLength(1);
    });

    it("answers TaskNotFoundError for a task that nobody made", async () => {
      await using t = await opened(open);
      await expect(t.store.commit({ taskId: "t", document: {} })).rejects.toThrow(TaskNotFoundError);
      expect(await t.store.load("t")).toBeUndefined();
      expect(await t.store.snapshot("t", { artifacts: true })).toBeUndefined();
      expect(await t.store.events("t", 0)).toEqual([]);
      expect(await t.store.inbox("t")).toEqual([]);
    });
  });

  describe("the log", () => {
    it("is numbered from 1 without a gap, in the order of the commits, under 200 at once", async () => {
      await using t = await opened(open);
      const tasks = ["a", "b", "c"];
      for (const taskId of tasks) await create(t.store, taskId);
      const answers = await Promise.all(
        counted(200).map((n) =>
          t.store.commit({
            taskId: tasks[n % 3] ?? "a",
            events: keyed(`${n}.`, status("working"), chunk("x", "1")),
          }),
        ),
      );
      expect(answers.every(({ appended }) => appended === 2)).toBe(true);
      for (const [i, taskId] of tasks.entries()) {
        const mine = counted(200).filter((n) => n % 3 === i);
        const log = await logOf(t.store, taskId);
        expect(log.map(({ seq }) => seq)).toEqual(counted(mine.length * 2));
        expect(log.map(({ key }) => key)).toEqual(mine.flatMap((n) => [`${n}.1`, `${n}.2`]));
        expect(answers[(mine.at(-1) ?? 0) - 1]).toMatchObject({ lastSeq: mine.length * 2 });
      }
    });

    it("holds what was logged, by whom and when", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      t.clock.time += 5;
      const event = {
        ...status("working", "said", "heard"),
        domain: { name: "plan.phase_changed", data: { to: "execute" } },
      };
      await t.store.commit({ taskId: "t", events: [{ key: "k", event }] });
      expect(await t.store.events("t", 0)).toEqual([
        { taskId: "t", seq: 1, key: "k", at: t.clock.time, event },
      ]);
    });

    it("logs a key once: in one command, in a group and across commits; the answer counts what was new", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      const commit = (...keys: string[]) =>
        t.store.commit({ taskId: "t", events: keys.map((key) => ({ key, event: chunk("x", key) })) });
      const grouped = await Promise.all([commit("a", "b", "a"), commit("b", "c")]);
      expect(grouped.map(({ appended, lastSeq }) => [appended, lastSeq])).toEqual([
        [2, 2],
        [1, 3],
      ]);
      expect(await commit("c", "d", "a")).toMatchObject({ appended: 1, lastSeq: 4 });
      expect(await commit("a", "b")).toMatchObject({ appended: 0, lastSeq: 4 });
      expect(await keysOf(t.store, "t")).toEqual(["a", "b", "c", "d"]);
    });

    it("knows the keys of each task by themselves", async () => {
      await using t = await opened(open);
      for (const taskId of ["a", "b"]) {
        await create(t.store, taskId);
        expect(await t.store.commit({ taskId, events: keyed("k", status("working")) })).toMatchObject({
          appended: 1,
        });
      }
    });

    it("lets a command that fails in a group fail alone and change nothing", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await create(t.store, "done");
      await t.store.commit({ taskId: "done", events: keyed("end", status("completed")) });
      const commit = (n: number) =>
        t.store.commit({ taskId: "t", events: keyed(`${n}.`, chunk("x", `${n}`)) });
      const outcomes = await Promise.allSettled([
        commit(1),
        t.store.commit({ taskId: "done", events: keyed("late", status("working")) }),
        t.store.commit({ taskId: "t", create: aTask, events: keyed("again", status("working")) }),
        commit(2),
        t.store.commit({ taskId: "t", expect: { epoch: 9 }, events: keyed("fenced", status("working")) }),
        t.store.commit({ taskId: "nobody", document: {} }),
        commit(3),
      ]);
      expect(outcomes.map((o) => (o.status === "fulfilled" ? "ok" : (o.reason as Error).name))).toEqual([
        "ok",
        "TaskStateError",
        "TaskExistsError",
        "ok",
        "FencedError",
        "TaskNotFoundError",
        "ok",
      ]);
      expect(await keysOf(t.store, "t")).toEqual(["1.1", "2.1", "3.1"]);
      expect(await t.store.load("t")).toMatchObject({ revision: 4, lastSeq: 3 });
      expect(await keysOf(t.store, "done")).toEqual(["end1"]);
    });
  });

  describe.each(TASK_STATES.filter(isTerminal))("a task that is %s", (state) => {
    it("takes no further event, but other changes, and knows what it has already", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await t.store.commit({ taskId: "t", events: keyed("end", status(state, "bye")) });
      for (const event of [status("working"), status(state), chunk("x", "late")]) {
        const late = t.store.commit({
          taskId: "t",
          events: [{ key: "late", event }],
          document: { late: true },
        });
        await expect(late).rejects.toThrow(TaskStateError);
        await expect(late).rejects.toMatchObject({ taskId: "t", state });
      }
      expect(await t.store.load("t")).toMatchObject({ state, lastSeq: 1, document: null });
      const again = await t.store.commit({
        taskId: "t",
        events: keyed("end", status(state)),
        document: { kept: true },
      });
      expect(again).toMatchObject({ appended: 0, lastSeq: 1 });
      expect(await t.store.load("t")).toMatchObject({
        state,
        statusMessage: message("bye"),
        document: { kept: true },
      });
    });

    it("is so from its event on, in the middle of a command too", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      const command = t.store.commit({
        taskId: "t",
        events: keyed("k", status("working"), status(state), chunk("x", "late")),
      });
      await expect(command).rejects.toThrow(TaskStateError);
      expect(await t.store.load("t")).toMatchObject({ state: "submitted", lastSeq: 0 });
    });
  });
}
