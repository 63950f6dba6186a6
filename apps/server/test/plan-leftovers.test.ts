import type { PlanEngine, Workspace } from "@cleveragents/application";
import { atRest, eventOf, logOf, seen } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import { openAltered } from "./altered-server.ts";

const TOUCH = "  steps: [{ write: { path: touched.txt, content: x } }]\n";
const never = () => new Promise<never>(() => undefined);

/** An object with some of its methods in other hands. */
function withOwn<T extends object>(object: T, own: Partial<T>): T {
  return new Proxy(object, {
    get(target, key) {
      const value: unknown = Reflect.get(own, key) ?? Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

describe("what a plan left behind", () => {
  test("a sandbox that the plan never heard of goes at the next start after its cancellation", async () => {
    await using server = await openAltered();
    const { client, machine, repository } = server;
    const { workspace } = machine.adapters;
    const cancelled = await server.plan(TOUCH, "manual");
    await atRest(client, cancelled);
    await client.call("_cleveragents/plan/cancel", { plan_id: cancelled });
    await expect.poll(() => workspace.release(cancelled)).toBe(true);
    const waiting = await server.plan(TOUCH);
    await atRest(client, waiting);
    // As a worker leaves it that dies before it can say so.
    await workspace.create(cancelled, repository.root, new AbortController().signal);
    expect((await workspace.holdings()).toSorted()).toEqual([cancelled, waiting].toSorted());
    await server.killAndStart();
    await expect.poll(() => workspace.holdings(), { timeout: 10_000 }).toEqual([waiting]);
    expect(await client.call("_cleveragents/plan/apply", { plan_id: waiting })).toMatchObject({
      state: "applied",
    });
    await expect.poll(() => workspace.holdings(), { timeout: 10_000 }).toEqual([]);
  });

  test("a sandbox that could not be removed goes at the next start", async () => {
    let broken = true;
    await using server = await openAltered(({ workspace }) => ({
      workspace: withOwn<Workspace>(workspace, {
        async release(planId) {
          if (broken) throw new Error("the disk says no");
          return workspace.release(planId);
        },
      }),
    }));
    const { client, machine } = server;
    const plan_id = await server.plan(TOUCH);
    await atRest(client, plan_id);
    await client.call("_cleveragents/plan/cancel", { plan_id });
    await expect
      .poll(() => machine.logged.map(({ message }) => message))
      .toContain("a sandbox could not be removed");
    expect(await machine.adapters.workspace.holdings()).toEqual([plan_id]);
    broken = false;
    await server.killAndStart();
    await expect.poll(() => machine.adapters.workspace.holdings(), { timeout: 10_000 }).toEqual([]);
  });
});

describe("an apply that ended just before its process did", () => {
  test("is done, and what the user has edited since stays", async () => {
    let applies = 0;
    const written = Promise.withResolvers<void>();
    await using server = await openAltered(({ workspace }) => ({
      workspace: withOwn<Workspace>(workspace, {
        async apply(...args) {
          const files = await workspace.apply(...args);
          if (++applies > 1) return files;
          written.resolve();
          return never();
        },
      }),
    }));
    const { client, repository } = server;
    const plan_id = await server.plan(TOUCH);
    await atRest(client, plan_id);
    await client.call("_cleveragents/plan/approve", { plan_id });
    await written.promise;
    await repository.write("touched.txt", "edited since");
    await server.killAndStart();
    expect(await atRest(client, plan_id)).toMatchObject({ phase: "apply", state: "applied" });
    expect(String(await repository.read("touched.txt"))).toBe("edited since");
    const applied = (await logOf(client, plan_id))
      .map(eventOf)
      .find((event) => event?.["event"] === "plan.applied");
    expect(applied).toMatchObject({ files: 1, written: 1, deleted: 0 });
  });
});

describe("a step that waits", () => {
  test("holds nobody up, however many there are", async () => {
    await using server = await openAltered();
    const { client } = server;
    const waiting = await Promise.all(
      Array.from({ length: 6 }, () => server.plan("  steps: [{ wait: { seconds: 600 } }]\n")),
    );
    for (const plan_id of waiting) await seen(client, plan_id, "step.started");
    const plan_id = await server.plan(TOUCH);
    expect(await atRest(client, plan_id)).toMatchObject({ phase: "execute", state: "complete" });
    for (const id of waiting) await client.call("_cleveragents/plan/cancel", { plan_id: id });
  });

  test("goes on waiting after a restart, begins only once, and ends", async () => {
    await using server = await openAltered();
    const { client } = server;
    const plan_id = await server.plan(
      "  steps: [{ wait: { seconds: 1.5 } }, { write: { path: after.txt, content: x } }]\n",
    );
    await seen(client, plan_id, "step.started");
    await server.killAndStart();
    expect(await atRest(client, plan_id)).toMatchObject({ phase: "execute", state: "complete" });
    const started = (await logOf(client, plan_id))
      .map(eventOf)
      .filter((event) => event?.["event"] === "step.started");
    expect(started.map((event) => event?.["index"])).toEqual([0, 1]);
  });
});

describe("an answer that nobody heard", () => {
  const deaf = (heard: () => boolean) =>
    openAltered(({ engine }) => ({
      engine: withOwn<PlanEngine>(engine, {
        signal: async (taskId) => (heard() ? engine.signal(taskId) : undefined),
      }),
    }));

  test("is called out again", async () => {
    let signals = 0;
    await using server = await deaf(() => ++signals > 2);
    const plan_id = await server.plan(TOUCH);
    await atRest(server.client, plan_id);
    expect(await server.client.call("_cleveragents/plan/apply", { plan_id })).toMatchObject({
      state: "applied",
    });
    expect(signals).toBeGreaterThan(2);
  });

  test("is found at the next start", async () => {
    let hears = false;
    await using server = await deaf(() => hears);
    const plan_id = await server.plan(TOUCH);
    await atRest(server.client, plan_id);
    await server.client.call("_cleveragents/plan/approve", { plan_id });
    hears = true;
    await server.killAndStart();
    expect(await atRest(server.client, plan_id)).toMatchObject({ state: "applied" });
  });
});
