import { describe, expect, test } from "vitest";
import { atRest, sha256, stranger, use } from "../../world/index.ts";
import { aDigest, anId, aTime } from "../matchers.ts";
import { refusals } from "../refusals.ts";
import { NOBODY, type PreparedPlans } from "./fixtures.ts";

const ONE_FILE = {
  files: 1,
  created: 1,
  modified: 0,
  deleted: 0,
  renamed: 0,
  mode_changes: 0,
  binary: 0,
  insertions: 1,
  deletions: 0,
};

export function planReading({ world, plan }: PreparedPlans): void {
  describe("_cleveragents/plan/status", () => {
    test("tells everything about a plan at its gate", async () => {
      const status = await world().client.call("_cleveragents/plan/status", { plan_id: plan("gate") });
      expect(status).toEqual({
        plan_id: plan("gate"),
        phase: "execute",
        state: "complete",
        processing_state: "complete",
        task_state: "TASK_STATE_INPUT_REQUIRED",
        context_id: anId,
        action: "local/touch",
        description: "Writes one file",
        project: "local/demo",
        automation: { profile: "trusted", source: "plan" },
        attempt: 1,
        progress: { total_steps: 1, completed_steps: 1, current_step: null },
        steps: [
          {
            index: 0,
            label: expect.stringMatching(/^write /),
            kind: "write",
            status: "done",
            detail: expect.stringContaining("gate.txt"),
          },
        ],
        timing: { created: aTime, started: aTime },
        execution: {
          sandbox: "git",
          enforcement: "none",
          enforcement_reason: expect.stringMatching(/ordinary processes/),
          limits: expect.stringMatching(/of a whole command/),
          warnings: [],
          tool_calls: 1,
          checkpoints: 1,
        },
        confidence: expect.objectContaining({ gate: "select_tool", threshold: 1, passed: false }),
        budget: { limits: {}, used: { tool_calls: 1, seconds: expect.any(Number) } },
        validations: [
          {
            validation: "definition of done",
            kind: "definition_of_done",
            text: "the file is there",
            mode: "required",
            checkable: false,
            passed: null,
            attachment_id: "done:1",
            attachment_scope: "action",
            attachment_scope_target: "local/touch",
          },
        ],
        changes: ONE_FILE,
        digest: aDigest,
        waiting_for: {
          request_id: anId,
          kind: "apply",
          prompt: "Apply 1 changed file (+1 -0) to local/demo?",
          options: [
            { id: "yes", label: "Apply the changes" },
            { id: "no", label: "Reject them" },
          ],
          free_text: false,
          digest: status.digest,
        },
      });
    });

    test("an applied plan is finished, waits for nothing and has no sandbox any more", async () => {
      const { client } = world();
      const status = await client.call("_cleveragents/plan/status", { plan_id: plan("applied") });
      expect(status).toMatchObject({
        phase: "apply",
        state: "applied",
        task_state: "TASK_STATE_COMPLETED",
        timing: { finished: aTime },
      });
      expect(status).not.toHaveProperty("waiting_for");
      expect(status).not.toHaveProperty("error");
    });

    refusals("_cleveragents/plan/status", world, {
      InvalidParams: { "no plan": ({ client }) => client.call("_cleveragents/plan/status", {} as never) },
      PlanNotFound: {
        "an unknown plan": ({ client }) => client.call("_cleveragents/plan/status", { plan_id: "nope" }),
        "somebody else's plan": (w) =>
          w.as(NOBODY).client.call("_cleveragents/plan/status", { plan_id: plan("gate") }),
      },
      Forbidden: {
        "a caller without task:read": (w) =>
          w.as("writer", ["task:write"]).client.call("_cleveragents/plan/status", { plan_id: plan("gate") }),
      },
    });
  });

  describe("_cleveragents/plan/diff", () => {
    test("gives the changeset, its digest and the patch", async () => {
      const { client } = world();
      const diff = await client.call("_cleveragents/plan/diff", { plan_id: plan("gate") });
      const file = {
        path: "gate.txt",
        status: "added",
        change: "+1 -0",
        binary: false,
        insertions: 1,
        deletions: 0,
        new_mode: "100644",
        new_size: 8,
        new_sha256: sha256("touched\n"),
      };
      expect(diff).toEqual({
        plan_id: plan("gate"),
        digest: aDigest,
        diff_summary: {
          plan: plan("gate"),
          project: "local/demo",
          files_changed: 1,
          insertions: 1,
          deletions: 0,
          net_change: "+1 line",
        },
        files: [file],
        risks: [],
        patch: expect.stringMatching(/^diff --git a\/gate\.txt b\/gate\.txt\nnew file mode 100644\n/),
      });
      const apart = await client.call("_cleveragents/plan/diff", {
        plan_id: plan("gate"),
        include_patch: false,
        include_hunks: true,
      });
      const hunk = { old_start: 0, old_lines: 0, new_start: 1, new_lines: 1, lines: ["+touched"] };
      expect(apart.files).toEqual([{ ...file, hunks: [hunk] }]);
      const { patch: _, ...bare } = diff;
      expect(
        await client.call("_cleveragents/plan/diff", { plan_id: plan("gate"), include_patch: false }),
      ).toEqual(bare);
    });

    test("an applied plan still shows what it changed", async () => {
      const { client } = world();
      const diff = await client.call("_cleveragents/plan/diff", { plan_id: plan("applied") });
      expect(diff.files).toEqual([expect.objectContaining({ path: "applied.txt", status: "added" })]);
    });

    refusals("_cleveragents/plan/diff", world, {
      InvalidParams: { "no plan": ({ client }) => client.call("_cleveragents/plan/diff", {} as never) },
      PlanNotFound: {
        "an unknown plan": ({ client }) => client.call("_cleveragents/plan/diff", { plan_id: "nope" }),
        "somebody else's plan": (w) =>
          w.as(NOBODY).client.call("_cleveragents/plan/diff", { plan_id: plan("gate") }),
      },
      InvalidState: {
        "a plan that has not run": ({ client }) =>
          client.call("_cleveragents/plan/diff", { plan_id: plan("manual") }),
      },
      MergeConflict: {
        "a file that was made by the plan and by the user, differently": async ({ client, repository }) => {
          await repository.write("gate.txt", "mine\n");
          try {
            return await client.call("_cleveragents/plan/diff", { plan_id: plan("gate"), rebase: true });
          } finally {
            await repository.remove("gate.txt");
          }
        },
      },
      Forbidden: {
        "a caller without task:read": (w) =>
          w.as("writer", ["task:write"]).client.call("_cleveragents/plan/diff", { plan_id: plan("gate") }),
      },
    });
  });

  describe("_cleveragents/plan/artifacts", () => {
    test("lists what a plan has produced, file by file", async () => {
      expect(await world().client.call("_cleveragents/plan/artifacts", { plan_id: plan("gate") })).toEqual({
        plan_id: plan("gate"),
        artifacts: [{ path: "gate.txt", type: "write", size: 8, change: "+1 -0" }],
        outputs: [],
        summary: { total: 1, writes: 1, edits: 0, deletes: 0, renames: 0, total_size: 8 },
        total: 1,
        next_page_token: "",
      });
    });

    test("a plan that has not run has produced nothing", async () => {
      expect(
        await world().client.call("_cleveragents/plan/artifacts", { plan_id: plan("manual") }),
      ).toMatchObject({ artifacts: [], total: 0 });
    });

    refusals("_cleveragents/plan/artifacts", world, {
      InvalidParams: { "no plan": ({ client }) => client.call("_cleveragents/plan/artifacts", {} as never) },
      PlanNotFound: {
        "an unknown plan": ({ client }) => client.call("_cleveragents/plan/artifacts", { plan_id: "nope" }),
        "somebody else's plan": (w) =>
          w.as(NOBODY).client.call("_cleveragents/plan/artifacts", { plan_id: plan("gate") }),
      },
      EntryNotFound: {
        "an output that is not kept": ({ client }) =>
          client.call("_cleveragents/plan/artifacts", {
            plan_id: plan("gate"),
            artifact_id: "step-7-output",
          }),
      },
      Forbidden: {
        "a caller without task:read": (w) =>
          w
            .as("writer", ["task:write"])
            .client.call("_cleveragents/plan/artifacts", { plan_id: plan("gate") }),
      },
    });
  });

  describe("_cleveragents/plan/tree", () => {
    test("is the prompt at the root, and the decisions below it", async () => {
      const { client } = world();
      const { plan_id } = await use(world(), "full-edit", {
        automation_profile: "supervised",
        arguments: { who: "Ada", loud: true },
      });
      await atRest(client, plan_id);
      const tree = await client.call("_cleveragents/plan/tree", { plan_id });
      const node = (fields: object) => ({
        decision_id: anId,
        alternatives: [],
        superseded: false,
        created_at: aTime,
        children: [],
        ...fields,
      });
      const ending = node({
        type: "strategy_choice",
        question: "What comes at the end?",
        chosen: "bang",
        confidence: 1,
        sequence: 3,
      });
      const tone = node({
        type: "strategy_choice",
        question: "How is Ada greeted?",
        chosen: "loud",
        confidence: 0.9,
        rationale: "asked for by Ada",
        alternatives: [
          { id: "loud", description: "with capitals" },
          { id: "calm", description: "as usual" },
        ],
        sequence: 2,
        children: [ending],
      });
      const root = {
        type: "prompt_definition",
        question: "What is the plan prompt?",
        chosen: "Greets somebody else",
        confidence: 1,
        sequence: 1,
      };
      expect(tree).toEqual({
        plan_id,
        decision_root_id: tree.tree[0]?.decision_id,
        tree: [node({ ...root, children: [tone] })],
        child_plans: [],
        summary: { nodes: 3, depth: 3, superseded: 0, child_plans: 0 },
      });
      await client.call("_cleveragents/plan/cancel", { plan_id });
    });

    test("a plan that has decided nothing has an empty tree", async () => {
      expect(await world().client.call("_cleveragents/plan/tree", { plan_id: plan("manual") })).toEqual({
        plan_id: plan("manual"),
        decision_root_id: null,
        tree: [],
        child_plans: [],
        summary: { nodes: 0, depth: 0, superseded: 0, child_plans: 0 },
      });
    });

    refusals("_cleveragents/plan/tree", world, {
      InvalidParams: { "no plan": ({ client }) => client.call("_cleveragents/plan/tree", {} as never) },
      PlanNotFound: {
        "an unknown plan": ({ client }) => client.call("_cleveragents/plan/tree", { plan_id: "nope" }),
        "somebody else's plan": (w) =>
          w.as(NOBODY).client.call("_cleveragents/plan/tree", { plan_id: plan("gate") }),
      },
      Forbidden: {
        "a caller without task:read": (w) =>
          w.as("writer", ["task:write"]).client.call("_cleveragents/plan/tree", { plan_id: plan("gate") }),
      },
    });
  });

  describe("_cleveragents/plan/list", () => {
    test("shows the caller's plans, newest change first, with what they wait for", async () => {
      const caller = stranger(world());
      expect(await caller.client.call("_cleveragents/plan/list", {})).toEqual({
        plans: [],
        total: 0,
        next_page_token: "",
      });
      const older = await use(caller, "idle");
      await atRest(caller.client, older.plan_id);
      const newer = await use(caller, "touch");
      await atRest(caller.client, newer.plan_id);
      const item = (plan_id: string, action: string) => ({
        plan_id,
        phase: "strategize",
        state: "queued",
        task_state: "TASK_STATE_INPUT_REQUIRED",
        action,
        project: "local/demo",
        waiting_for: "start",
        created_at: aTime,
        updated_at: aTime,
      });
      const plans = [item(newer.plan_id, "local/touch"), item(older.plan_id, "local/idle")];
      expect(await caller.client.call("_cleveragents/plan/list", {})).toEqual({
        plans,
        total: 2,
        next_page_token: "",
      });
    });

    test("filters, counts what matches, and pages", async () => {
      const { client } = world();
      const list = (params: object) => client.call("_cleveragents/plan/list", params);
      const all = await list({});
      expect(all.plans.length).toBeGreaterThanOrEqual(5);
      expect(all.total).toBe(all.plans.length);
      const touching = await list({ action: "touch" });
      expect(touching.total).toBe(all.plans.filter(({ action }) => action === "local/touch").length);
      expect(touching.plans).toEqual(all.plans.filter(({ action }) => action === "local/touch"));
      expect(await list({ action: "touch", state: "applied" })).toMatchObject({
        total: 1,
        plans: [{ plan_id: plan("applied"), files_changed: 1 }],
      });
      expect(await list({ phase: "apply", action: "local/touch" })).toMatchObject({ total: 1 });
      expect(await list({ project: "gone" })).toEqual({ plans: [], total: 0, next_page_token: "" });
      for (const filter of [{}, { project: "demo" }]) {
        const paged: unknown[] = [];
        let page_token = "";
        do {
          const page = await list({ ...filter, page_size: 2, page_token });
          expect(page.total).toBe(all.total);
          paged.push(...page.plans);
          page_token = page.next_page_token;
        } while (page_token !== "");
        expect(paged).toEqual(all.plans);
      }
    });

    refusals("_cleveragents/plan/list", world, {
      InvalidParams: {
        "a phase that is none": ({ client }) =>
          client.call("_cleveragents/plan/list", { phase: "dream" as never }),
        "a page of none": ({ client }) => client.call("_cleveragents/plan/list", { page_size: 0 }),
        "a token that is not ours": ({ client }) =>
          client.call("_cleveragents/plan/list", { page_token: "nope" }),
      },
      Forbidden: {
        "a caller without task:read": (w) =>
          w.as("writer", ["task:write"]).client.call("_cleveragents/plan/list", {}),
      },
    });
  });
}
