import {
  type Conversation,
  type JsonObject,
  type Plan,
  type PlanStep,
  type SaidCall,
  type SaidTurn,
  stands,
} from "@cleveragents/domain";
import { ask } from "../plans/asking.ts";
import { overdue } from "../plans/deadline.ts";
import { decisionEvent, newDecision } from "../plans/deciding.ts";
import { contextOf } from "../plans/decision-context.ts";
import { fail } from "../plans/failing.ts";
import { questionAsk } from "../plans/gates.ts";
import { assertIsolation, demandOf } from "../plans/isolation.ts";
import type { NamedEvent } from "../plans/plan-writer.ts";
import { runTool } from "../plans/run-step.ts";
import { startEvent, withStep } from "../plans/step-progress.ts";
import { spawn } from "../plans/subplans/spawning.ts";
import { SUBPLAN_TOOL } from "../plans/subplans/subplan-tool.ts";
import type { PlanDeps, Turn, TurnOutcome } from "../plans/turn.ts";
import type { Sandbox } from "../ports/workspace.ts";
import type { ToolOutcome } from "../tools/tool-runner.ts";
import { codeNow } from "./code-now.ts";
import { ASK_USER, askUserTool, RECORD_DECISION, recordDecisionTool, stepLabelOf } from "./executor-tools.ts";
import { speakingNode, systemOf } from "./graph-node.ts";
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
import { rewound } from "./rewinding.ts";
import { taskText } from "./task-text.ts";
import { askModel, hearModel, type Thought } from "./thinking.ts";
import { outcomeText } from "./tool-text.ts";

/** One thing in Execute: a request, an answer, or a call that an answer wants. Undefined when the model is done. */
export async function executeWithModel(
  minds: MindDeps,
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
): Promise<TurnOutcome | undefined> {
  const plan = rewound(turn.plan);
  const now: Turn = { ...turn, plan };
  const late = overdue(plan, deps.clock.now(), plan.steps.length);
  if (late !== undefined) return fail(deps, turn, plan, late);
  const step = plan.steps.find(({ status }) => status === "pending" || status === "running");
  if (step !== undefined) return carryOut(deps, now, sandbox, step);
  const conversation = conversationOf(plan, "execution");
  if (conversation.finished !== undefined && conversation.finished.guided >= plan.guidance.length)
    return undefined;
  const mind = await mindOf(minds, deps, plan);
  const all = { ...minds, ...deps };
  const thought =
    conversation.pending === undefined
      ? await askModel(all, plan, mind, await codeNow(all, now, mind))
      : await withDecisions(deps, await hearModel(all, now, mind));
  return commit(deps, turn, thought);
}

/** What the plan is when somebody has refused a call of the model: the model hears of it and goes on. */
export function withRefusal(plan: Plan, { index }: PlanStep): Plan {
  const conversation = conversationOf(plan, "execution");
  const text = "The user has refused this call. Do not make it again; find another way, or ask.";
  return withConversation(
    plan,
    "execution",
    withCall(
      conversation,
      ({ step }) => step === index,
      (call) => ({ ...call, result: { text, failed: true } }),
    ),
  );
}

async function mindOf({ prompts }: MindDeps, { tools }: PlanDeps, plan: Plan): Promise<Mind> {
  const actor = actorOf(plan, "execution");
  const offered = offeredTools(tools.list(), actor, plan, false);
  const node = speakingNode(plan, "execution");
  const working = actor.compact ? [askUserTool] : [askUserTool, recordDecisionTool];
  // A node of a graph that has no tools only says something.
  const own = node !== undefined && actor.tools.length === 0 ? [] : working;
  const prompt = await prompts.of("execution", actor.compact);
  return {
    role: "execution",
    actor,
    offered,
    own,
    brief: {
      system:
        node !== undefined
          ? systemOf(actor, prompt)
          : actor.system_prompt === undefined
            ? prompt
            : `${prompt}\n\n${actor.system_prompt}`,
      task: node?.prompt ?? taskText(plan, true),
      tools: [...offered.tools, ...own.map((tool) => tool.offered)],
      guidance: plan.guidance,
    },
  };
}

async function commit(deps: PlanDeps, turn: Turn, thought: Thought): Promise<TurnOutcome> {
  const { plan, events, failure } = thought;
  if (failure !== undefined) return fail(deps, turn, plan, failure, [], events);
  if (thought.ask !== undefined) return ask(deps, turn, plan, thought.ask, events);
  const { said } = thought;
  const isLast = said !== undefined && said.calls.length === 0 && said.remark === undefined;
  if (said === undefined || !isLast) {
    await turn.writer.write(said === undefined ? plan : withSteps(plan, said), "working", events);
    return "continue";
  }
  const conversation = conversationOf(plan, "execution");
  const finished = { guided: said.guided, summary: said.text };
  const key = `a${plan.attempt}:model:summary:${conversation.asked}`;
  await turn.writer.write(withConversation(plan, "execution", { ...conversation, finished }), "working", [
    ...events,
    { key: `${key}:finished`, name: "model.finished", data: { summary: said.text } },
  ]);
  return "continue";
}

