import {
  type Decision,
  DecisionNotFoundError,
  type Plan,
  PlanStateError,
  stands,
} from "@cleveragents/domain";

/** The decision that is meant by an id, or by the name that a script gave it. Throws `DecisionNotFoundError`. */
export function decisionNamed(plan: Plan, named: string): Decision {
  const found =
    plan.decisions.find(({ decisionId }) => decisionId === named) ??
    plan.decisions.find((decision) => decision.label === named && stands(decision));
  if (found === undefined)
    throw new DecisionNotFoundError(
      plan.planId,
      named,
      plan.decisions.flatMap((decision) =>
        decision.label !== undefined && stands(decision) ? [decision.label] : [],
      ),
    );
  return found;
}

/** What the plan was asked to do. Throws `PlanStateError` before Strategize. */
export function rootOf(plan: Plan): Decision {
  const [root] = plan.decisions;
  if (root === undefined) throw new PlanStateError(plan.planId, plan.stage, "it has decided nothing yet");
  return root;
}

/** The decision that is to be corrected: the named one, else the newest that the plan has taken by itself, else the root. */
export function decisionToCorrect(plan: Plan, named: string | undefined): Decision {
  if (named !== undefined) {
    rootOf(plan);
    return decisionNamed(plan, named);
  }
  return plan.decisions.findLast((decision) => stands(decision) && OWN.has(decision.type)) ?? rootOf(plan);
}

const OWN: ReadonlySet<Decision["type"]> = new Set(["strategy_choice", "implementation_choice"]);
