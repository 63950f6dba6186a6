import { describe, expect, test } from "vitest";
import { atRest, toGate } from "../../world/index.ts";
import { anId } from "../matchers.ts";
import type { PreparedPlans } from "./fixtures.ts";

const CORRECT = "_cleveragents/plan/correct";

/** `plan/correct` with mode `append`; what it refuses is tested with the method's other mode. */
export function planAppend({ world, plan }: PreparedPlans): void {
  describe(`${CORRECT} with mode append`, () => {
    test("adds a plan below a decision, which begins on what there is, and offers both as one changeset", async () => {
      const { client } = world();
      const before = await toGate(world(), "touch", { arguments: { path: "append/first.txt" } });
      const { plan_id } = before;
      const root = (await client.call("_cleveragents/plan/tree", { plan_id })).decision_root_id;
      const request = {
        plan_id,
        mode: "append" as const,
        guidance: "and another one",
        action_name: "touch",
        arguments: { path: "append/second.txt" },
      };
      expect(await client.call(CORRECT, { ...request, dry_run: true })).toMatchObject({
        dry_run: true,
        correction: { mode: "append", appended_after: root, attempt: 2 },
        affected_subtree: { decisions_invalidated: [], steps_undone: 0 },
        sandbox_rollback: { files_reverted: [] },
        recompute: { queued: false },
      });
      expect(await client.call("_cleveragents/plan/status", { plan_id })).toEqual(before);

      const message_id = `append-${plan_id}`;
      const appended = await client.call(CORRECT, { ...request, message_id });
      expect(appended).toMatchObject({
        dry_run: false,
        correction: { mode: "append", new_decision: anId, appended_after: root, attempt: 2 },
        append_detail: { original_decision_preserved: true, additional_work: "and another one" },
        queued: { new_child: anId },
        history: [{ kind: "append", guidance: "and another one", attempt: 2 }],
      });
      const child = appended.queued?.new_child ?? "";
      const after = await atRest(client, plan_id);
      expect(after).toMatchObject({
        attempt: 2,
        waiting_for: { kind: "apply" },
        children: [{ plan_id: child, status: "complete", merged: true }],
      });
      expect(after.reversions ?? 0).toBe(0);
      expect(after.digest).not.toBe(before.digest);
      const { files } = await client.call("_cleveragents/plan/diff", { plan_id });
      expect(files.map(({ path }) => path)).toEqual(["append/first.txt", "append/second.txt"]);
      expect((await client.call("GetTask", { id: child })).status.state).toBe("TASK_STATE_COMPLETED");
      const told = await client.call("_cleveragents/plan/explain", {
        plan_id,
        decision_id: appended.correction.new_decision ?? "",
      });
      expect(told).toMatchObject({ type: "user_intervention", parent: root, chosen: "and another one" });
      const again = await client.call(CORRECT, { ...request, message_id });
      expect(again.correction.id).toBe(appended.correction.id);
      expect((await client.call("_cleveragents/plan/list", { parent: plan_id })).total).toBe(1);

      // Taken back before it, the plan does the added work again when it goes on; without its decision it does not.
      await client.call("_cleveragents/plan/rollback", { plan_id, checkpoint: "step-1" });
      await client.call("_cleveragents/plan/execute", { plan_id });
      const anew = await atRest(client, plan_id);
      expect(anew.children?.[0]?.plan_id).not.toBe(child);
      await client.call(CORRECT, {
        plan_id,
        guidance: "without that",
        decision_id: appended.correction.new_decision,
      });
      const without = await atRest(client, plan_id);
      expect(without.steps).toHaveLength(1);
      expect(await client.call("_cleveragents/plan/apply", { plan_id })).toMatchObject({
        changes: { files: 1 },
      });
    });

    test("an applied plan stays as it is: the work is a plan of the same context that refers to it", async () => {
      const { client } = world();
      const plan_id = plan("applied");
      const message_id = `continue-${plan_id}`;
      const request = {
        plan_id,
        mode: "append" as const,
        guidance: "more of it",
        action_name: "touch",
        arguments: { path: "append/later.txt" },
        message_id,
      };
      const appended = await client.call(CORRECT, request);
      const child = appended.queued?.new_child ?? "";
      const made = await client.call("GetTask", { id: child });
      expect(made.contextId).toBe((await client.call("GetTask", { id: plan_id })).contextId);
      expect(made.history?.[0]?.referenceTaskIds).toEqual([plan_id]);
      expect((await client.call(CORRECT, request)).queued?.new_child).toBe(child);
      expect(await client.call("_cleveragents/plan/status", { plan_id })).toMatchObject({ state: "applied" });
      await client.call("_cleveragents/plan/cancel", { plan_id: child });
    });
  });
}
