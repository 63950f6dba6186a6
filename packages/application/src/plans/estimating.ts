import type { Estimate, JsonObject, Plan } from "@cleveragents/domain";
import { z } from "zod";
import type { TaskStore } from "../ports/task-store.ts";
import { type AdviceRequest, sourceOf } from "./decision-source.ts";
import { planOf } from "./plan-document.ts";
import type { NamedEvent } from "./plan-writer.ts";
import { toolOfStep } from "./script-steps.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** Earlier plans that are looked at, newest first. */
const REMEMBERED = 50;
/** Of a repeated number of calls at most so many are counted apart. */
const PLACES = 1000;

/** Says what the plan will take, if its action wants to know and nobody has said it yet; undefined where it is said. */
export async function tellEstimate(deps: PlanDeps, turn: Turn): Promise<TurnOutcome | undefined> {
  const { plan, writer } = turn;
  if (plan.estimator === undefined || plan.estimate !== undefined) return undefined;
  const known = await estimate(deps.store, plan);
  if (plan.sources?.estimation === undefined) return told(known);
  const advisor = sourceOf(deps, plan, "estimation");
  const material =
    known.basedOn === 0 ? "" : `What earlier plans of this action took:\n${JSON.stringify(known)}`;
  const advice = await advisor.advise?.(deps, turn, {
    role: "estimation",
    about: "",
    material,
    facts: known.basedOn === 0 ? {} : { earlier: JSON.parse(JSON.stringify(known)) },
    form: FORM,
  });
  const by = plan.sources.estimation.actor;
  // Nothing is decided by it: where nobody says it, the plan goes on without.
  if (advice === undefined) return told({ ...known, unanswered: `${by} gives no estimates` });
  if (advice.ask?.kind === "budget")
    return told({ ...known, unanswered: "the budget does not allow for it" });
  if (advice.ask !== undefined)
    return told(
      { ...known, unanswered: `${by} asks something first: ${advice.ask.prompt}` },
      advice.plan,
      advice.events,
    );
  if (advice.failure !== undefined)
    return told({ ...known, unanswered: advice.failure.message }, advice.plan, advice.events);
  if (advice.answer !== undefined)
    return told({ ...known, ...fromAnswer(advice.answer), by }, advice.plan, advice.events);
  await writer.write(advice.plan, "working", advice.events);
  return "continue";

  async function told(
    made: Estimate,
    of: Plan = plan,
    events: readonly NamedEvent[] = [],
  ): Promise<"continue"> {
    await writer.write({ ...of, estimate: made }, "working", [...events, estimatedEvent(of, made)]);
    return "continue";
  }
}

const Range = z.object({ min: z.number().min(0), max: z.number().min(0) });
const Answer = z.object({
  steps: z.number().int().min(0).max(10_000),
  tool_calls: Range,
  seconds: Range.optional().describe("Time that the work takes"),
  tokens: Range.optional().describe("Tokens of models"),
  child_plans: z.number().int().min(0).max(1000).default(0),
  risk: z.enum(["low", "medium", "high"]),
  rationale: z.string().min(1).max(4000),
});

const FORM: AdviceRequest["form"] = {
  name: "submit_estimate",
  description: "Hand in what the work will take. Call it once.",
  schema: Answer as unknown as z.ZodType<JsonObject>, // what it lets through is plain JSON
  problem: (value) =>
    ["tool_calls", "seconds", "tokens"].flatMap((field) => {
      const range = value[field] as z.output<typeof Range> | undefined;
      return range !== undefined && range.min > range.max ? [`${field}.min is more than ${field}.max`] : [];
    })[0],
};

function fromAnswer(answer: JsonObject): Partial<Estimate> {
  const { steps, tool_calls, child_plans, risk, seconds, tokens, rationale } = Answer.parse(answer);
  return {
    steps,
    toolCalls: tool_calls,
    childPlans: child_plans,
    risk,
    rationale,
    ...(seconds === undefined ? {} : { seconds }),
    ...(tokens === undefined ? {} : { tokens }),
  };
}

/**
 * What a plan will take, by what its script says and what earlier plans of its action have taken. It is for people:
 * nothing is decided by it, and what nobody knows is absent.
 */
async function estimate(store: Pick<TaskStore, "list">, plan: Plan): Promise<Estimate> {
  const { rows } = await store.list({
    principal: plan.principal,
    kind: "plan",
    states: ["completed"],
    limit: REMEMBERED,
  });
  const used = rows
    .map(planOf)
    .filter(({ action, planId }) => action === plan.action && planId !== plan.planId)
    .flatMap(({ guarding }) => guarding?.spending.used ?? []);
  const calls = plan.script.steps.filter((step) => toolOfStep(step) !== undefined);
  const surely = calls.filter(({ when }) => when === undefined).length;
  const range = (kind: "seconds" | "tokens" | "cost_usd") => {
    const amounts = used.flatMap((amount) => (amount[kind] === undefined ? [] : [amount[kind]]));
    if (amounts.length === 0) return {};
    return { [kind]: { min: rounded(Math.min(...amounts)), max: rounded(Math.max(...amounts)) } };
  };
  const deletions = plan.script.steps.filter(({ kind }) => kind === "delete").length;
  const commands = plan.script.steps.filter(({ kind }) => kind === "run").length;
  return {
    steps: plan.script.steps.length,
    toolCalls: { min: surely, max: calls.length },
    checks: (plan.checks ?? []).filter(({ probe }) => probe !== undefined).length,
    childPlans: 0,
    risk: commands > 0 ? "medium" : deletions > 0 ? "medium" : "low",
    basedOn: used.length,
    ...range("seconds"),
    ...range("tokens"),
    ...range("cost_usd"),
  };
}

function estimatedEvent(plan: Plan, made: Estimate): NamedEvent {
  const { toolCalls, childPlans, basedOn, ...rest } = made;
  return {
    key: `a${plan.attempt}:estimated`,
    name: "plan.estimated",
    data: { ...rest, tool_calls: { ...toolCalls }, child_plans: childPlans, based_on: basedOn },
  };
}

function rounded(value: number): number {
  return Math.round(value * PLACES) / PLACES;
}
