import type { Decision, DecisionType, JsonObject, Plan, ScriptDecision } from "@cleveragents/domain";
import { holds, type ScriptScope } from "../script/expression.ts";
import { fill } from "../script/template.ts";
import { ask } from "./asking.ts";
import { assess } from "./assessing.ts";
import { startAsk } from "./gates.ts";
import { moved } from "./plan-document.ts";
import type { NamedEvent } from "./plan-writer.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** What expressions of this plan see now. */
export function scopeOf(plan: Plan): ScriptScope {
  const decisions = Object.fromEntries(
    plan.decisions.flatMap((d) =>
      d.label === undefined || d.supersededBy !== undefined ? [] : [[d.label, d.chosen]],
    ),
  );
  return {
    args: plan.arguments,
    decisions,
    results: plan.results,
    guidance: plan.guidance,
    attempt: plan.attempt,
  };
}

/** strategize/queued: begins, unless the profile wants a human to say so first. */
export async function beginStrategize(deps: PlanDeps, turn: Turn): Promise<TurnOutcome> {
  const { writer } = turn;
  let { plan } = turn;
  if (plan.startedAt === undefined) {
    const assessed = await assess(deps, plan, "strategize");
    plan = assessed.plan;
    if (!assessed.proceeds) return ask(deps, turn, plan, startAsk(plan, "strategize"));
  }
  const next = moved(
    { ...plan, startedAt: plan.startedAt ?? deps.clock.now() },
    { phase: "strategize", state: "processing" },
  );
  await writer.write(next, "working", [stageEvent(next)]);
  return "continue";
}

/** strategize/processing: takes every decision of the script, root first, and records each. */
export async function strategize(deps: PlanDeps, turn: Turn): Promise<TurnOutcome> {
  let plan = turn.plan;
  const events: NamedEvent[] = [];
  const record = (decision: Decision) => {
    plan = { ...plan, decisions: [...plan.decisions, decision] };
    events.push(decisionEvent(decision));
  };
  if (plan.decisions.length === 0) {
    record(
      newDecision(deps, plan, {
        type: "prompt_definition",
        parentId: null,
        question: "What is the plan prompt?",
        chosen: plan.description,
        confidence: 1,
      }),
    );
  }
  for (const declared of plan.script.decisions) {
    if (plan.decisions.some((d) => d.label === declared.id && d.supersededBy === undefined)) continue;
    record(decide(deps, plan, declared, "strategize"));
  }
  plan = moved(plan, { phase: "strategize", state: "complete" });
  await turn.writer.write(plan, "working", [...events, stageEvent(plan)]);
  return "continue";
}

/** strategize/complete: goes on to Execute where the profile is confident enough, else asks. */
export async function leaveStrategize(deps: PlanDeps, turn: Turn): Promise<TurnOutcome> {
  const { plan, proceeds } = await assess(deps, turn.plan, "execute");
  if (!proceeds) return ask(deps, turn, plan, startAsk(plan, "execute"));
  const next = moved(plan, { phase: "execute", state: "queued" });
  await turn.writer.write(next, "working", [stageEvent(next)]);
  return "continue";
}

/** The choice of a declared decision in the plan's present scope. Throws `ExpressionError` for a bad condition. */
export function decide(
  deps: Pick<PlanDeps, "clock" | "ids">,
  plan: Plan,
  declared: ScriptDecision,
  phase: Decision["phase"],
): Decision {
  const scope = scopeOf(plan);
  const choice = declared.choose.find(
    (candidate) => candidate.when === undefined || holds(candidate.when, scope),
  );
  if (choice === undefined) throw new Error("the schema guarantees a last choice without condition");
  const parent =
    declared.parent === undefined
      ? undefined
      : plan.decisions.find((d) => d.label === declared.parent && d.supersededBy === undefined);
  return newDecision(
    deps,
    plan,
    {
      type: phase === "strategize" ? "strategy_choice" : "implementation_choice",
      parentId: (parent ?? plan.decisions[0])?.decisionId ?? null,
      label: declared.id,
      question: String(fill(declared.question, scope)),
      chosen: choice.choice,
      confidence: choice.confidence,
      alternatives: declared.alternatives,
      ...(choice.rationale === undefined ? {} : { rationale: String(fill(choice.rationale, scope)) }),
    },
    phase,
  );
}

function newDecision(
  deps: Pick<PlanDeps, "clock" | "ids">,
  plan: Plan,
  fields: Pick<Decision, "question" | "chosen" | "confidence" | "parentId" | "label" | "rationale"> & {
    type: DecisionType;
    alternatives?: Decision["alternatives"];
  },
  phase: Decision["phase"] = "strategize",
): Decision {
  const context: JsonObject = { arguments: plan.arguments, guidance: [...plan.guidance] };
  return {
    alternatives: [],
    ...fields,
    decisionId: deps.ids.next(),
    planId: plan.planId,
    sequence: plan.decisions.length + 1,
    phase,
    attempt: plan.attempt,
    createdAt: deps.clock.now(),
    context,
  };
}

export function decisionEvent(decision: Decision): NamedEvent {
  const { decisionId, label, type, question, chosen, confidence, attempt } = decision;
  return {
    key: `a${attempt}:decision:${label ?? "root"}`,
    name: "decision.created",
    data: {
      decision_id: decisionId,
      type,
      question,
      chosen,
      confidence,
      ...(label === undefined ? {} : { label }),
    },
  };
}

export function stageEvent(plan: Plan, more: JsonObject = {}): NamedEvent {
  const { phase, state } = plan.stage;
  return {
    key: `a${plan.attempt}:${phase}:${state}`,
    name: state === "queued" ? "plan.phase_changed" : "plan.state_changed",
    data: { phase, state, ...more },
  };
}
