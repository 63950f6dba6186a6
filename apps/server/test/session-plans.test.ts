import type { MessageActor, TurnPlan, TurnPlans } from "@cleveragents/application";
import { textOf } from "@cleveragents/domain";
import { expect, test } from "vitest";
import { openAltered } from "./altered-server.ts";

const ACTION = `name: work
description: x
definition_of_done: x
arguments: [{ name: what, default: x }]
script: { steps: [{ write: { path: "{{ args.what }}.txt", content: y } }] }
`;

type Behaviour = (plans: TurnPlans, attempt: number) => Promise<TurnPlan | readonly TurnPlan[]>;

/** Does with plans what the message says, and answers what came of it as JSON. */
function steering(behaviours: Readonly<Record<string, Behaviour>>): MessageActor {
  return {
    async run({ message, plans, attempt }) {
      const done = await behaviours[textOf(message)]?.(plans, attempt);
      return { state: "completed", parts: [{ kind: "text", text: JSON.stringify(done) }] };
    },
  };
}

const call = (what: string) => ({ action: "local/work", arguments: { what }, profile: "manual" });

test("an actor starts plans in its session and steers them: the same key is the same plan, and nothing is approved", async () => {
  let planId = "";
  const actor = steering({
    async start(plans) {
      const one = await plans.start("a", call("one"));
      const again = await plans.start("a", call("one"));
      const two = await plans.start("b", call("two"));
      expect(again.planId).toBe(one.planId);
      expect(two.planId).not.toBe(one.planId);
      planId = one.planId;
      return plans.list();
    },
    guide: (plans) => plans.guide("g", planId, "be quick"),
    cancel: (plans) => plans.cancel(planId, "not needed"),
    foreign: (plans) => plans.show("01J9K2TQ4M8R3V5W7X9Y0Z1A2B"),
  });
  await using altered = await openAltered(() => ({ actor }));
  const { client } = altered;
  await client.call("_cleveragents/registry/action/add", { document: ACTION });
  const { session_id } = await client.call("session.create", {});
  const tell = async (text: string) => {
    const told = await client.call("_cleveragents/session/tell", { session_id, text });
    return { state: told.task?.status.state, response: told.response };
  };
  const started = JSON.parse((await tell("start")).response) as TurnPlan[];
  expect(started.map(({ action }) => action)).toEqual(["local/work", "local/work"]);
  const shown = await client.call("_cleveragents/session/show", { session_id });
  expect(new Set(shown.linked_plans.map(({ plan_id }) => plan_id))).toEqual(
    new Set(started.map((plan) => plan.planId)),
  );
  await expect
    .poll(async () => (await client.call("_cleveragents/plan/status", { plan_id: planId })).waiting_for?.kind)
    .toBe("start");
  expect(JSON.parse((await tell("guide")).response)).toMatchObject({ planId, asks: expect.any(String) });
  expect(await client.call("_cleveragents/plan/status", { plan_id: planId })).toMatchObject({
    waiting_for: { kind: "start" },
  });
  expect(JSON.parse((await tell("cancel")).response)).toMatchObject({ planId, state: "cancelled" });
  expect((await tell("foreign")).state).toBe("TASK_STATE_FAILED");
});

test("a turn that is run again after its process died has the plan that it had started", async () => {
  const started: string[] = [];
  let hang = true;
  const actor: MessageActor = {
    async run({ plans, signal }) {
      started.push((await plans.start("a", call("once"))).planId);
      if (hang)
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      return { state: "completed", parts: [{ kind: "text", text: "done" }] };
    },
  };
  await using altered = await openAltered(() => ({ actor }));
  const { client } = altered;
  await client.call("_cleveragents/registry/action/add", { document: ACTION });
  const { session_id } = await client.call("session.create", {});
  const told = await client.call("_cleveragents/session/tell", { session_id, text: "go", wait: false });
  const behind = await client.call("_cleveragents/session/tell", { session_id, text: "next", wait: false });
  await expect.poll(() => started.length).toBe(1);
  hang = false;
  await altered.killAndStart();
  for (const { task } of [told, behind])
    await expect
      .poll(async () => (await client.call("GetTask", { id: task?.id ?? "" })).status.state, {
        timeout: 20_000,
      })
      .toBe("TASK_STATE_COMPLETED");
  expect(started[1]).toBe(started[0]);
  expect((await client.call("_cleveragents/session/show", { session_id })).linked_plans).toHaveLength(2);
});
