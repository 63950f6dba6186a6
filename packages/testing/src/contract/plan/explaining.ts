import { describe, expect, test } from "vitest";
import { atRest } from "../../world/index.ts";
import { anId, aTime } from "../matchers.ts";
import { refusals } from "../refusals.ts";
import { NOBODY, type PreparedPlans } from "./fixtures.ts";

/** Writes into a folder: two files that hang on decisions, one that hangs on none. Guidance changes the wording. */
export const worded = (folder: string) => `
name: worded-${folder}
description: Greets in writing
definition_of_done: there is a greeting
arguments: [{ name: who, default: Ada }]
invariants: [Only text files]
script:
  decisions:
    - id: wording
      question: "How is {{ args.who }} greeted?"
      alternatives: [{ id: formal, description: Good day }, { id: friendly }]
      choose:
        - { when: 'guidance.exists(g, g.contains("formal"))', choice: formal, confidence: 0.9, rationale: you asked for it }
        - { choice: friendly, confidence: 0.8, rationale: as always }
    - id: mark
      parent: wording
      question: What comes at the end?
      choose: [{ when: 'decisions.wording == "formal"', choice: dot }, { choice: bang }]
  steps:
    - write: { path: ${folder}/about.txt, content: "plain\\n" }
    - write: { path: ${folder}/greeting.txt, content: "{{ decisions.wording }} {{ args.who }}\\n" }
    - write: { path: ${folder}/mark.txt, content: "{{ decisions.mark }}\\n" }
`;

export function planExplain({ world, plan }: PreparedPlans): void {
  describe("_cleveragents/plan/explain", () => {
    test("tells alternatives, reason, what was known, and what hangs on the decision, also once it is applied", async () => {
      const { client } = world();
      await client.call("_cleveragents/registry/action/add", { document: worded("explained"), update: true });
      const { plan_id } = await client.call("_cleveragents/plan/use", {
        action_name: "worded-explained",
        project: "demo",
        automation_profile: "trusted",
      });
      await atRest(client, plan_id);
      const wording = await client.call("_cleveragents/plan/explain", { plan_id, decision_id: "wording" });
      const added = (path: string, line: string) => ({
        path,
        status: "added",
        change: "+1 -0",
        insertions: 1,
        deletions: 0,
        in_changeset: true,
        hunks: [{ old_start: 0, old_lines: 0, new_start: 1, new_lines: 1, lines: [`+${line}`] }],
        truncated: false,
      });
      const mark = {
        decision_id: anId,
        type: "strategy_choice",
        question: "What comes at the end?",
        chosen: "bang",
      };
      expect(wording).toEqual({
        plan_id,
        decision_id: anId,
        type: "strategy_choice",
        label: "wording",
        question: "How is Ada greeted?",
        chosen: "friendly",
        phase: "strategize",
        attempt: 1,
        sequence: expect.any(Number),
        total: expect.any(Number),
        parent: anId,
        confidence: 0.8,
        rationale: "as always",
        alternatives: [
          { index: 0, id: "formal", description: "Good day", chosen: false },
          { index: 1, id: "friendly", description: "", chosen: true },
        ],
        alternatives_considered: ["formal"],
        invariants_considered: [expect.objectContaining({ text: "Only text files" })],
        created_at: aTime,
        is_correction: false,
        superseded: false,
        supersedes: [],
        context_snapshot: expect.objectContaining({
          hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
          prompt: "Greets in writing",
          arguments: { who: "Ada" },
          guidance: [],
          decisions: {},
          conditions: [
            { choice: "formal", when: expect.stringContaining("guidance"), held: false },
            { choice: "friendly", when: null, held: true },
          ],
        }),
        impact: {
          downstream_decisions: [mark],
          downstream_child_plans: [],
          steps: [expect.objectContaining({ index: 1, status: "done" })],
          files: [added("explained/greeting.txt", "friendly Ada")],
          tool_calls: { sandboxed: 1, compensable: 0, irreversible: 0 },
          events: expect.arrayContaining([
            { seq: expect.any(Number), event: "decision.created", at: aTime },
            { seq: expect.any(Number), event: "tool.invoked", at: aTime },
          ]),
          events_truncated: false,
        },
        ...(wording.correction_hint === undefined ? {} : { correction_hint: expect.any(String) }),
      });

      const root = await client.call("_cleveragents/plan/explain", { plan_id });
      expect(root).toMatchObject({ type: "prompt_definition", parent: null, sequence: 1 });
      expect(root.impact.files.map(({ path }) => path)).toEqual(["explained/about.txt"]);
      const leaf = await client.call("_cleveragents/plan/explain", {
        plan_id,
        decision_id: firstBelow(wording),
      });
      expect(leaf).toMatchObject({ label: "mark", parent: wording.decision_id });
      expect(leaf.impact.files.map(({ path }) => path)).toEqual(["explained/mark.txt"]);

      await client.call("_cleveragents/plan/apply", { plan_id });
      const later = await client.call("_cleveragents/plan/explain", { plan_id, decision_id: "wording" });
      expect(later.impact.files).toEqual(wording.impact.files);
    });

    refusals("_cleveragents/plan/explain", world, {
      InvalidParams: { "no plan": ({ client }) => client.call("_cleveragents/plan/explain", {} as never) },
      PlanNotFound: {
        "an unknown plan": ({ client }) => client.call("_cleveragents/plan/explain", { plan_id: "nope" }),
        "somebody else's plan": (w) =>
          w.as(NOBODY).client.call("_cleveragents/plan/explain", { plan_id: plan("gate") }),
      },
      EntryNotFound: {
        "a decision that is none": {
          reason: "DECISION_NOT_FOUND",
          attempt: ({ client }) =>
            client.call("_cleveragents/plan/explain", { plan_id: plan("gate"), decision_id: "nope" }),
        },
      },
      InvalidState: {
        "a plan that has decided nothing": ({ client }) =>
          client.call("_cleveragents/plan/explain", { plan_id: plan("manual") }),
      },
      Forbidden: {
        "a caller without task:read": (w) =>
          w.as("writer", ["task:write"]).client.call("_cleveragents/plan/explain", { plan_id: plan("gate") }),
      },
    });
  });
}

function firstBelow({
  impact,
}: {
  readonly impact: { readonly downstream_decisions: readonly { readonly decision_id: string }[] };
}): string {
  return impact.downstream_decisions[0]?.decision_id ?? "";
}