/** The calls of an answer as steps that are still to be run, in the order in which the model wants them. */
function withSteps(plan: Plan, { calls }: SaidTurn): Plan {
  const steps = [...plan.steps];
  const conversation = calls
    .filter(({ result }) => result === undefined)
    .reduce<Conversation>(
      (known, call) => {
        const index = steps.length;
        steps.push({
          index,
          kind: call.tool === ASK_USER ? "ask" : "tool",
          label: stepLabelOf(call),
          status: "pending",
          decisions: hangsOn(plan),
        });
        return withCall(
          known,
          ({ id }) => id === call.id,
          (said) => ({ ...said, step: index }),
        );
      },
      conversationOf(plan, "execution"),
    );
  return withConversation({ ...plan, steps }, "execution", conversation);
}

export function hangsOn({ decisions }: Plan): readonly string[] {
  const [root, ...others] = decisions.filter(stands);
  const meant = others.filter(({ type }) => type !== "invariant_enforced" && type !== "validation_response");
  return (meant.length === 0 && root !== undefined ? [root] : meant).map(({ decisionId }) => decisionId);
}

/** Decisions that the model has noted are the plan's from the commit on that records its answer. */
async function withDecisions(deps: PlanDeps, thought: Thought): Promise<Thought> {
  const { said } = thought;
  if (said === undefined) return thought;
  let { plan } = thought;
  const events: NamedEvent[] = [];
  for (const call of said.calls) {
    if (call.tool !== RECORD_DECISION || call.result !== undefined) continue;
    const noted = recordDecisionTool.input.parse(call.args) as JsonObject & {
      question: string;
      choice: string;
    };
    const decision = newDecision(deps, plan, {
      type: "implementation_choice",
      phase: "execute",
      parentId: plan.decisions[0]?.decisionId ?? null,
      step: plan.steps.length,
      question: noted.question,
      chosen: noted.choice,
      alternatives: (noted["alternatives"] as unknown as { id: string; description: string }[]) ?? [],
      confidence: Number(noted["confidence"]),
      rationale: String(noted["rationale"]),
      context: { ...(await contextOf(plan)), model: actorOf(plan, "execution").model },
    });
    plan = { ...plan, decisions: [...plan.decisions, decision] };
    events.push(decisionEvent(decision));
    const told = withCall(
      conversationOf(plan, "execution"),
      ({ id }) => id === call.id,
      (known) => ({
        ...known,
        result: { text: "Noted." },
      }),
    );
    plan = withConversation(plan, "execution", told);
  }
  const last = conversationOf(plan, "execution").turns.at(-1) as SaidTurn; // the one that was said
  return { ...thought, plan, events: [...thought.events, ...events], said: last };
}

async function carryOut(deps: PlanDeps, turn: Turn, sandbox: Sandbox, step: PlanStep): Promise<TurnOutcome> {
  const { plan } = turn;
  const call = conversationOf(plan, "execution")
    .turns.flatMap(({ calls }) => calls)
    .find((said) => said.step === step.index);
  if (call?.tool === undefined) throw new Error(`nothing that was said wants step ${step.index}`);
  if (call.tool === ASK_USER) {
    const { question, options } = askUserTool.input.parse(call.args) as {
      question: string;
      options: string[];
    };
    const named = options.map((label, n) => ({ id: `option-${n + 1}`, label }));
    const asked = questionAsk(step.index, question, named, true);
    return ask(deps, turn, withStep(plan, { ...step, status: "running" }), asked, [startEvent(plan, step)]);
  }
  // The host may be another one by now, or no longer what it was: nothing runs less isolated than has been shown.
  await assertIsolation(deps, {
    demand: demandOf(plan),
    shown: plan.sandbox?.enforcement,
    environment: plan.environment,
  });
  // It takes many turns; its result is what its step says when all of it is merged.
  if (call.tool === SUBPLAN_TOOL) return spawn(deps, turn, sandbox, step, call.args ?? {});
  const ended = (after: Plan, running: PlanStep, outcome: ToolOutcome) => told(after, running, call, outcome);
  return runTool(deps, turn, sandbox, step, call.tool, call.args ?? {}, ended);
}

/** The model hears what has come of its call; one that has failed stops nothing. */
function told(plan: Plan, step: PlanStep, { id, tool = "" }: SaidCall, outcome: ToolOutcome) {
  const result = outcomeText(outcome, shownOf(actorOf(plan, "execution")));
  const conversation = withCall(
    conversationOf(plan, "execution"),
    (call) => call.id === id,
    (call) => ({ ...call, result }),
  );
  const detail = outcome.ok ? outcome.result.summary : outcome.error.message;
  const key = `a${plan.attempt}:step:${step.index}:completed`;
  const name = outcome.ok ? "tool.completed" : "tool.failed";
  const data = { tool, ...(outcome.ok ? {} : { reason: outcome.error.reason }) };
  return {
    plan: withConversation(plan, "execution", conversation),
    step: { ...step, status: outcome.ok ? "done" : "failed", detail } as const,
    events: [{ key, name, data }],
  };
}
