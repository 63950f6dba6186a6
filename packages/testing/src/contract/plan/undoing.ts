import { describe, expect, test } from "vitest";
import { atRest, toGate } from "../../world/index.ts";
import { aDigest, anId } from "../matchers.ts";
import { refusals } from "../refusals.ts";
import { NO_DIGEST, NOBODY, type PreparedPlans } from "./fixtures.ts";

const TWO_FILES = {
  arguments: { command: "mkdir -p part && echo 1 > part/one.txt && echo 2 > part-two.txt" },
};

export function planParts({ world }: PreparedPlans): void {
  describe("_cleveragents/plan/apply of a part", () => {
    test("a part is applied by its own digest alone, and what is left out stays as a patch", async () => {
      const { client, repository } = world();
      const { plan_id, digest } = await toGate(world(), "run", TWO_FILES);
      const part = await client.call("_cleveragents/plan/diff", { plan_id, only: ["part"] });
      expect(part.files.map((file) => file.path)).toEqual(["part/one.txt"]);
      expect(part.left_out).toEqual({ digest: aDigest, paths: ["part-two.txt"] });
      expect(part.digest).not.toBe(digest);
      for (const other of [digest, NO_DIGEST, undefined])
        await expect(
          client.call("_cleveragents/plan/apply", { plan_id, only: ["part"], digest: other ?? null }),
        ).rejects.toMatchObject({ reason: "DIGEST_MISMATCH", data: { found: part.digest } });

      const request = { plan_id, only: ["part"], digest: part.digest };
      const rehearsed = await client.call("_cleveragents/plan/apply", { ...request, dry_run: true });
      expect(rehearsed).toMatchObject({
        dry_run: true,
        phase: "execute",
        state: "complete",
        files: [{ path: "part/one.txt", action: "create" }],
      });
      await expect(repository.read("part/one.txt")).rejects.toThrow();

      const applied = await client.call("_cleveragents/plan/apply", request);
      expect(applied).toMatchObject({ state: "applied", digest: part.digest, left_out: part.left_out });
      expect(String(await repository.read("part/one.txt"))).toBe("1\n");
      await expect(repository.read("part-two.txt")).rejects.toThrow();
      expect(await client.call("_cleveragents/plan/apply", request)).toEqual({ ...applied, already: true });
      const rest = await client.call("_cleveragents/plan/diff", { plan_id, left_out: true });
      expect(rest.patch).toContain("+++ b/part-two.txt");
      expect(rest.digest).toBe(part.left_out?.digest);
    });
  });
}

