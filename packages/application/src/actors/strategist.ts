import type { Decision, JsonObject, Plan, SaidCall, SubmittedStrategy } from "@cleveragents/domain";
import { asChosen, decisionAsk } from "../plans/asking-decisions.ts";
import { newDecision } from "../plans/deciding.ts";
import { contextOf } from "../plans/decision-context.ts";
import type { DecisionSource } from "../plans/decision-source.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import { codeNow } from "./code-now.ts";
import { look } from "./looking.ts";
import { actorOf, conversationOf, type Mind, type MindDeps, withCall, withConversation } from "./mind.ts";
import { offeredTools } from "./offered-tools.ts";
import { submitStrategyTool } from "./submit-strategy.ts";
import { taskText } from "./task-text.ts";
import { askModel, hearModel, type Thought } from "./thinking.ts";

type Record = Parameters<DecisionSource["strategize"]>[2];
type Step = Awaited<ReturnType<DecisionSource["strategize"]>>;

/** One thing in Strategize: a request, an answer, a look at the project, or the decisions that were handed in. */
export async function strategizeWithModel(
  minds: MindDeps,
  deps: PlanDeps,
  turn: Turn,
  record: Record,
): Promise<Step> {
  const known = turn.plan.conversations?.strategy;
  // What was thought in another attempt led to what was taken back.
  const plan = known?.attempt === turn.plan.attempt ? turn.plan : anew(turn.plan);
  const conversation = conversationOf(plan, "strategy");
  if (conversation.submitted !== undefined)
    return decideAll(deps, plan, conversation.submitted, record, {
      model: actorOf(plan, "strategy").model,
    });
  const open = conversation.turns.at(-1)?.calls.find(({ result }) => result === undefined);
  if (open !== undefined) return asStep(await look(deps, { ...turn, plan }, "strategy", open));
  const mind = await mindOf(minds, deps, plan);
  const all = { ...minds, ...deps };
  if (conversation.pending === undefined)
    return asStep(await askModel(all, plan, mind, await codeNow(all, { ...turn, plan }, mind)));
  const thought = await hearModel(all, { ...turn, plan }, mind);
  return asStep({ ...thought, plan: withSubmission(thought.plan) });
}

function anew(plan: Plan): Plan {
  const { asked = 0, ratio } = plan.conversations?.strategy ?? {};
  return withConversation(plan, "strategy", {
    attempt: plan.attempt,
    asked,
    turns: [],
    mistakes: 0,
    ...(ratio === undefined ? {} : { ratio }),
  });
}

function asStep({ plan, events, ask, failure }: Thought): Step {
  if (failure !== undefined) return { plan, events, failure };
  return ask === undefined ? { plan, events, more: true } : { plan, events, ask };
}

async function mindOf({ prompts }: MindDeps, { tools }: PlanDeps, plan: Plan): Promise<Mind> {
  const actor = actorOf(plan, "strategy");
  const offered = offeredTools(tools.list(), actor, plan, true);
  const prompt = await prompts.of("strategy", actor.compact);
  return {
    role: "strategy",
    actor,
    offered,
    own: [submitStrategyTool],
    brief: {
      system: actor.system_prompt === undefined ? prompt : `${prompt}\n\n${actor.system_prompt}`,
      task: taskText(plan, true),
      tools: [...offered.tools, submitStrategyTool.offered],
      guidance: plan.guidance,
    },
  };
}

/** What was handed in and holds together is what is decided. */
function withSubmission(plan: Plan): Plan {
  const conversation = conversationOf(plan, "strategy");
  const isIt = ({ tool, result }: SaidCall) => tool === submitStrategyTool.name && result === undefined;
  const call = conversation.turns.at(-1)?.calls.find(isIt);
  if (call === undefined) return plan;
  const submitted = submitStrategyTool.input.parse(call.args) as unknown as SubmittedStrategy; // it has passed once
  return withConversation(plan, "strategy", {
    ...withCall(
      conversation,
      ({ id }) => id === call.id,
      (said) => ({ ...said, result: { text: "Taken." } }),
    ),
    submitted,
  });
}

/** Every decision that was handed in, as far as nobody has to be asked. */
export async function decideAll(
  deps: PlanDeps,
  before: Plan,
  { decisions }: SubmittedStrategy,
  record: Record,
  /** Who has handed it in. */
  by: JsonObject,
): Promise<Step> {
  let plan = before;
  for (const { id, question, alternatives, choice, confidence, rationale } of decisions) {
    if (plan.decisions.some((known) => known.label === id && known.supersededBy === undefined)) continue;
    const decision: Decision = newDecision(deps, plan, {
      type: "strategy_choice",
      phase: "strategize",
      parentId: parentOf(plan, id),
      label: id,
      question,
      chosen: choice,
      alternatives: [...alternatives],
      confidence,
      rationale,
      context: { ...(await contextOf(plan)), ...by },
    });
    const ask = decisionAsk(plan, decision);
    if (ask !== undefined) return { plan, ask };
    plan = record(plan, asChosen(plan, decision));
  }
  return { plan };
}

/** What it was corrected by, else the root. */
function parentOf({ decisions }: Plan, label: string): string | null {
  const labels = new Map(decisions.map((decision) => [decision.decisionId, decision.label]));
  const correction = decisions.findLast(
    ({ corrects, supersededBy }) =>
      supersededBy === undefined && corrects !== undefined && labels.get(corrects) === label,
  );
  return (correction ?? decisions[0])?.decisionId ?? null;
}
