import { atRest, eventOf, logOf, seen } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import type { Altered } from "./altered-server.ts";
import { openLight } from "./light-workspace.ts";

const HOLD = "  steps: [{ write: { path: a, content: x } }, { read: { path: a } }]";
const QUICK = "  steps: [{ write: { path: quick, content: x } }]";

/** One place, and calls of `read_file` that do not return until they are let go. */
async function openNarrow() {
  const held = new Map<string, PromiseWithResolvers<void>>();
  const reading = (planId: string) => {
    const gate = held.get(planId) ?? Promise.withResolvers<void>();
    held.set(planId, gate);
    return gate;
  };
  const server = await openLight(
    (tools) => ({
      list: () => tools.list(),
      async call(name, args, context) {
        if (name === "builtin/read_file") await reading(context.planId).promise;
        return tools.call(name, args, context);
      },
    }),
    { planConcurrency: 1 },
  );
  return Object.assign(server, { letGo: (planId: string) => reading(planId).resolve() });
}

const statusOf = ({ client }: Altered, plan_id: string) =>
  client.call("_cleveragents/plan/status", { plan_id });

const isReading = ({ client }: Altered, planId: string) =>
  seen(client, planId, "step.started", ({ index }) => index === 1);

async function told({ client }: Altered, planId: string) {
  return (await logOf(client, planId))
    .map(eventOf)
    .filter((event) => event?.event === "plan.queued" || event?.event === "plan.place_taken");
}

describe("a plan for which there is no place", () => {
  test("says so in its status and its log, is carried out in the order of the line, and holds up nothing else", async () => {
    await using server = await openNarrow();
    const first = await server.plan(HOLD);
    await isReading(server, first);
    const second = await server.plan(HOLD);
    await seen(server.client, second, "plan.queued");
    const third = await server.plan(QUICK);
    await seen(server.client, third, "plan.queued");
    expect(await statusOf(server, second)).toMatchObject({
      phase: "execute",
      state: "queued",
      task_state: "TASK_STATE_WORKING",
      queue: { position: 1, places: 1 },
    });
    expect((await statusOf(server, third)).queue).toMatchObject({ position: 2 });
    const { plans } = await server.client.call("_cleveragents/plan/list", { state: "queued" });
    expect(plans.map(({ plan_id }) => plan_id).sort()).toEqual([second, third].sort());

    // A plan that only has to be asked about is not held up.
    const asking = await server.plan(QUICK, "manual");
    expect(await atRest(server.client, asking)).toMatchObject({ waiting_for: { kind: "start" } });

    server.letGo(first);
    await isReading(server, second);
    expect((await statusOf(server, third)).queue).toMatchObject({ position: 1 });
    server.letGo(second);
    expect(await atRest(server.client, third)).toMatchObject({ waiting_for: { kind: "apply" } });
    expect((await statusOf(server, third)).queue).toBeUndefined();
    expect(await told(server, third)).toMatchObject([
      { event: "plan.queued", position: 2, places: 1 },
      { event: "plan.place_taken" },
    ]);
    expect(await told(server, first)).toEqual([]);
  });

  test("keeps its place in the line over a crash, and what was carried out goes on before it", async () => {
    await using server = await openNarrow();
    const first = await server.plan(HOLD);
    await isReading(server, first);
    const waiting: string[] = [];
    for (let n = 0; n < 2; n++) {
      const planId = await server.plan(HOLD);
      await seen(server.client, planId, "plan.queued");
      waiting.push(planId);
    }
    await server.killAndStart();
    for (const planId of [first, ...waiting]) {
      await isReading(server, planId);
      const others = [first, ...waiting].slice([first, ...waiting].indexOf(planId) + 1);
      for (const other of others) expect((await statusOf(server, other)).queue, other).toBeDefined();
      server.letGo(planId);
      await atRest(server.client, planId);
    }
  });

  test("can be cancelled, and those behind it move up", async () => {
    await using server = await openNarrow();
    const first = await server.plan(HOLD);
    await isReading(server, first);
    const second = await server.plan(HOLD);
    await seen(server.client, second, "plan.queued");
    const third = await server.plan(QUICK);
    await seen(server.client, third, "plan.queued");
    expect(await server.client.call("_cleveragents/plan/cancel", { plan_id: second })).toMatchObject({
      state: "cancelled",
    });
    await expect.poll(async () => (await statusOf(server, third)).queue?.position).toBe(1);
    expect((await statusOf(server, second)).queue).toBeUndefined();
    server.letGo(first);
    expect(await atRest(server.client, third)).toMatchObject({ state: "complete" });
  });

  test("is let in when the one that holds the place waits for somebody, who stands in line again afterwards", async () => {
    await using server = await openNarrow();
    const asking = await server.plan(
      "  steps: [{ ask: { question: Go on?, options: [{ id: so }] } }, { write: { path: b, content: x } }]",
    );
    expect(await atRest(server.client, asking)).toMatchObject({ waiting_for: { kind: "question" } });
    const holding = await server.plan(HOLD);
    await isReading(server, holding);
    await server.client.call("_cleveragents/plan/approve", { plan_id: asking, option: "so" });
    await seen(server.client, asking, "plan.queued");
    expect(await statusOf(server, asking)).toMatchObject({ state: "running", queue: { position: 1 } });
    server.letGo(holding);
    expect(await atRest(server.client, asking)).toMatchObject({ waiting_for: { kind: "apply" } });
  });
});