export function planRollback({ world, plan }: PreparedPlans): void {
  describe("_cleveragents/plan/rollback", () => {
    test("an applied plan is undone by a new one, which waits to be applied", async () => {
      const { client, repository } = world();
      const { plan_id } = await toGate(world(), "touch", { arguments: { path: "undone.txt" } });
      await client.call("_cleveragents/plan/apply", { plan_id });
      const message_id = `undo-${plan_id}`;
      const rollback = await client.call("_cleveragents/plan/rollback", { plan_id, message_id });
      expect(await client.call("_cleveragents/plan/rollback", { plan_id, message_id })).toEqual(rollback);
      expect(rollback).toEqual({
        plan_id: anId,
        phase: "execute",
        state: "complete",
        context_id: anId,
        digest: aDigest,
        rollback_summary: { plan: plan_id, project: "local/demo", files_reverted: 1 },
        changes_reverted: [{ file: "undone.txt", action: "removed" }],
        next_steps: [expect.stringContaining("plan diff"), expect.stringContaining("plan apply")],
      });
      expect(String(await repository.read("undone.txt"))).toBe("touched\n");
      const task = await client.call("GetTask", { id: rollback.plan_id });
      expect(task.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
      const { digest } = rollback;
      const applied = await client.call("_cleveragents/plan/apply", { plan_id: rollback.plan_id, digest });
      expect(applied).toMatchObject({ state: "applied", digest });
      await expect(repository.read("undone.txt")).rejects.toThrow();
      // The message is this plan's, however far it has come, and nobody else's.
      const again = await client.call("_cleveragents/plan/rollback", { plan_id, message_id });
      expect(again).toMatchObject({ plan_id: rollback.plan_id, state: "applied", digest });
      await expect(
        client.call("_cleveragents/plan/rollback", { plan_id: rollback.plan_id, message_id }),
      ).rejects.toMatchObject({ reason: "INVALID_PARAMS" });
    });

    test("a file that changed since the plan was applied is refused, and stays", async () => {
      const { client, repository } = world();
      const { plan_id } = await toGate(world(), "touch", { arguments: { path: "kept.txt" } });
      await client.call("_cleveragents/plan/apply", { plan_id });
      await repository.write("kept.txt", "mine now\n");
      const rollback = await client.call("_cleveragents/plan/rollback", { plan_id });
      await expect(
        client.call("_cleveragents/plan/apply", { plan_id: rollback.plan_id, digest: rollback.digest }),
      ).rejects.toMatchObject({ reason: "PLAN_BASE_DRIFT", data: { files: [{ path: "kept.txt" }] } });
      expect(String(await repository.read("kept.txt"))).toBe("mine now\n");
    });

    test("a plan that is not applied goes back to a checkpoint, files and decisions together, and waits", async () => {
      const { client } = world();
      const document = `
name: stepwise
description: Decides between two files
definition_of_done: both are there
script:
  steps:
    - write: { path: stepwise/one.txt, content: "1\\n" }
    - decide: { id: between, question: "And then?", choose: [{ choice: two }] }
    - write: { path: stepwise/two.txt, content: "{{ decisions.between }} {{ attempt }}\\n" }
`;
      await client.call("_cleveragents/registry/action/add", { document });
      const { plan_id } = await client.call("_cleveragents/plan/use", {
        action_name: "stepwise",
        project: "demo",
        automation_profile: "trusted",
      });
      const offered = await atRest(client, plan_id);
      const decided = await client.call("_cleveragents/plan/explain", { plan_id, decision_id: "between" });
      const listed = await client.call("_cleveragents/plan/rollback", { plan_id, dry_run: true });
      expect(listed).toMatchObject({
        plan_id,
        dry_run: true,
        rollback_summary: { checkpoint: "step-2", files_reverted: 1 },
        checkpoints: ["start", "step-1", "step-2", "step-3"].map((checkpoint) => ({ checkpoint })),
      });
      expect(await client.call("_cleveragents/plan/status", { plan_id })).toEqual(offered);

      const back = await client.call("_cleveragents/plan/rollback", { plan_id, checkpoint: "step-1" });
      expect(back).toMatchObject({
        plan_id,
        phase: "execute",
        state: "queued",
        dry_run: false,
        rollback_summary: { checkpoint: "step-1", files_reverted: 1 },
        changes_reverted: [{ file: "stepwise/two.txt", action: "removed" }],
        impact: {
          decisions_after_cp: [decided.decision_id],
          steps_undone: 2,
          tool_calls_after_cp: { sandboxed: 1 },
        },
        post_rollback_state: { phase: "execute", state: "queued", checkpoints_remaining: 2 },
      });
      expect(await client.call("_cleveragents/plan/status", { plan_id })).toMatchObject({
        attempt: 2,
        progress: { total_steps: 3, completed_steps: 1 },
        waiting_for: { kind: "start" },
      });
      await expect(client.call("_cleveragents/plan/diff", { plan_id })).rejects.toMatchObject({
        reason: "INVALID_STATE",
      });
      await client.call("_cleveragents/plan/execute", { plan_id });
      await atRest(client, plan_id);
      const { patch } = await client.call("_cleveragents/plan/diff", { plan_id });
      expect(patch).toContain("+two 2\n");
      expect(patch).toContain("stepwise/one.txt");
      await client.call("_cleveragents/plan/cancel", { plan_id });
    });

    refusals("_cleveragents/plan/rollback", world, {
      InvalidParams: {
        "no plan": ({ client }) => client.call("_cleveragents/plan/rollback", {} as never),
        "a checkpoint that is none": ({ client }) =>
          client.call("_cleveragents/plan/rollback", { plan_id: plan("gate"), checkpoint: "step-9" }),
      },
      PlanNotFound: {
        "an unknown plan": ({ client }) => client.call("_cleveragents/plan/rollback", { plan_id: "nope" }),
        "somebody else's plan": (w) =>
          w.as(NOBODY).client.call("_cleveragents/plan/rollback", { plan_id: plan("applied") }),
      },
      InvalidState: {
        "a plan that has no checkpoint yet": ({ client }) =>
          client.call("_cleveragents/plan/rollback", { plan_id: plan("manual") }),
        "a checkpoint of an applied plan": ({ client }) =>
          client.call("_cleveragents/plan/rollback", { plan_id: plan("applied"), checkpoint: "start" }),
        "a cancelled plan": ({ client }) =>
          client.call("_cleveragents/plan/rollback", { plan_id: plan("cancelled") }),
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w
            .as("reader", ["task:read"])
            .client.call("_cleveragents/plan/rollback", { plan_id: plan("applied") }),
      },
    });
  });
}
