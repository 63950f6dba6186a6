import { type Decision, type JsonValue, type Plan, type ScriptDecision, stands } from "@cleveragents/domain";
import { type References, referencesOf } from "../script/references.ts";
import { expressionsOf } from "../script/template.ts";

/** The decisions of a plan that count. */
export function standing({ decisions }: Pick<Plan, "decisions">): readonly Decision[] {
  return decisions.filter(stands);
}

/**
 * Ids of the decisions that a step hangs on: those that its expressions look at, also by way of the results of other
 * steps, and what the user has said where it looks at guidance. A step that looks at none hangs on the root.
 */
export function decisionsOfStep(plan: Plan, index: number): readonly string[] {
  const found = lookedAt(plan, expressionsOfStep(plan, index), index, new Set([index]));
  const [root] = plan.decisions;
  return found.length > 0 || root === undefined ? found : [root.decisionId];
}

/** Ids of the decisions that one follows from besides its parent. `before` is the step that takes it, if one does. */
export function decisionsBehind(plan: Plan, declared: ScriptDecision, before?: number): readonly string[] {
  const last = before ?? 0;
  return lookedAt(plan, expressionsOfDecision(declared), last, new Set(before === undefined ? [] : [before]));
}

export function expressionsOfDecision({ choose, question }: ScriptDecision): readonly string[] {
  return [
    ...expressionsOf(question),
    ...choose.flatMap(({ when, rationale }) => [
      ...(when === undefined ? [] : [when]),
      ...(rationale === undefined ? [] : expressionsOf(rationale)),
    ]),
  ];
}

function expressionsOfStep(plan: Plan, index: number): readonly string[] {
  const step = plan.script.steps[index];
  if (step === undefined) return [];
  return [
    ...(step.when === undefined ? [] : [step.when]),
    ...(step.kind === "decide"
      ? expressionsOfDecision(step.value)
      : expressionsOf(step.value as unknown as JsonValue)),
  ];
}

function lookedAt(
  plan: Plan,
  expressions: readonly string[],
  before: number,
  seen: Set<number>,
): readonly string[] {
  const references = referencesOf(expressions);
  const ids = new Set(
    standing(plan).flatMap((decision) => (isMeant(decision, references) ? [decision.decisionId] : [])),
  );
  for (const index of stepsMeant(plan, references, before)) {
    if (seen.has(index)) continue;
    seen.add(index);
    for (const id of lookedAt(plan, expressionsOfStep(plan, index), index, seen)) ids.add(id);
  }
  return plan.decisions.flatMap(({ decisionId }) => (ids.has(decisionId) ? [decisionId] : []));
}

function isMeant({ type, label }: Decision, { decisions, guidance }: References): boolean {
  if (type === "user_intervention") return guidance;
  return label !== undefined && (decisions === "all" || decisions.has(label));
}

/** Steps whose results are looked at; those that come later have none yet. */
function stepsMeant(plan: Plan, { results }: References, before: number): readonly number[] {
  return plan.script.steps.flatMap(({ name }, index) =>
    index < before && name !== undefined && (results === "all" || results.has(name)) ? [index] : [],
  );
}
