import { describe, expect, test } from "vitest";
import { atRest, seen } from "../../world/index.ts";
import { anId } from "../matchers.ts";
import { refusals } from "../refusals.ts";
import { worded } from "./explaining.ts";
import { NOBODY, type PreparedPlans } from "./fixtures.ts";

const ERRING = `
name: erring
description: Stops until it is told to go on
definition_of_done: there is a file
script:
  steps:
    - when: size(guidance) == 0
      fail: { message: nobody has said how, retryable: true }
    - write: { path: told.txt, content: "{{ guidance[0] }}\\n" }
`;

export function planPrompt({ world, plan }: PreparedPlans): void {
  const made = async (document: string, action_name: string, automation_profile: string, args = {}) => {
    const { client } = world();
    await client.call("_cleveragents/registry/action/add", { document, update: true });
    const params = { action_name, project: "demo", automation_profile, arguments: args };
    const { plan_id } = await client.call("_cleveragents/plan/use", params);
    await atRest(client, plan_id);
    return plan_id;
  };

  describe("_cleveragents/plan/prompt", () => {
    test("a plan that waits takes guidance when it goes on, and its script decides by it", async () => {
      const { client } = world();
      const hesitant =
        "name: hesitant\ndescription: Asks before it begins\nextends: trusted\nthresholds: { decompose_task: 1 }\n";
      await client.call("_cleveragents/profile/add", { document: hesitant, update: true });
      const plan_id = await made(worded("guided"), "worded-guided", "local/hesitant");
      const before = await client.call("_cleveragents/plan/status", { plan_id });
      const request = { plan_id, text: "be formal, please", message_id: `formal-${plan_id}` };
      const given = await client.call("_cleveragents/plan/prompt", request);
      expect(given).toEqual({
        plan_id,
        guidance_added: { plan: plan_id, guidance: "be formal, please", scope: "plan", phase: "strategize" },
        decision_created: { type: "user_intervention", id: anId, parent: null },
        queue: { pending: 1, applied: 0 },
        already: false,
      });
      // It still asks what it asked before, and the task's status says so.
      expect(await client.call("_cleveragents/plan/status", { plan_id })).toEqual(before);
      const task = await client.call("GetTask", { id: plan_id });
      expect(JSON.stringify(task.status.message)).toContain(before.waiting_for?.request_id);
      expect(await client.call("_cleveragents/plan/prompt", request)).toEqual({ ...given, already: true });

      await client.call("_cleveragents/plan/execute", { plan_id });
      await atRest(client, plan_id);
      const wording = await client.call("_cleveragents/plan/explain", { plan_id, decision_id: "wording" });
      expect(wording).toMatchObject({
        chosen: "formal",
        context_snapshot: { guidance: ["be formal, please"] },
      });
      const said = await client.call("_cleveragents/plan/explain", {
        plan_id,
        decision_id: given.decision_created.id,
      });
      expect(said).toMatchObject({
        type: "user_intervention",
        chosen: "be formal, please",
        impact: { downstream_decisions: [{ question: "How is Ada greeted?" }, {}] },
      });
      expect(await client.call("_cleveragents/plan/prompt", request)).toEqual({
        ...given,
        guidance_added: expect.anything(),
        decision_created: { ...given.decision_created, parent: anId },
        queue: { pending: 0, applied: 1 },
        already: true,
      });
      await client.call("_cleveragents/plan/cancel", { plan_id });
    });

    test("a plan that has stopped at an error tries again with it", async () => {
      const { client } = world();
      const plan_id = await made(ERRING, "erring", "trusted");
      const given = await client.call("_cleveragents/plan/prompt", { plan_id, guidance: "by hand" });
      expect(given.guidance_added).toMatchObject({ phase: "execute", state_transition: "errored -> queued" });
      await seen(client, plan_id, "plan.guidance_taken");
      await seen(client, plan_id, "plan.changeset_ready");
      expect(await atRest(client, plan_id)).toMatchObject({ attempt: 2, waiting_for: { kind: "apply" } });
      const { patch } = await client.call("_cleveragents/plan/diff", { plan_id });
      expect(patch).toContain("+by hand\n");
      await client.call("_cleveragents/plan/cancel", { plan_id });
    });

    test("may be about one decision", async () => {
      const { client } = world();
      const plan_id = await made(worded("guided"), "worded-guided", "trusted", { who: "Grace" });
      const wording = await client.call("_cleveragents/plan/explain", { plan_id, decision_id: "wording" });
      const params = { plan_id, text: "shorter", decision_id: "wording" };
      expect(await client.call("_cleveragents/plan/prompt", params)).toMatchObject({
        guidance_added: { scope: wording.decision_id },
        decision_created: { parent: wording.decision_id },
      });
      await client.call("_cleveragents/plan/cancel", { plan_id });
    });

    refusals("_cleveragents/plan/prompt", world, {
      InvalidParams: {
        "no plan": ({ client }) => client.call("_cleveragents/plan/prompt", { text: "x" } as never),
        "no text": ({ client }) => client.call("_cleveragents/plan/prompt", { plan_id: plan("gate") }),
        "blanks for a text": ({ client }) =>
          client.call("_cleveragents/plan/prompt", { plan_id: plan("gate"), text: "  " }),
        "two texts": ({ client }) =>
          client.call("_cleveragents/plan/prompt", { plan_id: plan("gate"), text: "a", guidance: "b" }),
        "an id of another message": async ({ client }) => {
          const message_id = `other-${plan("manual")}`;
          await client.call("_cleveragents/plan/prompt", { plan_id: plan("manual"), text: "x", message_id });
          return client.call("_cleveragents/plan/prompt", { plan_id: plan("gate"), text: "x", message_id });
        },
      },
      PlanNotFound: {
        "an unknown plan": ({ client }) =>
          client.call("_cleveragents/plan/prompt", { plan_id: "nope", text: "x" }),
        "somebody else's plan": (w) =>
          w.as(NOBODY).client.call("_cleveragents/plan/prompt", { plan_id: plan("gate"), text: "x" }),
      },
      EntryNotFound: {
        "a decision that is none": {
          reason: "DECISION_NOT_FOUND",
          attempt: ({ client }) =>
            client.call("_cleveragents/plan/prompt", {
              plan_id: plan("gate"),
              text: "x",
              decision_id: "nope",
            }),
        },
      },
      InvalidState: {
        "an applied plan": ({ client }) =>
          client.call("_cleveragents/plan/prompt", { plan_id: plan("applied"), text: "x" }),
        "a cancelled plan": ({ client }) =>
          client.call("_cleveragents/plan/prompt", { plan_id: plan("cancelled"), text: "x" }),
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w
            .as("reader", ["task:read"])
            .client.call("_cleveragents/plan/prompt", { plan_id: plan("gate"), text: "x" }),
      },
    });
  });
}
