import type {
  Conversation,
  Decision,
  Plan,
  PlanStep,
  SaidCall,
  SubmittedStrategy,
} from "@cleveragents/domain";
import { asChosen, decisionAsk } from "../plans/asking-decisions.ts";
import { newDecision } from "../plans/deciding.ts";
import { contextOf } from "../plans/decision-context.ts";
import type { DecisionSource } from "../plans/decision-source.ts";
import { charged, exceededEvent, factsOf, guardEvent, settled } from "../plans/guarding-call.ts";
import type { NamedEvent } from "../plans/plan-writer.ts";
import { environmentOf } from "../plans/run-step.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import { budgetDraft } from "./budget-draft.ts";
import {
  actorOf,
  conversationOf,
  type Mind,
  type MindDeps,
  shownOf,
  withCall,
  withConversation,
} from "./mind.ts";
import { offeredTools } from "./offered-tools.ts";
import { strategyProblem, submitStrategyTool } from "./submit-strategy.ts";
import { taskText } from "./task-text.ts";
import { askModel, hearModel, type Thought } from "./thinking.ts";
import { outcomeText } from "./tool-text.ts";

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
  if (conversation.submitted !== undefined) return decideAll(deps, plan, conversation.submitted, record);
  const open = conversation.turns.at(-1)?.calls.find(({ result }) => result === undefined);
  if (open !== undefined) return look(deps, { ...turn, plan }, open);
  const mind = await mindOf(minds, deps, plan);
  const all = { ...minds, ...deps };
  if (conversation.pending === undefined) return asStep(await askModel(all, plan, mind));
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

/** Takes what was handed in, if it holds together; else the model is told what does not. */
function withSubmission(plan: Plan): Plan {
  const conversation = conversationOf(plan, "strategy");
  const last = conversation.turns.at(-1);
  const call = last?.calls.find(
    ({ tool, result }) => tool === submitStrategyTool.name && result === undefined,
  );
  if (last === undefined) return plan;
  if (call === undefined) {
    if (last.calls.length > 0 || last.remark !== undefined) return plan;
    const remark = "Nothing was handed in. Call submit_strategy with what you have decided.";
    const turns = [...conversation.turns.slice(0, -1), { ...last, remark }];
    return withConversation(plan, "strategy", {
      ...conversation,
      turns,
      mistakes: conversation.mistakes + 1,
    });
  }
  const submitted = call.args as unknown as SubmittedStrategy; // it has passed the tool's schema
  const parsed = submitStrategyTool.input.parse(call.args) as unknown as SubmittedStrategy;
  const problem = strategyProblem(parsed);
  const answered = (result: NonNullable<SaidCall["result"]>): Conversation =>
    withCall(
      conversation,
      ({ id }) => id === call.id,
      (said) => ({ ...said, result }),
    );
  if (problem !== undefined)
    return withConversation(plan, "strategy", {
      ...answered({ text: `Not taken: ${problem}`, failed: true }),
      mistakes: conversation.mistakes + 1,
    });
  return withConversation(plan, "strategy", {
    ...answered({ text: "Taken." }),
    submitted: { ...submitted, ...parsed },
  });
}

/** Every decision that was handed in, as far as nobody has to be asked. */
async function decideAll(
  deps: PlanDeps,
  before: Plan,
  { decisions }: SubmittedStrategy,
  record: Record,
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
      context: { ...(await contextOf(plan)), model: actorOf(plan, "strategy").model },
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

/** A look at the project: it changes nothing, so that it is recorded with its result, and made again if it was cut off. */
async function look(deps: PlanDeps, turn: Turn, said: SaidCall): Promise<Step> {
  let { plan } = turn;
  const conversation = conversationOf(plan, "strategy");
  const number = conversation.turns.length * 100 + (conversation.turns.at(-1)?.calls.indexOf(said) ?? 0);
  const call = { callId: `a${plan.attempt}:look:${number}`, tool: said.tool ?? "", args: said.args ?? {} };
  const step: PlanStep = { index: -1 - number, kind: "look", label: `look: ${said.name}`, status: "pending" };
  const facts = await factsOf(plan, step, call, deps.tools.find(call.tool));
  const events: NamedEvent[] = [];
  const sandbox = await deps.workspace.open(
    plan.planId,
    plan.project.path,
    plan.sandbox as NonNullable<Plan["sandbox"]>,
  );
  const outcome = await deps.tools.run(
    call,
    {
      planId: plan.planId,
      sandbox,
      signal: turn.signal,
      network: false,
      readOnly: true,
      ...environmentOf(plan),
    },
    facts,
    {
      denied: async (denied, verdict) => void events.push(guardEvent("guard.denied", denied, verdict)),
      before: async (_call, _descriptor, allowed) => {
        const paid = charged(plan, facts, call.tool, 1, allowed);
        plan = { ...paid.plan, toolCalls: plan.toolCalls + 1 };
        events.push(...paid.events);
      },
      after: async () => undefined,
    },
  );
  turn.signal.throwIfAborted();
  if ("asked" in outcome && outcome.asked.breach !== undefined)
    return {
      plan,
      events: [exceededEvent(call.callId, outcome.asked.breach)],
      ask: budgetDraft(plan, outcome.asked.breach, step.label),
    };
  const result =
    "asked" in outcome
      ? {
          text: `Not carried out: ${outcome.asked.reason}, and nobody is asked while you only look.`,
          failed: true,
        }
      : outcomeText(outcome, shownOf(actorOf(plan, "strategy")));
  const paid = settled(plan, call.callId, "ok" in outcome && outcome.ok ? (outcome.result.used ?? {}) : {});
  const next = withCall(
    conversation,
    ({ id }) => id === said.id,
    (open) => ({ ...open, result }),
  );
  return {
    plan: withConversation(paid.plan, "strategy", next),
    events: [
      ...events,
      { key: `${call.callId}:completed`, name: "tool.completed", data: { tool: call.tool } },
      ...paid.events,
    ],
    more: true,
  };
}
