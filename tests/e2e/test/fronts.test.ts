import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { followThroughDeaths, killOwner, StdioFront, startPlan } from "./fronts-support.ts";
import { Place, until } from "./support.ts";

const SLOW = 120_000;
const upTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

test("a stream over stdio through three deaths of the owner: every event once, in order, to the plan's end", {
  timeout: SLOW,
}, async () => {
  await using place = new Place();
  const plan = await startPlan(
    place,
    Array.from({ length: 8 }, (_, n) => `sleep 0.3; echo ${n}`),
  );
  const front = new StdioFront(place);
  const { numbers, state, killed } = await followThroughDeaths(front, place, plan, 3, 20);
  expect(killed).toBe(3);
  expect(numbers).toEqual(upTo(numbers[0] ?? 0, numbers.at(-1) ?? 0));
  expect(state).toBe("TASK_STATE_COMPLETED");
  // Only the first element is a Task, and nothing tells that the front has resumed.
  expect(front.elements("s").filter(({ result }) => result.task !== undefined)).toHaveLength(1);
  expect(JSON.stringify(front.seen)).not.toContain("urn:cleveragents:extensions:resume");
  const whole = await place.agents(["plan", "status", plan, "-o", "json"]);
  expect(JSON.parse(whole.stdout)).toMatchObject({ progress: { completed_steps: 8 } });
  expect(await front.close()).toMatchObject({ code: 0 });
});

test.each(["length", "newline", "header"] as const)(
  "a request that its owner took along is refused as one to try again, and the next one works (%s)",
  { timeout: SLOW },
  async (framing) => {
    await using place = new Place();
    mkdirSync(place.dataDir);
    const front = new StdioFront(place, framing);
    expect(await front.ask("first", "ListTasks")).toMatchObject({ result: {} });
    // It has the request and cannot answer any more.
    const pid = killOwner(place, "SIGSTOP");
    front.send(1, "ListTasks");
    front.send(2, "_cleveragents/plan/list");
    await new Promise((resolve) => setTimeout(resolve, 200));
    killOwner(place);
    expect(await front.answer(1)).toMatchObject({
      error: { code: -32000, data: [{ reason: "SHUTTING_DOWN", domain: "a2a-protocol.org" }] },
    });
    expect(await front.answer(2)).toMatchObject({ error: { data: { reason: "SHUTTING_DOWN" } } });
    expect(await front.ask("later", "ListTasks")).toMatchObject({ result: {} });
    await until(() => place.discovery().pid !== pid);
    expect(await front.close()).toMatchObject({ code: 0 });
  },
);

test("an owner that is told to stop ends no stream of a front", { timeout: SLOW }, async () => {
  await using place = new Place({ CLEVERAGENTS_IDLE_SECONDS: "600" });
  const plan = await startPlan(place, ["sleep 1", "sleep 1.1", "sleep 1.2"]);
  const front = new StdioFront(place);
  front.send("s", "SubscribeToTask", { id: plan });
  await until(() => front.elements("s").length >= 2);
  const pid = killOwner(place, "SIGTERM");
  expect(await front.answer("s")).toMatchObject({ result: {} });
  const elements = front.elements("s");
  const numbers = elements.map(({ seq }) => seq);
  expect(numbers).toEqual(upTo(numbers[0] ?? 0, numbers.at(-1) ?? 0));
  expect(elements.at(-1)?.result.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
  // It answers a moment before the file has its name.
  await until(() => existsSync(join(place.dataDir, "owner.json")) && place.discovery().pid !== pid);
  await front.close();
});
