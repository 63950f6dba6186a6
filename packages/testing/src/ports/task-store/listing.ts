import type { TaskHead, TaskKind, TaskQuery, TaskRow, TaskStore } from "@cleveragents/application";
import { TASK_STATES, type TaskState } from "@cleveragents/domain";
import { describe, expect, it } from "vitest";
import { counted, create, keyed, type OpenTaskStore, opened, status } from "./fixtures.ts";

const KINDS: readonly TaskKind[] = ["plan", "message"];

/** 96 tasks of two principals: every kind and state, in four contexts, several at each time. */
async function fill(t: Awaited<ReturnType<typeof opened>>): Promise<readonly TaskRow[]> {
  const start = t.clock.time;
  const rows: (TaskRow | undefined)[] = [];
  for (const n of counted(96)) {
    const taskId = `t${String((n * 37) % 96).padStart(2, "0")}`;
    t.clock.time = start + Math.floor(n / 5);
    await create(t.store, taskId, {
      principal: n % 4 === 0 ? "ben" : "anna",
      contextId: `c${n % 5 === 0 ? 1 : n % 3}`,
      kind: KINDS[n % 2] ?? "plan",
    });
    const state = TASK_STATES[n % 8] ?? "working";
    if (state !== "submitted") await t.store.commit({ taskId, events: keyed("k", status(state)) });
    rows.push(await t.store.load(taskId));
  }
  return rows.filter((row) => row !== undefined);
}

async function pages(store: TaskStore, query: TaskQuery): Promise<readonly (readonly TaskRow[])[]> {
  const all: (readonly TaskRow[])[] = [];
  let next: TaskQuery | undefined = query;
  while (next !== undefined) {
    const page = await store.list(next);
    all.push(page.rows);
    next = page.next && { ...query, cursor: page.next };
  }
  return all;
}

function newestFirst(a: TaskRow, b: TaskRow): number {
  return b.statusAt - a.statusAt || (a.taskId < b.taskId ? 1 : -1);
}

function matching(rows: readonly TaskRow[], q: TaskQuery): readonly TaskRow[] {
  return rows
    .filter((row) => row.principal === q.principal)
    .filter((row) => q.kind === undefined || row.kind === q.kind)
    .filter((row) => q.contextId === undefined || row.contextId === q.contextId)
    .filter((row) => q.states === undefined || q.states.includes(row.state))
    .filter((row) => q.statusSince === undefined || row.statusAt >= q.statusSince)
    .sort(newestFirst);
}

