import type { Decision, JsonObject, Plan } from "@cleveragents/domain";
import { ask } from "./asking.ts";
import { assess } from "./assessing.ts";
import { decisionEvent, rootDecision } from "./deciding.ts";
import { sourceOf } from "./decision-source.ts";
import { tellEstimate } from "./estimating.ts";
import { fail } from "./failing.ts";
import { startAsk } from "./gates.ts";
import { makeSandbox } from "./make-sandbox.ts";
import { moved } from "./plan-document.ts";
import type { NamedEvent } from "./plan-writer.ts";
import { preflight, reject } from "./preflight.ts";
import { withInvariants } from "./reconciling.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** strategize/queued: begins, unless the profile wants a human to say so first. */
export async function beginStrategize(deps: PlanDeps, turn: Turn): Promise<TurnOutcome> {
  const { writer } = turn;
  let { plan } = turn;
  if (plan.startedAt === undefined) {
    const assessed = await assess(deps, plan, "strategize");
    plan = assessed.plan;
    if (!assessed.proceeds) return ask(deps, turn, plan, startAsk(plan, "strategize"));
  }
  const problems = await preflight(deps, plan);
  if (problems.length > 0) return reject(deps, { ...turn, plan }, problems);
  const next = moved(
    { ...plan, startedAt: plan.startedAt ?? deps.clock.now() },
    { phase: "strategize", state: "processing" },
  );
  await writer.write(next, "working", [stageEvent(next)]);
  return "continue";
}

/** strategize/processing: takes every decision, root first, and records each. */
export async function strategize(deps: PlanDeps, turn: Turn): Promise<TurnOutcome> {
  let plan = turn.plan;
  const source = sourceOf(deps, plan, "strategy");
  if (source.looks === true && plan.sandbox === undefined) return makeSandbox(deps, turn);
  const events: NamedEvent[] = [];
  const record = (decision: Decision) => {
    plan = { ...plan, decisions: [...plan.decisions, decision] };
    events.push(decisionEvent(decision));
  };
  if (plan.decisions.length === 0) record(await rootDecision(deps, plan));
  const held = await withInvariants(deps, plan);
  plan = held.plan;
  held.decisions.forEach(record);
  events.push(...held.events);
  const decided = await source.strategize(deps, { ...turn, plan }, (of, decision) => {
    events.push(decisionEvent(decision));
    return { ...of, decisions: [...of.decisions, decision] };
  });
  events.push(...(decided.events ?? []));
  if (decided.failure !== undefined) return fail(deps, turn, decided.plan, decided.failure, [], events);
  if (decided.ask !== undefined) return ask(deps, turn, decided.plan, decided.ask, events);
  if (decided.more === true) {
    await turn.writer.write(decided.plan, "working", events);
    return "continue";
  }
  plan = moved(decided.plan, { phase: "strategize", state: "complete" });
  await turn.writer.write(plan, "working", [...events, stageEvent(plan)]);
  return "continue";
}

/** strategize/complete: goes on to Execute where the profile is confident enough, else asks. */
export async function leaveStrategize(deps: PlanDeps, turn: Turn): Promise<TurnOutcome> {
  const estimated = await tellEstimate(deps, turn);
  if (estimated !== undefined) return estimated;
  const { plan, proceeds } = await assess(deps, turn.plan, "execute");
  // Who has let another plan start it has let it be carried out.
  if (!proceeds && plan.parent === undefined) return ask(deps, turn, plan, startAsk(plan, "execute"));
  const next = moved(plan, { phase: "execute", state: "queued" });
  await turn.writer.write(next, "working", [stageEvent(next)]);
  return "continue";
}

export function stageEvent(plan: Plan, more: JsonObject = {}): NamedEvent {
  const { phase, state } = plan.stage;
  return {
    key: `a${plan.attempt}:${phase}:${state}`,
    name: state === "queued" ? "plan.phase_changed" : "plan.state_changed",
    data: { phase, state, ...more },
  };
}
