import type { JsonObject } from "@cleveragents/domain";
import { afterEach, expect, test, vi } from "vitest";
import type { PlanRunStatus } from "../ports/plan-engine.ts";
import type { InboxEntry, TaskHead, TaskRow } from "../ports/task-store.ts";
import { PlanSupervisor, type PlanSupervisorDeps } from "./plan-supervisor.ts";

afterEach(() => {
  vi.useRealTimers();
});

interface Place {
  readonly heads: readonly TaskHead[];
  readonly documents?: Readonly<Record<string, JsonObject>>;
  readonly mail?: readonly InboxEntry[];
  readonly statuses?: Readonly<Record<string, PlanRunStatus>>;
  readonly held?: readonly string[];
  readonly host?: string;
}

function head(taskId: string, more: Partial<TaskHead> = {}): TaskHead {
  return { taskId, state: "working", createdAt: 1, epoch: 1, runId: `run-${taskId}`, mail: false, ...more };
}

/** A supervisor, and what it asked of whom, in order. */
function supervise({ heads, documents = {}, mail = [], statuses = {}, held = [], host }: Place) {
  const asked: string[] = [];
  const note = (what: string) => void asked.push(what);
  const deps: PlanSupervisorDeps = {
    store: {
      async unfinishedHeads(_kind, limit, after) {
        const from = after === undefined ? 0 : heads.findIndex(({ taskId }) => taskId === after.taskId) + 1;
        note(`heads from ${from}`);
        return heads.slice(from, from + limit);
      },
      async load(taskId) {
        note(`load ${taskId}`);
        return { taskId, document: documents[taskId] ?? {} } as unknown as TaskRow;
      },
      inbox: async () => mail,
      async commit({ taskId }) {
        note(`new epoch of ${taskId}`);
        return { lastSeq: 1, epoch: 2, revision: 2, appended: 0 };
      },
    },
    engine: {
      open: async () => note("open"),
      async start({ taskId, epoch }) {
        note(`start ${taskId} ${epoch}`);
        return `run-${taskId}`;
      },
      status: async (runId) => statuses[runId],
      signal: async (taskId) => note(`signal ${taskId}`),
    },
    workspace: {
      recover: async () => [],
      async holdings() {
        note("holdings");
        return held;
      },
      tidy: async () => note("tidy"),
    },
    places: {
      recall: (plan) => note(`recall ${plan.planId}`),
      tidy: async () => undefined,
      stop: () => undefined,
    },
    janitor: { collect: async (planIds) => note(`collect ${planIds.join(" ")}`) },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    host,
  };
  return { supervisor: new PlanSupervisor(deps), asked };
}

test("plans that wait for their answer cost no look at run or document, however many there are", async () => {
  const heads = Array.from({ length: 2500 }, (_, n) => head(`t${n}`, { state: "input-required" }));
  const { supervisor, asked } = supervise({ heads });
  await supervisor.sweep();
  expect(asked).toEqual([
    "holdings",
    "heads from 0",
    "heads from 1000",
    "heads from 2000",
    "heads from 2500",
  ]);
});

test("a plan whose answer nobody has taken is woken, one that got guidance while it waits is not", async () => {
  const waits = { state: "input-required", mail: true } as const;
  const statuses = { "run-answered": "waiting", "run-guided": "waiting" } as const;
  const documents = { answered: { open: { requestId: "r" } }, guided: { open: { requestId: "other" } } };
  const { supervisor, asked } = supervise({
    heads: [head("answered", waits), head("guided", waits)],
    documents,
    mail: [{ key: "answer:r", body: {} }],
    statuses,
  });
  await supervisor.sweep();
  expect(asked.filter((what) => what.startsWith("signal"))).toEqual(["signal answered"]);
});

test("a plan without a run gets it, one whose run is over or unknown gets another", async () => {
  const { supervisor, asked } = supervise({
    heads: [head("fresh", { runId: null }), head("ended"), head("lost"), head("runs")],
    statuses: { "run-fresh": "waiting", "run-ended": "failed", "run-runs": "running" },
  });
  await supervisor.sweep();
  expect(asked.filter((what) => /^(start|new)/.test(what))).toEqual([
    "start fresh 1",
    "new epoch of ended",
    "start ended 2",
    "new epoch of lost",
    "start lost 2",
  ]);
});

test("a plan whose first run ended before it could claim the plan gets another", async () => {
  const { supervisor, asked } = supervise({
    heads: [head("t", { runId: null })],
    statuses: { "run-t": "failed" },
  });
  await supervisor.sweep();
  expect(asked.filter((what) => /^(start|new)/.test(what))).toEqual([
    "start t 1",
    "new epoch of t",
    "start t 2",
  ]);
});

test("a plan of another host is left to it", async () => {
  const { supervisor, asked } = supervise({
    heads: [head("theirs"), head("queued", { runId: null })],
    documents: { theirs: { host: "b" }, queued: { host: "b" } },
    host: "a",
  });
  await supervisor.sweep();
  expect(asked.filter((what) => /^(start|new|signal)/.test(what))).toEqual([]);
});

test("what is kept is listed before the plans are, and that of plans which are not unfinished is collected", async () => {
  const { supervisor, asked } = supervise({
    heads: [head("a"), head("b", { state: "input-required" })],
    statuses: { "run-a": "running" },
    held: ["a", "over", "b", "unknown"],
  });
  await supervisor.sweep();
  await supervisor.collected();
  expect(asked[0]).toBe("holdings");
  expect(asked.at(-1)).toBe("collect over unknown");
});

test("it looks again every half minute and tidies up now and then, until it is stopped", async () => {
  vi.useFakeTimers();
  const { supervisor, asked } = supervise({ heads: [] });
  await supervisor.start(async () => undefined);
  expect(asked).toEqual(["heads from 0", "open", "holdings", "heads from 0"]);
  asked.length = 0;
  await vi.advanceTimersByTimeAsync(61_000);
  expect(asked.toSorted()).toEqual(["heads from 0", "heads from 0", "holdings", "holdings", "tidy"]);
  supervisor.stop();
  asked.length = 0;
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(asked).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
