import type {
  FlatGraph,
  FlatNode,
  GraphNeed,
  GraphRun,
  NodeResult,
  Plan,
  PlanStep,
  SaidTurn,
} from "@cleveragents/domain";
import { ask } from "../plans/asking.ts";
import { overdue } from "../plans/deadline.ts";
import { fail } from "../plans/failing.ts";
import { questionAsk } from "../plans/gates.ts";
import { assertIsolation, demandOf } from "../plans/isolation.ts";
import { runTool } from "../plans/run-step.ts";
import { startEvent, withStep } from "../plans/step-progress.ts";
import { spawn } from "../plans/subplans/spawning.ts";
import { SUBPLAN_TOOL } from "../plans/subplans/subplan-tool.ts";
import type { PlanDeps, Turn, TurnOutcome } from "../plans/turn.ts";
import type { GraphRuntime } from "../ports/graph-runtime.ts";
import type { RemoteNodes } from "../ports/remote-nodes.ts";
import type { Sandbox } from "../ports/workspace.ts";
import { executeWithModel, withRefusal } from "./executor.ts";
import { advanceGraph, newRun, nodeEvent } from "./graph-advancing.ts";
import { graphOf, type LlmNode, openNeed, threadOf, withNeed, withRun } from "./graph-node.ts";
import { pursueRemote } from "./graph-remote.ts";
import { rewoundGraph, withNodesTalk } from "./graph-rewinding.ts";
import { readAnswer } from "./graph-rules.ts";
import { type Pursued, withNewStep } from "./graph-steps.ts";
import { conversationOf, type MindDeps, withConversation } from "./mind.ts";
import { rewound } from "./rewinding.ts";
import { outcomeText, SHOWN } from "./tool-text.ts";

export interface GraphDeps extends MindDeps {
  readonly graphs: GraphRuntime;
  readonly remoteNodes: readonly RemoteNodes[];
}

const GO_ON = "go-on";
const STOP = "stop";
/** Answers of a node in a row that are not what it was to answer with. */
const MOST_MISTAKES = 3;

/** One thing in Execute: a step of the graph, or a piece of what one of its nodes waits for. Undefined at its end. */
export async function executeGraph(
  graphs: GraphDeps,
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
): Promise<TurnOutcome | undefined> {
  const plan = rewoundGraph(turn.plan);
  const late = overdue(plan, deps.clock.now(), plan.steps.length);
  if (late !== undefined) return fail(deps, turn, plan, late);
  const graph = graphOf(plan, "execution") as FlatGraph; // whoever calls has looked
  const run = plan.graphs?.execution ?? newRun(plan, undefined);
  if (run.back !== undefined) {
    const { back, ...rest } = run;
    const at = await graphs.graphs.fork(threadOf(plan, "execution", run), back.at);
    await turn.writer.write(withRun(plan, "execution", { ...rest, at }), "working", []);
    return "continue";
  }
  if (run.finished !== undefined) return undefined;
  const need = openNeed(run);
  if (need !== undefined) return pursue(graphs, deps, { ...turn, plan }, sandbox, { graph, run, need });
  const moved = await advanceGraph(graphs.graphs, plan, "execution", graph, run, turn.signal);
  if (moved.failure !== undefined) return fail(deps, turn, moved.plan, moved.failure, [], moved.events);
  await turn.writer.write(moved.plan, "working", moved.events);
  return "continue";
}

async function pursue(
  graphs: GraphDeps,
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
  { graph, ...of }: Pursued,
): Promise<TurnOutcome> {
  const node = graph.nodes[of.need.node] as FlatNode; // it was made of these
  const plan = of.need.callId === undefined ? begun(turn.plan, of, node) : turn.plan;
  const run = plan.graphs?.execution as GraphRun;
  const pursued: Pursued = { graph, run, need: openNeed(run) as GraphNeed };
  const { need } = pursued;
  const now: Turn = { ...turn, plan };
  const step = need.step === undefined ? undefined : plan.steps[need.step];
  const over = step !== undefined && step.status !== "pending" && step.status !== "running";
  switch (node.kind) {
    case "llm":
      return speak(graphs, deps, now, sandbox, pursued, node);
    case "tool":
      return over
        ? settle(now, pursued, resultOf(step))
        : call(deps, now, sandbox, pursued, node, step as PlanStep);
    case "ask":
      if (!over) return question(deps, now, pursued, node, step as PlanStep);
      return settle(now, pursued, answerOf(step, node.options));
    case "remote":
      return pursueRemote(graphs, deps, now, pursued, node, step, (result) => settle(now, pursued, result));
    default:
      throw new Error(`${need.node} waits for nothing`);
  }
}

/** The node's call has a name from now on; a call or a question is a step of the plan. */
function begun(plan: Plan, { run, need }: Omit<Pursued, "graph">, node: FlatNode): Plan {
  const calls = run.calls + 1;
  const callId = `a${plan.attempt}:graph:execution:${calls}`;
  const named: GraphNeed = { ...need, callId };
  if (node.kind === "llm")
    return withNodesTalk(withRun(plan, "execution", withNeed({ ...run, calls }, named)), "execution", named);
  if (node.kind === "remote") return withRun(plan, "execution", withNeed({ ...run, calls }, named));
  return withNewStep(plan, { ...run, calls }, named, {
    kind: node.kind === "ask" ? "ask" : "tool",
    label: node.kind === "tool" ? `${need.node}: ${node.tool}` : `ask: ${questionOf(need)}`,
  });
}

