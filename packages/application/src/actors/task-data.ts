import type { ActorRole, JsonObject, Plan } from "@cleveragents/domain";
import { standing } from "../plans/decision-links.ts";

/** Media type of what a program elsewhere is told of a task: `docs/guides/remote-agents.md`. */
export const TASK_MEDIA_TYPE = "application/vnd.cleveragents.task+json";

/** What a plan is about, for programs: the same as `taskText` says in words. */
export function taskData(plan: Plan, role: ActorRole, more: JsonObject = {}): JsonObject {
  const invariants = plan.reconciled?.effective ?? plan.invariants ?? [];
  const done = (plan.checks ?? []).filter(({ kind }) => kind === "definition_of_done");
  const taken = standing(plan).filter(({ type }) => TOLD.has(type));
  return {
    type: "task",
    role,
    plan_id: plan.planId,
    project: plan.project.name,
    description: plan.description,
    arguments: plan.arguments,
    done_when: done.map(({ text, name }) => text ?? name),
    invariants: invariants.map(({ id, text }) => ({ id, text })),
    decisions: taken.map(({ question, chosen, rationale }) => ({
      question,
      choice: chosen,
      ...(rationale === undefined ? {} : { rationale }),
    })),
    guidance: [...plan.guidance],
    ...more,
  };
}

const TOLD: ReadonlySet<string> = new Set(["strategy_choice", "implementation_choice", "user_intervention"]);
