import type { JsonObject, TaskState } from "@cleveragents/domain";
import { expect, test } from "vitest";
import type { Command, TaskRow } from "../ports/task-store.ts";
import { SandboxJanitor } from "./sandbox-janitor.ts";

const HOUR = 60 * 60 * 1000;

interface Place {
  readonly plans?: Readonly<Record<string, { state: TaskState; document?: JsonObject }>>;
  readonly since?: number;
  readonly keepMs?: number;
  readonly release?: (planId: string) => Promise<boolean>;
}

function janitorOf({ plans = {}, since = 0, keepMs, release = async () => true }: Place) {
  const released: string[] = [];
  const committed: Command[] = [];
  const warned: string[] = [];
  const janitor = new SandboxJanitor({
    store: {
      async load(taskId) {
        const plan = plans[taskId];
        if (plan === undefined) return undefined;
        const { state, document = {} } = plan;
        return { taskId, state, revision: 5, statusAt: 90 * HOUR, document } as unknown as TaskRow;
      },
      async commit(command) {
        committed.push(command);
        return { lastSeq: 1, epoch: 1, revision: 6, appended: 0 };
      },
    },
    workspace: {
      async release(planId) {
        released.push(planId);
        return release(planId);
      },
      heldSince: async () => since,
    },
    clock: { now: () => 100 * HOUR },
    logger: { debug() {}, info() {}, warn: (_, text) => void warned.push(text), error() {} },
    host: "here",
    keepMs,
  });
  return { janitor, released, committed, warned };
}

test("a plan that is over leaves nothing, and says so if it knew of its sandbox", async () => {
  const { janitor, released, committed } = janitorOf({
    plans: {
      known: { state: "canceled", document: { sandbox: { kind: "git" } } },
      unheard: { state: "failed" },
    },
  });
  await janitor.clean("known");
  await janitor.clean("unheard");
  expect(released).toEqual(["known", "unheard"]);
  expect(committed).toMatchObject([
    { taskId: "known", expect: { revision: 5 }, document: { sandbox: { kind: "git", disposed: true } } },
  ]);
});

test("work that was not applied stays for as long as is set, unless its removal is asked for", async () => {
  const worked = { sandbox: { kind: "git" }, steps: [{ status: "done" }] };
  const plans = {
    lost: { state: "failed" as const, document: worked },
    idle: { state: "canceled" as const, document: { ...worked, steps: [{ status: "pending" }] } },
    done: { state: "completed" as const, document: worked },
  };
  const young = janitorOf({ plans, keepMs: 11 * HOUR });
  await young.janitor.collect(["lost", "idle", "done"]);
  expect(young.released).toEqual(["idle", "done"]);
  expect(await young.janitor.remove("lost")).toBe(true);
  expect(young.released).toEqual(["idle", "done", "lost"]);
  const old = janitorOf({ plans, keepMs: 9 * HOUR });
  await old.janitor.clean("lost");
  expect(old.released).toEqual(["lost"]);
});

test("a plan that is not over cannot be removed, nor one that somebody works on", async () => {
  const plans = { works: { state: "working" as const }, over: { state: "canceled" as const } };
  const { janitor } = janitorOf({ plans, release: async () => false });
  expect(await janitor.remove("works")).toBe(false);
  expect(await janitor.remove("over")).toBe(false);
});

test("a plan that is not over, or is another host's, keeps what it has", async () => {
  const { janitor, released } = janitorOf({
    plans: { works: { state: "working" }, theirs: { state: "completed", document: { host: "there" } } },
  });
  await janitor.clean("works");
  await janitor.collect(["works", "theirs"]);
  expect(released).toEqual([]);
});

test("what is kept for a plan that nobody knows stays for a day, or as long as work is kept", async () => {
  const young = janitorOf({ since: 77 * HOUR });
  await young.janitor.collect(["unknown"]);
  expect(young.released).toEqual([]);
  const old = janitorOf({ since: 75 * HOUR });
  await old.janitor.collect(["unknown"]);
  expect(old.released).toEqual(["unknown"]);
  // A store that was lost takes no plan's work with it.
  const kept = janitorOf({ since: 75 * HOUR, keepMs: 26 * HOUR });
  await kept.janitor.collect(["unknown"]);
  expect(kept.released).toEqual([]);
});

test("a sandbox that cannot be removed, or is being made, is left for later and keeps no other", async () => {
  const { janitor, released, committed, warned } = janitorOf({
    plans: {
      bad: { state: "failed", document: { sandbox: {} } },
      made: { state: "canceled", document: { sandbox: {} } },
      good: { state: "completed" },
    },
    async release(planId) {
      if (planId === "bad") throw new Error("the disk says no");
      return planId !== "made";
    },
  });
  await janitor.collect(["bad", "made", "good"]);
  expect(released).toEqual(["bad", "made", "good"]);
  expect(committed).toEqual([]);
  expect(warned).toEqual(["a sandbox could not be removed"]);
});
