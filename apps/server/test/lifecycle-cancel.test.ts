import {
  atRest,
  eventOf,
  followUntil,
  inProcess,
  logOf,
  openWorld,
  seen,
  stateOf,
  toGate,
  use,
  type World,
} from "@cleveragents/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openServer } from "./in-memory-server.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld(inProcess, openServer, { project: "plain" });
});
afterAll(() => world[Symbol.asyncDispose]());

const cancel = (plan_id: string) =>
  world.client.call("_cleveragents/plan/cancel", { plan_id, reason: "enough" });

/** Each brings a plan into a phase of its life and says what the phase is called. */
const phases: Readonly<Record<string, () => Promise<{ readonly plan_id: string; readonly phase: string }>>> =
  {
    "just made": async () => ({
      ...(await use(world, "touch", { automation_profile: "trusted" })),
      phase: expect.any(String) as string,
    }),
    "before Strategize": async () => {
      const { plan_id } = await use(world, "touch");
      await atRest(world.client, plan_id);
      return { plan_id, phase: "strategize" };
    },
    "before Execute": async () => ({
      ...(await toGate(world, "touch", { automation_profile: "supervised" })),
      phase: "strategize",
    }),
    "at a question": async () => ({ ...(await toGate(world, "ask")), phase: "execute" }),
    "after a failure": async () => ({ ...(await toGate(world, "flaky-fail")), phase: "execute" }),
    "before Apply": async () => ({ ...(await toGate(world, "touch")), phase: "execute" }),
  };

describe("a plan that is cancelled", () => {
  test.each(Object.keys(phases))("%s is over at once, with its reason, and writes nothing", async (name) => {
    const { plan_id, phase } = await (phases[name] as (typeof phases)[string])();
    const tree = await world.repository.tree();
    expect(await cancel(plan_id)).toMatchObject({ phase, state: "cancelled", reason: "enough" });
    await expectToBeOver(plan_id);
    expect(await world.repository.tree()).toEqual(tree);
  });

  test("while it waits by itself stops waiting; those who follow it are told, and their streams end", async () => {
    const { plan_id } = await use(world, "wait", { automation_profile: "trusted" });
    await seen(world.client, plan_id, "step.finished", (data) => data["index"] === 0);
    const following = followUntil(world.client, plan_id, (item) => stateOf(item) === "TASK_STATE_CANCELED");
    const began = performance.now();
    await cancel(plan_id);
    const [event] = (await following).slice(-1).map(eventOf);
    expect(event).toEqual({
      event: "plan.cancelled",
      phase: "execute",
      state: "cancelled",
      reason: "enough",
    });
    await expectToBeOver(plan_id);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test("while its command runs ends the command, promptly, with everything that it started", async () => {
    const { plan_id } = await use(world, "run", {
      automation_profile: "trusted",
      arguments: { command: "sleep 600 & echo $! $$; wait" },
    });
    const output = await followUntil(world.client, plan_id, ({ result }) => "artifactUpdate" in result, {
      after: `${plan_id}:0`,
    });
    const last = output.at(-1)?.result;
    const text =
      last !== undefined && "artifactUpdate" in last
        ? (last.artifactUpdate.artifact.parts[0]?.text ?? "")
        : "";
    const processes = text.trim().split(" ").map(Number);
    expect(processes.map(isAlive)).toEqual([true, true]);
    const began = performance.now();
    await cancel(plan_id);
    expect(performance.now() - began).toBeLessThan(2000);
    await vi.waitFor(() => expect(processes.map(isAlive)).toEqual([false, false]), { timeout: 5000 });
    await expectToBeOver(plan_id);
  });

  test("by CancelTask is cancelled like any other task", async () => {
    const { plan_id: id } = await use(world, "idle");
    expect(await world.client.call("CancelTask", { id })).toMatchObject({
      status: { state: "TASK_STATE_CANCELED" },
    });
    await expectToBeOver(id);
  });
});

/** Terminal, with nothing logged after the cancellation, nothing to answer, and its sandbox gone before long. */
async function expectToBeOver(plan_id: string): Promise<void> {
  const { client } = world;
  const status = await client.call("_cleveragents/plan/status", { plan_id });
  expect(status).toMatchObject({ state: "cancelled", task_state: "TASK_STATE_CANCELED" });
  expect(status).not.toHaveProperty("waiting_for");
  await vi.waitFor(
    async () =>
      expect((await client.call("_cleveragents/plan/status", { plan_id })).execution.sandbox).toBe("none"),
    { timeout: 8000 },
  );
  const log = await logOf(client, plan_id);
  expect(log.map(stateOf).indexOf("TASK_STATE_CANCELED")).toBe(log.length - 1);
  await expect(client.call("_cleveragents/plan/execute", { plan_id })).rejects.toMatchObject({
    reason: "INVALID_STATE",
  });
  await expect(client.call("_cleveragents/plan/approve", { plan_id })).rejects.toMatchObject({
    reason: "NOTHING_TO_ANSWER",
  });
  await expect(client.call("_cleveragents/plan/apply", { plan_id })).rejects.toMatchObject({
    reason: "INVALID_STATE",
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