async function speak(
  graphs: GraphDeps,
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
  pursued: Pursued,
  node: LlmNode,
): Promise<TurnOutcome> {
  // Where it was taken back, what was said is so only in part.
  const restored = pursued.need.conversation === undefined ? turn.plan : restoredTalk(turn.plan, pursued);
  const outcome = await executeWithModel(graphs, deps, { ...turn, plan: restored }, sandbox);
  if (outcome !== undefined) return outcome;
  const plan = rewound(restored);
  const conversation = conversationOf(plan, "execution");
  const text = conversation.finished?.summary ?? "";
  const read = readAnswer(node, text);
  if (!("problem" in read)) return settle({ ...turn, plan }, pursued, read, { conversation });
  const mistakes = conversation.mistakes + 1;
  if (mistakes > (node.actor.limits.mistakes ?? MOST_MISTAKES))
    return fail(deps, turn, plan, {
      reason: "MODEL_BAD_RESPONSE",
      message: `${pursued.need.node} of ${pursued.graph.name} has given ${mistakes} answers in a row that are no JSON object`,
      recoverable: true,
    });
  const { finished: _, ...open } = conversation;
  const last = conversation.turns.at(-1) as SaidTurn; // it has just finished
  const turns = [...conversation.turns.slice(0, -1), { ...last, remark: read.problem }];
  await turn.writer.write(withConversation(plan, "execution", { ...open, turns, mistakes }), "working", []);
  return "continue";
}

/** The conversation is the plan's again; the node keeps it no longer. */
function restoredTalk(plan: Plan, { run, need }: Pursued): Plan {
  const { conversation: _, ...bare } = need;
  return withRun(withNodesTalk(plan, "execution", need), "execution", withNeed(run, bare));
}

async function call(
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
  { graph, need }: Pursued,
  node: Extract<FlatNode, { kind: "tool" }>,
  step: PlanStep,
): Promise<TurnOutcome> {
  const { plan } = turn;
  const args = need.effect.kind === "tool" ? need.effect.args : {};
  // The host may be another one by now, or no longer what it was: nothing runs less isolated than has been shown.
  await assertIsolation(deps, {
    demand: demandOf(plan),
    shown: plan.sandbox?.enforcement,
    environment: plan.environment,
  });
  if (node.tool === SUBPLAN_TOOL) return spawn(deps, turn, sandbox, step, args);
  return runTool(deps, turn, sandbox, step, node.tool, args, (after, running, outcome) => {
    if (!outcome.ok && !node.goesOn) return undefined;
    const { text } = outcomeText(outcome, SHOWN.normal);
    const value = outcome.ok ? outcome.result.value : outcome.error.details;
    const run = after.graphs?.execution as GraphRun;
    const key = `a${after.attempt}:step:${running.index}:completed`;
    return {
      plan: withRun(after, "execution", withNeed(run, { ...need, result: { ok: outcome.ok, text, value } })),
      step: {
        ...running,
        status: outcome.ok ? "done" : "failed",
        detail: outcome.ok ? outcome.result.summary : outcome.error.message,
      },
      events: [
        {
          key,
          name: outcome.ok ? "tool.completed" : "tool.failed",
          data: { tool: node.tool, ...(outcome.ok ? {} : { reason: outcome.error.reason }) },
        },
        nodeEvent(after, graph.name, need, { ok: outcome.ok, text }),
      ],
    };
  });
}

/** What a step has come to that was not this node's call alone: plans that it has started, a call that was refused. */
function resultOf({ status, detail = "" }: PlanStep): NodeResult {
  return { ok: status === "done", text: detail };
}

async function question(
  deps: PlanDeps,
  turn: Turn,
  { need }: Pursued,
  { options, gate }: Extract<FlatNode, { kind: "ask" }>,
  step: PlanStep,
): Promise<TurnOutcome> {
  const named =
    gate === true
      ? [
          { id: GO_ON, label: "Go on" },
          { id: STOP, label: "Stop here" },
        ]
      : options.map((label, n) => ({ id: `option-${n + 1}`, label }));
  const draft = questionAsk(step.index, questionOf(need), named, gate !== true);
  const running = withStep(turn.plan, { ...step, status: "running" });
  return ask(deps, turn, running, draft, [startEvent(turn.plan, step)]);
}

function questionOf({ effect }: GraphNeed): string {
  return effect.kind === "ask" ? effect.question : "";
}

function answerOf({ detail = "" }: PlanStep, options: readonly string[]): NodeResult {
  const option = /^option-(\d+)$/.exec(detail);
  const text = (option === null ? undefined : options[Number(option[1]) - 1]) ?? detail;
  return { ok: true, text };
}

async function settle(
  turn: Turn,
  { graph, need }: Pursued,
  result: NodeResult,
  more: Partial<GraphNeed> = {},
): Promise<TurnOutcome> {
  const { plan } = turn;
  const run = plan.graphs?.execution as GraphRun;
  const done: GraphNeed = { ...need, ...more, result };
  await turn.writer.write(withRun(plan, "execution", withNeed(run, done)), "working", [
    nodeEvent(plan, graph.name, need, result),
  ]);
  return "continue";
}

/** What the plan is when somebody has refused a call of a graph: its node hears of it, if it bears that. */
export function withGraphRefusal(plan: Plan, step: PlanStep): Plan | undefined {
  const graph = graphOf(plan, "execution");
  const run = plan.graphs?.execution;
  const need = run && openNeed(run);
  const node = need && graph?.nodes[need.node];
  if (need === undefined || node === undefined) return undefined;
  if (node.kind === "llm") return withRefusal(plan, step);
  if (node.kind !== "tool" || !node.goesOn) return undefined;
  const result: NodeResult = { ok: false, text: "The user has refused this call." };
  return withRun(plan, "execution", withNeed(run as GraphRun, { ...need, result }));
}
