import { describe, expect, test } from "vitest";
import { atRest, eventOf, logOf, toGate, use } from "../../world/index.ts";
import { refusals } from "../refusals.ts";
import { NOBODY, type PreparedPlans } from "./fixtures.ts";

export function planRevert({ world, plan }: PreparedPlans): void {
  describe("_cleveragents/plan/revert", () => {
    test("begins a phase anew as another attempt, with the reason as guidance, and offers the same again", async () => {
      const { client } = world();
      const { plan_id, digest } = await toGate(world(), "touch", { arguments: { path: "reverted.txt" } });
      const reverted = await client.call("_cleveragents/plan/revert", {
        plan_id,
        to_phase: "execute",
        reason: "once more",
      });
      expect(reverted).toMatchObject({ plan_id, attempt: 2, reversions: 1, reversions_left: 4 });
      const status = await atRest(client, plan_id);
      expect(status).toMatchObject({ attempt: 2, reversions: 1, digest, waiting_for: { kind: "apply" } });
      const told = (await logOf(client, plan_id)).map(eventOf);
      expect(told.find((event) => event?.event === "plan.reverted")).toMatchObject({
        from: "execute",
        to: "execute",
        reason: "once more",
        attempt: 2,
      });
    });

    refusals("_cleveragents/plan/revert", world, {
      InvalidParams: {
        "no plan": ({ client }) => client.call("_cleveragents/plan/revert", {} as never),
        "a phase that nothing goes back to": ({ client }) =>
          client.call("_cleveragents/plan/revert", { plan_id: plan("gate"), to_phase: "apply" as never }),
      },
      PlanNotFound: {
        "an unknown plan": ({ client }) => client.call("_cleveragents/plan/revert", { plan_id: "nope" }),
        "somebody else's plan": (w) =>
          w.as(NOBODY).client.call("_cleveragents/plan/revert", { plan_id: plan("gate") }),
      },
      InvalidState: {
        "an applied plan": ({ client }) =>
          client.call("_cleveragents/plan/revert", { plan_id: plan("applied") }),
        "a cancelled plan": ({ client }) =>
          client.call("_cleveragents/plan/revert", { plan_id: plan("cancelled") }),
        "a plan that has not begun": ({ client }) =>
          client.call("_cleveragents/plan/revert", { plan_id: plan("manual") }),
        "a phase that the plan has not reached": async (w) => {
          const { plan_id } = await use(w, "idle");
          await w.client.call("_cleveragents/plan/execute", { plan_id });
          await atRest(w.client, plan_id);
          return w.client.call("_cleveragents/plan/revert", { plan_id, to_phase: "execute" });
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w.as("reader", ["task:read"]).client.call("_cleveragents/plan/revert", { plan_id: plan("gate") }),
      },
    });
  });
}
