import type { PushConfig, PushStore, TaskStore } from "@cleveragents/application";
import { describe, expect, it } from "vitest";
import { ErrorLog, type OpenStore, StandingClock } from "./store-harness.ts";

function config(configId = "c", more: Partial<PushConfig> = {}): PushConfig {
  return {
    taskId: "t",
    configId,
    principal: "anna",
    url: "https://a.example/",
    version: "1.0",
    createdAt: 1,
    ...more,
  };
}

const TIP = { seq: 0, state: "active" } as const;
const KEY = { taskId: "t", configId: "c" };
const FAILED = { attempts: 2, failingSince: 5, nextAttemptAt: 50, failure: "answered 500", givenUp: false };

/** What every `PushStore` owes. `open` gives an empty one, and the store of the tasks that its rows belong to. */
export function pushStoreSuite(
  open: OpenStore<{ readonly tasks: TaskStore; readonly push: PushStore }>,
): void {
  async function opened() {
    const harness = await open({ clock: new StandingClock(), logger: new ErrorLog() });
    const { tasks, push } = harness.store;
    await tasks.commit({
      taskId: "t",
      create: { contextId: "x", principal: "anna", kind: "message" },
      events: [1, 2].map((n) => ({ key: `${n}`, event: { type: "status", state: "working" } as const })),
    });
    return { push, [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose]() };
  }

  describe("PushStore", () => {
    it.each([
      config(),
      config("c", { version: "0.3", token: "t", authentication: { scheme: "Basic", credentials: "x" } }),
      config("ü / \u0000", { authentication: { scheme: "Digest" } }),
    ])("finds what was put", async (asked) => {
      await using t = await opened();
      const row = { ...asked, state: "active", deliveredSeq: 2, attempts: 0, nextAttemptAt: 0 };
      expect(await t.push.put(asked, { seq: 2, state: "active" })).toEqual(row);
      expect(await t.push.find(asked)).toEqual(row);
      expect(await t.push.find({ taskId: "t", configId: "other" })).toBeUndefined();
    });

    it("lists a task's rows, oldest first, and removes one", async () => {
      await using t = await opened();
      for (const [id, createdAt] of [
        ["b", 5],
        ["a", 9],
        ["c", 5],
      ] as const)
        await t.push.put(config(id, { createdAt }), TIP);
      expect((await t.push.ofTask("t")).map(({ configId }) => configId)).toEqual(["b", "c", "a"]);
      await t.push.remove({ taskId: "t", configId: "c" });
      await t.push.remove({ taskId: "t", configId: "c" });
      expect((await t.push.ofTask("t")).map(({ configId }) => configId)).toEqual(["b", "a"]);
      expect(await t.push.ofTask("other")).toEqual([]);
    });

    it("replaces what was asked for, and neither age nor place in the log", async () => {
      await using t = await opened();
      await t.push.put(config("c", { token: "old" }), TIP);
      await t.push.claim(KEY, { holder: "h", until: 100 }, 0);
      await t.push.advance(KEY, { holder: "h", until: 100 }, 1, false);
      await t.push.fail(KEY, "h", { ...FAILED, givenUp: true });
      const asked = config("c", { url: "https://b.example/", version: "0.3", createdAt: 9 });
      expect(await t.push.put(asked, { seq: 2, state: "active" })).toEqual({
        ...asked,
        createdAt: 1,
        state: "active",
        deliveredSeq: 1,
        attempts: 0,
        nextAttemptAt: 0,
      });
    });

    it("does not begin anew with a task whose last event has arrived", async () => {
      await using t = await opened();
      await t.push.put(config(), { seq: 2, state: "delivered" });
      expect((await t.push.put(config("c", { token: "x" }), TIP)).state).toBe("delivered");
      expect(await t.push.active()).toEqual([]);
    });

    it("leases a row to one, until the lease has run out or was ended", async () => {
      await using t = await opened();
      await t.push.put(config(), TIP);
      const lease = { holder: "one", until: 100 };
      expect(await t.push.claim(KEY, lease, 0)).toMatchObject({ lease, deliveredSeq: 0 });
      expect(await t.push.claim(KEY, { holder: "two", until: 200 }, 99)).toBeUndefined();
      expect(await t.push.claim(KEY, { holder: "one", until: 150 }, 99)).toMatchObject({
        lease: { until: 150 },
      });
      expect(await t.push.claim(KEY, { holder: "two", until: 250 }, 150)).toMatchObject({
        lease: { holder: "two" },
      });
      await t.push.free("one");
      expect(await t.push.claim(KEY, { holder: "one", until: 250 }, 151)).toBeUndefined();
      await t.push.free("two");
      expect(await t.push.claim(KEY, { holder: "one", until: 250 }, 151)).toBeDefined();
      await t.push.free();
      expect(await t.push.find(KEY)).not.toHaveProperty("lease");
    });

    it("takes nothing from whoever has lost the lease, or the row", async () => {
      await using t = await opened();
      const old = { holder: "one", until: 100 };
      await t.push.put(config(), TIP);
      await t.push.claim(KEY, old, 0);
      await t.push.claim(KEY, { holder: "two", until: 200 }, 100);
      const before = await t.push.find(KEY);
      const refused = async () => [
        await t.push.renew(KEY, old),
        await t.push.advance(KEY, old, 1, false),
        await t.push.fail(KEY, "one", FAILED),
      ];
      expect(await refused()).toEqual([false, undefined, false]);
      expect(await t.push.find(KEY)).toEqual(before);
      await t.push.claim(KEY, old, 200);
      await t.push.put(config(), TIP);
      expect(await refused()).toEqual([false, undefined, false]);
      await t.push.remove(KEY);
      expect(await refused()).toEqual([false, undefined, false]);
    });

    it("counts to whom something is owed, of those the failing ones, and who was given up since a time", async () => {
      await using t = await opened();
      await t.push.put(config("new"), TIP);
      await t.push.put(config("settled"), { seq: 2, state: "active" });
      await t.push.put(config("over"), { seq: 2, state: "delivered" });
      for (const [configId, givenUp, nextAttemptAt] of [
        ["failing", false, 90],
        ["early", true, 49],
        ["late", true, 50],
      ] as const) {
        await t.push.put(config(configId), TIP);
        await t.push.claim({ taskId: "t", configId }, { holder: "h", until: 100 }, 0);
        await t.push.fail({ taskId: "t", configId }, "h", { ...FAILED, givenUp, nextAttemptAt });
      }
      expect(await t.push.counts(50)).toEqual({ waiting: 2, failing: 1, givenUp: 1 });
      await t.push.put(config("late"), TIP);
      expect(await t.push.counts(0)).toEqual({ waiting: 3, failing: 1, givenUp: 1 });
    });

    it("keeps a failure until something arrives, and tries no sooner", async () => {
      await using t = await opened();
      await t.push.put(config(), TIP);
      await t.push.claim(KEY, { holder: "h", until: 100 }, 0);
      expect(await t.push.fail(KEY, "h", FAILED)).toBe(true);
      const { givenUp: _, ...failure } = FAILED;
      expect(await t.push.find(KEY)).toEqual({ ...config(), ...failure, state: "active", deliveredSeq: 0 });
      expect(await t.push.claim(KEY, { holder: "h", until: 100 }, 49)).toBeUndefined();
      expect(await t.push.due(49, 10)).toEqual([]);
      expect(await t.push.due(50, 10)).toEqual([KEY]);
      const lease = { holder: "h", until: 100 };
      await t.push.claim(KEY, lease, 50);
      expect(await t.push.renew(KEY, { holder: "h", until: 120 })).toBe(true);
      expect(await t.push.advance(KEY, { holder: "h", until: 130 }, 1, false)).toEqual({
        ...config(),
        state: "active",
        deliveredSeq: 1,
        attempts: 0,
        nextAttemptAt: 0,
        lease: { holder: "h", until: 130 },
      });
    });

    it("has no more work with a row that is delivered or given up", async () => {
      await using t = await opened();
      const lease = { holder: "h", until: 10 };
      for (const id of ["delivered", "given-up"]) {
        await t.push.put(config(id), TIP);
        await t.push.claim({ taskId: "t", configId: id }, lease, 0);
      }
      expect(await t.push.active()).toHaveLength(2);
      const delivered = await t.push.advance({ taskId: "t", configId: "delivered" }, lease, 1, true);
      expect(delivered).toMatchObject({ state: "delivered" });
      expect(delivered).not.toHaveProperty("lease");
      await t.push.fail({ taskId: "t", configId: "given-up" }, "h", {
        ...FAILED,
        nextAttemptAt: 0,
        givenUp: true,
      });
      expect(await t.push.active()).toEqual([]);
      expect(await t.push.due(100, 10)).toEqual([]);
      for (const configId of ["delivered", "given-up"])
        expect(await t.push.claim({ taskId: "t", configId }, lease, 100)).toBeUndefined();
      expect((await t.push.ofTask("t")).map(({ state }) => state).sort()).toEqual(["delivered", "given-up"]);
    });

    it("names the rows that lag behind and are nobody's, at most so many", async () => {
      await using t = await opened();
      for (const id of ["a", "b", "c"]) await t.push.put(config(id), TIP);
      await t.push.put(config("tip"), { seq: 2, state: "active" });
      await t.push.claim({ taskId: "t", configId: "b" }, { holder: "h", until: 100 }, 0);
      const named = async (now: number, limit = 10) =>
        (await t.push.due(now, limit)).map(({ configId }) => configId).sort();
      expect(await named(99)).toEqual(["a", "c"]);
      expect(await named(100)).toEqual(["a", "b", "c"]);
      expect(await named(100, 2)).toHaveLength(2);
    });
  });
}
