import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { PlanWorkflow, TaskStore } from "@cleveragents/application";
import { afterEach, describe, expect, it, vi } from "vitest";
import { UlidGenerator } from "../src/clock/index.ts";
import { InMemoryTaskStore } from "../src/memory/index.ts";
import { createSqlitePlanEngine } from "../src/openworkflow/index.ts";
import { checkProjections, openSqliteDatabase } from "../src/sqlite/index.ts";
import { chunk, logger, logOf, plan, temporaryDirectory } from "./sqlite-fixtures.ts";

const HOUR = 3_600_000;

/** A clock that stands still until a test moves it. */
class StandingClock {
  time = 1_800_000_000_000;
  now(): number {
    return this.time;
  }
}

const status = (state: "working" | "completed") => ({ type: "status" as const, state });

const STORES: readonly (readonly [string, (clock: StandingClock, path: string) => Promise<TaskStore>])[] = [
  ["in memory", async (clock) => new InMemoryTaskStore({ clock, logger })],
  ["SQLite", async (clock, path) => (await openSqliteDatabase({ path, clock, logger })).tasks],
];

describe.each(STORES)("a store whose clock is set back, %s", (_, open) => {
  it("numbers on, and a task's own times never go back", async () => {
    using t = temporaryDirectory();
    const clock = new StandingClock();
    const store = await open(clock, t.path);
    await store.commit(plan("t", { events: [{ key: "1", event: status("working") }] }));
    const { statusAt } = (await store.load("t")) ?? {};
    clock.time -= HOUR;
    await store.commit({ taskId: "t", events: [{ key: "2", event: chunk("x") }] });
    await store.commit({ taskId: "t", events: [{ key: "3", event: status("working") }] });
    const log = await logOf(store, "t");
    expect(log.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(log.map(({ at }) => at)).toEqual([...log.map(({ at }) => at)].sort((a, b) => a - b));
    expect(await store.load("t")).toMatchObject({ statusAt, lastSeq: 3 });
    clock.time += 3 * HOUR;
    await store.commit({ taskId: "t", events: [{ key: "4", event: status("completed") }] });
    expect(await store.load("t")).toMatchObject({ statusAt: clock.time });
    await store.close();
  });

  it("pages through all tasks once each, those of before and those of after", async () => {
    using t = temporaryDirectory();
    const clock = new StandingClock();
    const store = await open(clock, t.path);
    const made: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      if (n === 6) clock.time -= HOUR;
      clock.time += 1;
      const taskId = `task-${String(n).padStart(2, "0")}`;
      made.push(taskId);
      await store.commit(plan(taskId, { events: [{ key: "k", event: status("working") }] }));
    }
    const seen: string[] = [];
    for (let cursor: { statusAt: number; taskId: string } | undefined; ; ) {
      const page = await store.list({ principal: "anna", limit: 5, ...(cursor && { cursor }) });
      seen.push(...page.rows.map(({ taskId }) => taskId));
      // While somebody pages, the clock goes on from where it was set to.
      clock.time += 10;
      if (page.next === undefined) break;
      cursor = page.next;
    }
    expect([...seen].sort()).toEqual(made);
    expect(new Set(seen).size).toBe(made.length);
    await store.close();
  });
});

it("a file that was written when the clock was ahead is as good as any", async () => {
  using t = temporaryDirectory();
  const clock = new StandingClock();
  const before = await openSqliteDatabase({ path: t.path, clock, logger });
  await before.tasks.commit(plan("t", { events: [{ key: "1", event: status("working") }] }));
  await before.close();
  clock.time -= 1000 * HOUR;
  const after = await openSqliteDatabase({ path: t.path, clock, logger });
  await after.tasks.commit({ taskId: "t", events: [{ key: "2", event: chunk("x") }] });
  await after.close();
  expect(checkProjections(t.path)).toEqual([]);
});

it("ids go up while the clock is behind", () => {
  const clock = new StandingClock();
  const ids = new UlidGenerator({ clock });
  const made = [ids.next()];
  clock.time -= HOUR;
  made.push(ids.next(), ids.next());
  clock.time += 2 * HOUR;
  made.push(ids.next());
  expect([...made].sort()).toEqual(made);
});

describe("an engine", () => {
  afterEach(() => void vi.useRealTimers());

  async function engineWith(path: string, workflow: PlanWorkflow) {
    const engine = createSqlitePlanEngine({
      path,
      logger,
      exclusive: true,
      leaseMs: 1000,
      retryDelayMs: 200,
    });
    await engine.open(workflow);
    return engine;
  }

  it.each([
    ["forward", HOUR],
    ["back", -HOUR],
  ])("runs a step once when the clock is set %s while it runs", { timeout: 30_000 }, async (_, by) => {
    using t = temporaryDirectory();
    let begun = 0;
    const engine = await engineWith(join(t.directory, "engine.db"), async (run) => {
      await run.step("long", async () => {
        begun += 1;
        await delay(3000);
        return null;
      });
    });
    const runIds = [await engine.start({ taskId: "t", epoch: 1, part: 0 })];
    await expect.poll(() => begun).toBe(1);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + by });
    // Others make the engine claim, and would claim a run whose lease has lapsed.
    for (let n = 0; n < 4; n += 1) {
      runIds.push(await engine.start({ taskId: `other-${n}`, epoch: 1, part: 0 }));
      vi.setSystemTime(Date.now() + 100);
      await delay(100);
    }
    const statuses = () => Promise.all(runIds.map((runId) => engine.status(runId)));
    await expect.poll(statuses, { timeout: 20_000 }).toEqual(Array(5).fill("completed"));
    // Theirs and this one, each once.
    expect(begun).toBe(5);
    await engine.close();
  });

  it("tries a step again soon, though the clock was set back meanwhile", { timeout: 30_000 }, async () => {
    using t = temporaryDirectory();
    let begun = 0;
    const engine = await engineWith(join(t.directory, "engine.db"), async (run) => {
      await run.step("often", async () => {
        begun += 1;
        if (begun === 1) throw new Error("not yet");
        return null;
      });
    });
    const began = performance.now();
    const runId = await engine.start({ taskId: "t", epoch: 1, part: 0 });
    await expect.poll(() => begun).toBe(1);
    const then = Date.now();
    const ticking = setInterval(() => vi.setSystemTime(then - HOUR + performance.now() - began), 20);
    vi.useFakeTimers({ toFake: ["Date"], now: then - HOUR });
    try {
      await expect.poll(() => engine.status(runId), { timeout: 20_000 }).toBe("completed");
    } finally {
      clearInterval(ticking);
      await engine.close();
    }
  });
});