export function listingTests(open: OpenTaskStore): void {
  describe("a list", () => {
    it("has what each combination of filters matches, newest status first, in pages, with the total on each", async () => {
      await using t = await opened(open);
      const rows = await fill(t);
      const since = [undefined, t.clock.time - 9, t.clock.time + 1];
      const stateFilters: readonly (readonly TaskState[] | undefined)[] = [
        undefined,
        ["working"],
        ["completed", "failed"],
        [],
      ];
      for (const principal of ["anna", "ben", "nobody"])
        for (const kind of [undefined, ...KINDS])
          for (const contextId of [undefined, "c1", "unknown"])
            for (const states of stateFilters)
              for (const statusSince of since) {
                const query: TaskQuery = {
                  principal,
                  limit: 7,
                  ...(kind && { kind }),
                  ...(contextId && { contextId }),
                  ...(states && { states }),
                  ...(statusSince && { statusSince }),
                };
                const expected = matching(rows, query);
                const found = await pages(t.store, query);
                expect(found.flat(), JSON.stringify(query)).toEqual(expected);
                expect(found.slice(0, -1).every((page) => page.length === 7)).toBe(true);
                expect((await t.store.list(query)).total, JSON.stringify(query)).toBe(expected.length);
              }
    });

    it("counts the same on every page, and gives no next after the last", async () => {
      await using t = await opened(open);
      for (const n of counted(6)) await create(t.store, `t${n}`);
      const first = await t.store.list({ principal: "anna", limit: 3 });
      expect(first).toMatchObject({ total: 6, next: { statusAt: t.clock.time, taskId: "t4" } });
      const second = await t.store.list({
        principal: "anna",
        limit: 3,
        ...(first.next && { cursor: first.next }),
      });
      expect(second.rows.map(({ taskId }) => taskId)).toEqual(["t3", "t2", "t1"]);
      expect(second.total).toBe(6);
      expect(second.next).toBeUndefined();
    });

    it("does not repeat or lose a task that nobody touched, whatever happens to others between pages", async () => {
      await using t = await opened(open);
      const rows = (await fill(t)).filter(({ principal }) => principal === "anna").sort(newestFirst);
      const touched = new Set(rows.filter((_, i) => i % 3 === 0).map(({ taskId }) => taskId));
      const open_ = rows.filter(
        (row) =>
          touched.has(row.taskId) && !["completed", "failed", "canceled", "rejected"].includes(row.state),
      );
      const seen: string[] = [];
      let query: TaskQuery | undefined = { principal: "anna", limit: 5 };
      for (let n = 0; query !== undefined; n += 1) {
        const page = await t.store.list(query);
        seen.push(...page.rows.map(({ taskId }) => taskId));
        t.clock.time += 1;
        const moved = open_[n];
        if (moved !== undefined)
          await t.store.commit({ taskId: moved.taskId, events: keyed(`moved${n}.`, status("working")) });
        await create(t.store, `new${n}`);
        query = page.next && { principal: "anna", limit: 5, cursor: page.next };
      }
      const untouched = rows.map(({ taskId }) => taskId).filter((id) => !touched.has(id));
      expect(seen.filter((id) => untouched.includes(id))).toEqual(untouched);
    });

    it("follows a task through its states, and counts it once", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      const totals = async () => {
        const of = (states: readonly TaskState[]) => t.store.list({ principal: "anna", states, limit: 5 });
        return Promise.all(TASK_STATES.map(async (state) => (await of([state])).total));
      };
      expect(await totals()).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
      await Promise.all([
        t.store.commit({ taskId: "t", events: keyed("a", status("working"), status("input-required")) }),
        t.store.commit({ taskId: "t", events: keyed("b", status("working")) }),
        t.store
          .commit({ taskId: "t", expect: { epoch: 7 }, events: keyed("c", status("failed")) })
          .catch(() => undefined),
      ]);
      expect(await totals()).toEqual([0, 1, 0, 0, 0, 0, 0, 0]);
      await t.store.commit({ taskId: "t", events: keyed("d", status("completed")) });
      expect(await totals()).toEqual([0, 0, 0, 0, 1, 0, 0, 0]);
      expect((await t.store.list({ principal: "anna", kind: "plan", limit: 5 })).total).toBe(1);
      expect((await t.store.list({ principal: "anna", kind: "message", limit: 5 })).total).toBe(0);
    });
  });

  it("the unfinished of a kind are those of every principal that are not terminal, oldest first", async () => {
    await using t = await opened(open);
    const rows = await fill(t);
    for (const kind of KINDS) {
      const expected = rows
        .filter((row) => row.kind === kind)
        .filter(({ state }) => ["submitted", "working", "input-required", "auth-required"].includes(state))
        .sort((a, b) => a.createdAt - b.createdAt || (a.taskId < b.taskId ? -1 : 1));
      expect(expected.length).toBeGreaterThan(10);
      expect(await t.store.unfinished(kind)).toEqual(expected);
    }
  });

  it("the heads of the unfinished come in pages, in the same order, and say where mail waits", async () => {
    await using t = await opened(open);
    await fill(t);
    const rows = await t.store.unfinished("plan");
    const [answered, read] = [rows.at(3)?.taskId ?? "", rows.at(7)?.taskId ?? ""];
    const inbox = { add: [{ key: "answer", body: {} }] };
    await t.store.commit({ taskId: answered, inbox, runId: "run" });
    await t.store.commit({ taskId: read, inbox });
    await t.store.commit({ taskId: read, inbox: { take: ["answer"] } });
    const heads: TaskHead[] = [];
    for (let page = await t.store.unfinishedHeads("plan", 4); page.length > 0; ) {
      expect(page.length).toBeLessThanOrEqual(4);
      heads.push(...page);
      page = await t.store.unfinishedHeads("plan", 4, page.at(-1));
    }
    expect(heads).toEqual(
      rows.map(({ taskId, state, createdAt, epoch, runId }) => ({
        taskId,
        state,
        createdAt,
        epoch,
        runId: taskId === answered ? "run" : runId,
        mail: taskId === answered,
      })),
    );
  });

  it("tasks are counted by kind and state, over all principals, and follow each change", async () => {
    await using t = await opened(open);
    const rows = await fill(t);
    for (const kind of KINDS) {
      const states = ["submitted", "working"] as const;
      const expected = rows.filter((row) => row.kind === kind && states.some((state) => state === row.state));
      expect(expected.length).toBeGreaterThan(3);
      expect(await t.store.count(kind, states)).toBe(expected.length);
      const [first] = expected;
      await t.store.commit({ taskId: first?.taskId ?? "", events: keyed("end", status("completed")) });
      expect(await t.store.count(kind, states)).toBe(expected.length - 1);
    }
    expect(await t.store.count("plan", [])).toBe(0);
  });
}
