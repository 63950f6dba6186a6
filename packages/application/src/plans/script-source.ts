import type { Plan } from "@cleveragents/domain";
import { asChosen, decisionAsk } from "./asking-decisions.ts";
import { decide } from "./deciding.ts";
import type { DecisionSource } from "./decision-source.ts";
import { runStep } from "./run-step.ts";
import { adviceProblems, adviseWithScript } from "./script-advice.ts";
import { stepLabel } from "./script-steps.ts";

/** Plans whose actors are scripts: what is decided, and what is done, stands in them. */
export const scriptSource: DecisionSource = {
  kind: "script",
  problems: adviceProblems,

  async strategize(deps, turn, record) {
    let plan: Plan = turn.plan;
    for (const declared of plan.script.decisions) {
      if (plan.decisions.some((d) => d.label === declared.id && d.supersededBy === undefined)) continue;
      const decision = await decide(deps, plan, declared);
      const asked = decisionAsk(plan, decision);
      if (asked !== undefined) return { plan, ask: asked };
      plan = record(plan, asChosen(plan, decision));
    }
    return { plan };
  },

  steps: ({ script }) =>
    script.steps.map((step, index) => ({
      index,
      kind: step.kind,
      label: stepLabel(step),
      status: "pending",
    })),

  async next(deps, turn, sandbox) {
    const step = turn.plan.steps.find(({ status }) => status === "pending" || status === "running");
    return step === undefined ? undefined : runStep(deps, turn, sandbox, step);
  },

  advise: adviseWithScript,
};
