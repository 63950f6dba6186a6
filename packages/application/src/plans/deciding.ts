import type { Decision, Plan, ScriptDecision } from "@cleveragents/domain";
import { holds } from "../script/expression.ts";
import { referencesOf } from "../script/references.ts";
import { fill } from "../script/template.ts";
import { compact } from "../wire/message.ts";
import { contextOf, scopeOf, type TriedCondition } from "./decision-context.ts";
import { decisionsBehind, expressionsOfDecision, standing } from "./decision-links.ts";
import type { NamedEvent } from "./plan-writer.ts";
import type { PlanDeps } from "./turn.ts";

type Deps = Pick<PlanDeps, "clock" | "ids">;

/** What a decision is about; the rest of it is when and by whom it is taken. */
export type DecisionDraft = Pick<Decision, "type" | "question" | "chosen" | "parentId" | "context"> &
  Partial<
    Pick<
      Decision,
      | "decisionId"
      | "label"
      | "alternatives"
      | "confidence"
      | "rationale"
      | "dependsOn"
      | "step"
      | "subplan"
      | "corrects"
      | "phase"
    >
  >;

export function newDecision({ clock, ids }: Deps, plan: Plan, draft: DecisionDraft): Decision {
  return {
    alternatives: [],
    confidence: 1,
    phase: "strategize",
    decisionId: draft.decisionId ?? ids.next(),
    ...draft,
    planId: plan.planId,
    sequence: plan.decisions.length + 1,
    attempt: plan.attempt,
    createdAt: clock.now(),
  };
}

/** The first decision of a plan: what it was asked to do. Everything else hangs on it. */
export async function rootDecision(deps: Deps, plan: Plan): Promise<Decision> {
  return newDecision(deps, plan, {
    type: "prompt_definition",
    parentId: null,
    question: "What is the plan prompt?",
    chosen: plan.description,
    context: await contextOf(plan),
  });
}

/**
 * The choice of a declared decision in the plan's present scope, with what it was taken by. `step` is the step that
 * takes it, if one does. Throws `ExpressionError` for a bad condition.
 */
export async function decide(
  deps: Deps,
  plan: Plan,
  declared: ScriptDecision,
  step?: number,
): Promise<Decision> {
  const scope = scopeOf(plan);
  const tried: TriedCondition[] = [];
  const choice = declared.choose.find(({ when, choice: chosen }) => {
    const held = when === undefined || holds(when, scope);
    tried.push({ choice: chosen, when: when ?? null, held });
    return held;
  });
  if (choice === undefined) throw new Error("the schema guarantees a last choice without condition");
  const behind = decisionsBehind(plan, declared, step);
  return newDecision(deps, plan, {
    type: step === undefined ? "strategy_choice" : "implementation_choice",
    phase: step === undefined ? "strategize" : "execute",
    parentId: parentOf(plan, declared)?.decisionId ?? null,
    label: declared.id,
    question: String(fill(declared.question, scope)),
    chosen: choice.choice,
    confidence: choice.confidence,
    alternatives: declared.alternatives,
    context: await contextOf(plan, referencesOf(expressionsOfDecision(declared)), tried),
    ...compact({
      rationale: choice.rationale === undefined ? undefined : String(fill(choice.rationale, scope)),
      dependsOn: behind.length === 0 ? undefined : behind,
      step,
    }),
  });
}

/** The decision that another one hangs on: what it was corrected by, else its declared parent, else the root. */
function parentOf(plan: Plan, { id, parent }: ScriptDecision): Decision | undefined {
  const labels = new Map(plan.decisions.map(({ decisionId, label }) => [decisionId, label]));
  const now = standing(plan);
  return (
    now.findLast(({ corrects }) => corrects !== undefined && labels.get(corrects) === id) ??
    now.find(({ label }) => parent !== undefined && label === parent) ??
    plan.decisions[0]
  );
}

export function decisionEvent(decision: Decision): NamedEvent {
  const { decisionId, label, type, question, chosen, confidence, corrects } = decision;
  return {
    // A decision is written down in the commit that takes it, so that its id is as sure as the commit.
    key: `decision:${decisionId}`,
    name: "decision.created",
    data: {
      decision_id: decisionId,
      type,
      question,
      chosen,
      confidence,
      ...compact({ label, corrects }),
    },
  };
}
