import { describe, expect, test } from "vitest";
import { atRest, seen } from "../../world/index.ts";
import { anId, aTime } from "../matchers.ts";
import { refusals } from "../refusals.ts";
import { worded } from "./explaining.ts";
import { NOBODY, type PreparedPlans } from "./fixtures.ts";

export function planCorrect({ world, plan }: PreparedPlans): void {
  const offered = async (who: string) => {
    const { client } = world();
    await client.call("_cleveragents/registry/action/add", { document: worded("corrected"), update: true });
    const { plan_id } = await client.call("_cleveragents/plan/use", {
      action_name: "worded-corrected",
      project: "demo",
      automation_profile: "trusted",
      arguments: { who },
    });
    await atRest(client, plan_id);
    return plan_id;
  };

  describe("_cleveragents/plan/correct", () => {
    test("takes files, decisions and steps back together, decides anew with the guidance, and keeps what was", async () => {
      const { client } = world();
      const plan_id = await offered("Emmy");
      const before = await client.call("_cleveragents/plan/status", { plan_id });
      const target = await client.call("_cleveragents/plan/explain", { plan_id, decision_id: "wording" });
      const mark = target.impact.downstream_decisions[0];
      const planned = await client.call("_cleveragents/plan/correct", {
        plan_id,
        decision_id: "wording",
        dry_run: true,
      });
      expect(planned).toMatchObject({
        dry_run: true,
        phase: "execute",
        state: "complete",
        correction: { corrects: target.decision_id, attempt: 2 },
        affected_subtree: {
          decisions_invalidated: [{ decision_id: target.decision_id }, mark],
          child_plans_rolled_back: [],
          steps_undone: 3,
        },
        sandbox_rollback: {
          checkpoint: "start",
          files_reverted: ["about", "greeting", "mark"].map((name) => ({
            file: `corrected/${name}.txt`,
            action: "removed",
          })),
          status: "planned",
        },
        tool_calls: { sandboxed: 3, compensable: 0, irreversible: 0 },
        recompute: { queued: false, from: "strategize" },
        history: [],
      });
      expect(await client.call("_cleveragents/plan/status", { plan_id })).toEqual(before);

      const request = {
        plan_id,
        target_decision_id: "wording",
        guidance: "be formal",
        message_id: `correct-${plan_id}`,
      };
      const corrected = await client.call("_cleveragents/plan/correct", request);
      expect(corrected).toMatchObject({
        dry_run: false,
        correction: {
          id: anId,
          mode: "revert",
          new_decision: anId,
          corrects: target.decision_id,
          attempt: 2,
        },
        affected_subtree: planned.affected_subtree,
        sandbox_rollback: { ...planned.sandbox_rollback, status: "restored" },
        recompute: { queued: true, from: "strategize" },
        history: [
          { kind: "correct", corrects: target.decision_id, guidance: "be formal", attempt: 2, at: aTime },
        ],
      });
      await seen(client, plan_id, "plan.changeset_ready", ({ digest }) => digest !== before.digest);
      const after = await atRest(client, plan_id);
      expect(after).toMatchObject({
        attempt: 2,
        phase: "execute",
        state: "complete",
        waiting_for: { kind: "apply" },
      });
      const { patch } = await client.call("_cleveragents/plan/diff", { plan_id });
      expect(patch).toContain("+formal Emmy\n");
      expect(patch).toContain("+dot\n");
      // The old gate is gone with what it was about.
      await expect(
        client.call("_cleveragents/plan/approve", {
          plan_id,
          request_id: before.waiting_for?.request_id ?? "",
        }),
      ).rejects.toMatchObject({ reason: "ANSWER_MISMATCH" });
      await expect(
        client.call("_cleveragents/plan/apply", { plan_id, digest: before.digest ?? null }),
      ).rejects.toMatchObject({ reason: "DIGEST_MISMATCH" });

      const old = await client.call("_cleveragents/plan/explain", {
        plan_id,
        decision_id: target.decision_id,
      });
      const new_decision = corrected.correction.new_decision ?? "";
      expect(old).toMatchObject({
        superseded: true,
        superseded_by: { decision_id: new_decision, chosen: "be formal" },
      });
      expect(old.impact.files.map(({ path }) => path)).toEqual(["corrected/greeting.txt"]);
      const anew = await client.call("_cleveragents/plan/explain", { plan_id, decision_id: "wording" });
      expect(anew).toMatchObject({ chosen: "formal", parent: new_decision, attempt: 2, superseded: false });
      const by = await client.call("_cleveragents/plan/explain", { plan_id, decision_id: new_decision });
      expect(by).toMatchObject({
        is_correction: true,
        corrects: { decision_id: target.decision_id },
        supersedes: [{ decision_id: target.decision_id }, mark],
      });
      const tree = await client.call("_cleveragents/plan/tree", { plan_id });
      expect(tree.tree).toHaveLength(1);
      expect(tree.summary.superseded).toBe(2);
      const again = await client.call("_cleveragents/plan/correct", request);
      expect(again.correction).toMatchObject({ id: corrected.correction.id, new_decision });
      expect(await client.call("_cleveragents/plan/apply", { plan_id })).toMatchObject({ state: "applied" });
    });

    test("stops a command that runs, and nothing of what it left is there when it runs again", async () => {
      const { client } = world();
      const action = "test ! -e half.txt && echo half > half.txt && sleep {{ attempt == 1 ? 600 : 0 }}";
      const { task_id: plan_id } = await client.call("_cleveragents/plan/create", {
        plan_definition: { name: "Half", steps: [{ type: "command", action }] },
        project: "demo",
        automation_profile: "trusted",
      });
      await seen(client, plan_id, "tool.invoked");
      const corrected = await client.call("_cleveragents/plan/correct", { plan_id, guidance: "not so long" });
      expect(corrected).toMatchObject({
        correction: { attempt: 2 },
        affected_subtree: { decisions_invalidated: [], steps_undone: 1 },
      });
      const { patch } = await atRest(client, plan_id).then(() =>
        client.call("_cleveragents/plan/diff", { plan_id }),
      );
      expect(patch).toContain("+half\n");
      await client.call("_cleveragents/plan/cancel", { plan_id });
    });

    refusals("_cleveragents/plan/correct", world, {
      InvalidParams: {
        "no plan": ({ client }) => client.call("_cleveragents/plan/correct", { guidance: "x" } as never),
        "no guidance": ({ client }) => client.call("_cleveragents/plan/correct", { plan_id: plan("gate") }),
        "two decisions": ({ client }) =>
          client.call("_cleveragents/plan/correct", {
            plan_id: plan("gate"),
            guidance: "x",
            decision_id: "a",
            target_decision_id: "b",
          }),
        "an action where nothing is added": ({ client }) =>
          client.call("_cleveragents/plan/correct", {
            plan_id: plan("gate"),
            guidance: "x",
            action_name: "touch",
          }),
      },
      PlanNotFound: {
        "an unknown plan": ({ client }) =>
          client.call("_cleveragents/plan/correct", { plan_id: "nope", guidance: "x" }),
        "somebody else's plan": (w) =>
          w.as(NOBODY).client.call("_cleveragents/plan/correct", { plan_id: plan("gate"), guidance: "x" }),
      },
      EntryNotFound: {
        "a decision that is none": {
          reason: "DECISION_NOT_FOUND",
          attempt: ({ client }) =>
            client.call("_cleveragents/plan/correct", {
              plan_id: plan("gate"),
              guidance: "x",
              decision_id: "nope",
            }),
        },
      },
      InvalidState: {
        "a plan that has decided nothing": ({ client }) =>
          client.call("_cleveragents/plan/correct", { plan_id: plan("manual"), guidance: "x" }),
        "an applied plan": ({ client }) =>
          client.call("_cleveragents/plan/correct", { plan_id: plan("applied"), guidance: "x" }),
        "work below a decision of a cancelled plan": ({ client }) =>
          client.call("_cleveragents/plan/correct", {
            plan_id: plan("cancelled"),
            guidance: "x",
            mode: "append",
          }),
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w
            .as("reader", ["task:read"])
            .client.call("_cleveragents/plan/correct", { plan_id: plan("gate"), guidance: "x" }),
      },
    });
  });
}
