import type { JsonObject, Plan, PlanStage, TaskState } from "@cleveragents/domain";

export const LOST_TEXT =
  "The database was damaged, and what this plan knew of itself was lost: it cannot go on. Its log and the project are as they were; use the action again.";

/** How a plan stands whose task has ended. */
const STAGES: Partial<Record<TaskState, PlanStage>> = {
  completed: { phase: "apply", state: "applied" },
  canceled: { phase: "strategize", state: "cancelled" },
  rejected: { phase: "strategize", state: "rejected" },
};

/** What can still be said of a plan whose document is lost: it is over. */
export function endedPlan(known: {
  readonly planId: string;
  readonly contextId: string;
  readonly principal: string;
  readonly state: TaskState;
  /** What its log says of its beginning. */
  readonly created: JsonObject;
  readonly createdAt: number;
  readonly at: number;
}): Plan {
  const { planId, contextId, principal, state, created, createdAt, at } = known;
  const stage = STAGES[state] ?? { phase: "strategize", state: "failed" };
  return {
    planId,
    contextId,
    principal,
    action: textOf(created["action"]),
    description: LOST_TEXT,
    project: { name: textOf(created["project"]), path: "" },
    arguments: {},
    actors: { strategy: null, execution: null },
    script: { decisions: [], steps: [] },
    profile: { name: textOf(created["automation_profile"]), source: "lost" },
    stage,
    attempt: 1,
    steps: [],
    results: {},
    guidance: [],
    decisions: [],
    ...(stage.state === "failed" && {
      failure: { reason: "PLAN_DATA_LOST", message: LOST_TEXT, recoverable: false },
    }),
    toolCalls: 0,
    createdAt,
    finishedAt: at,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "unknown";
}
