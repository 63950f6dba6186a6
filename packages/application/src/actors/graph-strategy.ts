import type {
  Conversation,
  FlatGraph,
  FlatNode,
  GraphNeed,
  GraphRun,
  JsonObject,
  NodeResult,
  Plan,
  PlanFailure,
  SaidCall,
  SaidTurn,
  SubmittedStrategy,
} from "@cleveragents/domain";
import type { DecisionSource } from "../plans/decision-source.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import { codeNow } from "./code-now.ts";
import { advanceGraph, newRun, nodeEvent } from "./graph-advancing.ts";
import type { GraphDeps } from "./graph-execution.ts";
import { graphOf, type LlmNode, openNeed, speakingNode, systemOf, withNeed, withRun } from "./graph-node.ts";
import { withNodesTalk } from "./graph-rewinding.ts";
import { readAnswer } from "./graph-rules.ts";
import { look } from "./looking.ts";
import { conversationOf, type Mind, withCall, withConversation } from "./mind.ts";
import { offeredTools } from "./offered-tools.ts";
import { decideAll } from "./strategist.ts";
import { submitStrategyTool } from "./submit-strategy.ts";
import { askModel, hearModel, type Thought } from "./thinking.ts";

type Record = Parameters<DecisionSource["strategize"]>[2];
type Step = Awaited<ReturnType<DecisionSource["strategize"]>>;
interface Pursued {
  readonly graph: FlatGraph;
  readonly run: GraphRun;
  readonly need: GraphNeed;
}

/** One thing in Strategize: a step of the graph, a piece of what a node waits for, or the decisions that were handed in. */
export async function strategizeWithGraph(
  graphs: GraphDeps,
  deps: PlanDeps,
  turn: Turn,
  record: Record,
): Promise<Step> {
  const { plan } = turn;
  const graph = graphOf(plan, "strategy") as FlatGraph; // whoever calls has looked
  const known = plan.graphs?.strategy;
  // What was thought in another attempt led to what was taken back.
  const run = known?.attempt === plan.attempt ? known : newRun(plan, known);
  if (run.finished !== undefined) {
    const submitted = run.submitted ?? { decisions: [], steps: [] };
    return decideAll(deps, withSubmitted(plan, submitted), submitted, record, { graph: graph.name });
  }
  const need = openNeed(run);
  if (need !== undefined) return pursue(graphs, deps, turn, { graph, run, need });
  const { failure, ...moved } = await advanceGraph(graphs.graphs, plan, "strategy", graph, run, turn.signal);
  return failure === undefined ? { ...moved, more: true } : { ...moved, failure };
}

/** Where the rest of the plan looks for it, whatever was said after it. */
function withSubmitted(plan: Plan, submitted: SubmittedStrategy): Plan {
  return withConversation(plan, "strategy", { ...conversationOf(plan, "strategy"), submitted });
}

async function pursue(
  graphs: GraphDeps,
  deps: PlanDeps,
  turn: Turn,
  { graph, ...of }: Pursued,
): Promise<Step> {
  const node = graph.nodes[of.need.node] as FlatNode; // it was made of these
  const plan = of.need.callId === undefined ? begun(turn.plan, of, node) : turn.plan;
  const run = plan.graphs?.strategy as GraphRun;
  const pursued: Pursued = { graph, run, need: openNeed(run) as GraphNeed };
  const now: Turn = { ...turn, plan };
  switch (node.kind) {
    case "llm":
      return speak(graphs, deps, now, pursued, node);
    case "tool":
      return call(deps, now, pursued, node);
    case "ask":
      return question(plan, pursued, node);
    default:
      return stopped(
        plan,
        `${pursued.need.node} of ${graph.name} is carried out elsewhere, which is for Execute`,
      );
  }
}

function begun(plan: Plan, { run, need }: Omit<Pursued, "graph">, node: FlatNode): Plan {
  const calls = run.calls + 1;
  const named: GraphNeed = { ...need, callId: `a${plan.attempt}:graph:strategy:${calls}` };
  const told = withNodesTalk(
    withRun(plan, "strategy", withNeed({ ...run, calls }, named)),
    "strategy",
    named,
  );
  if (node.kind !== "tool" || need.effect.kind !== "tool") return told;
  // It looks in the way in which models do.
  const { args } = need.effect;
  const said: SaidCall = {
    id: "call",
    name: node.tool,
    written: JSON.stringify(args),
    tool: node.tool,
    args,
  };
  const turn: SaidTurn = { attempt: plan.attempt, text: "", calls: [said], guided: plan.guidance.length };
  return withConversation(told, "strategy", { ...conversationOf(told, "strategy"), turns: [turn] });
}

async function speak(
  graphs: GraphDeps,
  deps: PlanDeps,
  turn: Turn,
  pursued: Pursued,
  node: LlmNode,
): Promise<Step> {
  const { plan } = turn;
  const conversation = conversationOf(plan, "strategy");
  const open = conversation.turns.at(-1)?.calls.find(({ result }) => result === undefined);
  if (open !== undefined) return { ...(await look(deps, turn, "strategy", open)), more: true };
  const mind = await mindOf(graphs, deps, plan, node);
  const all = { ...graphs, ...deps };
  if (conversation.pending === undefined)
    return asStep(await askModel(all, plan, mind, await codeNow(all, turn, mind)));
  return asStep(heard(await hearModel(all, turn, mind), pursued, node));
}

async function mindOf({ prompts }: GraphDeps, { tools }: PlanDeps, plan: Plan, node: LlmNode): Promise<Mind> {
  const { actor, submits } = node;
  const offered = offeredTools(tools.list(), actor, plan, true);
  const prompt = await prompts.of("strategy", actor.compact);
  const own = submits ? [submitStrategyTool] : [];
  return {
    role: "strategy",
    actor,
    offered,
    own,
    brief: {
      system: submits
        ? systemOf({ ...actor, tools: ["*"] }, prompt)
        : systemOf({ ...actor, tools: [] }, prompt),
      task: speakingNode(plan, "strategy")?.prompt ?? "",
      tools: [...offered.tools, ...own.map((tool) => tool.offered)],
      guidance: plan.guidance,
    },
  };
}

/** What a node has answered with is its result once it wants nothing more. */
function heard(thought: Thought, { graph, need }: Pursued, node: LlmNode): Thought {
  const { said, plan } = thought;
  if (said === undefined || thought.failure !== undefined) return thought;
  const conversation = conversationOf(plan, "strategy");
  const run = plan.graphs?.strategy as GraphRun;
  const handed = said.calls.find(
    ({ tool, result }) => tool === submitStrategyTool.name && result === undefined,
  );
  if (handed !== undefined) {
    const submitted = submitStrategyTool.input.parse(handed.args) as unknown as SubmittedStrategy; // it has passed once
    const told = withCall(
      conversation,
      ({ id }) => id === handed.id,
      (call) => ({ ...call, result: { text: "Taken." } }),
    );
    const text = submitted.decisions.map(({ question, choice }) => `${question} ${choice}`).join("\n");
    const result: NodeResult = { ok: true, text, value: submitted as unknown as JsonObject };
    return done(thought, withRun(plan, "strategy", { ...run, submitted }), { graph, need }, told, result);
  }
  if (said.calls.length > 0 || said.remark !== undefined) return thought;
  const read = readAnswer(node, said.text);
  if (!("problem" in read)) return done(thought, plan, { graph, need }, conversation, read);
  const mistakes = conversation.mistakes + 1;
  const turns = [...conversation.turns.slice(0, -1), { ...said, remark: read.problem }];
  const next = withConversation(plan, "strategy", { ...conversation, turns, mistakes });
  if (mistakes <= (node.actor.limits.mistakes ?? 3)) return { ...thought, plan: next };
  const message = `${need.node} of ${graph.name} has given ${mistakes} answers in a row that are no JSON object`;
  return { ...thought, plan: next, failure: { reason: "MODEL_BAD_RESPONSE", message, recoverable: true } };
}

function done(
  thought: Thought,
  plan: Plan,
  { graph, need }: Pick<Pursued, "graph" | "need">,
  conversation: Conversation,
  result: NodeResult,
): Thought {
  const run = plan.graphs?.strategy as GraphRun;
  return {
    ...thought,
    plan: withRun(
      withConversation(plan, "strategy", conversation),
      "strategy",
      withNeed(run, { ...need, result }),
    ),
    events: [...thought.events, nodeEvent(plan, graph.name, need, result)],
  };
}

async function call(
  deps: PlanDeps,
  turn: Turn,
  { graph, run, need }: Pursued,
  { goesOn }: Extract<FlatNode, { kind: "tool" }>,
): Promise<Step> {
  const [said] = conversationOf(turn.plan, "strategy").turns.at(-1)?.calls ?? [];
  const looked = await look(deps, turn, "strategy", said as SaidCall); // `begun` has written it
  if (looked.ask !== undefined) return looked;
  const { text = "", failed = false } =
    conversationOf(looked.plan, "strategy").turns.at(-1)?.calls[0]?.result ?? {};
  if (failed && !goesOn) {
    const { plan, events } = looked;
    // Tried again, it is another call.
    const { callId: _, ...anew } = need;
    const failure: PlanFailure = {
      reason: "GRAPH_TOOL_FAILED",
      message: `${need.node} of ${graph.name}: ${text}`,
      recoverable: true,
    };
    return { plan: withRun(plan, "strategy", withNeed(run, anew)), events, failure };
  }
  const result: NodeResult = { ok: !failed, text };
  return {
    plan: withRun(looked.plan, "strategy", withNeed(run, { ...need, result })),
    events: [...looked.events, nodeEvent(turn.plan, graph.name, need, result)],
    more: true,
  };
}

/** A question before anything is done is one of a choice, and is asked as decisions are. */
function question(
  plan: Plan,
  { graph, run, need }: Pursued,
  { options, gate }: Extract<FlatNode, { kind: "ask" }>,
): Step {
  const label = (need.callId as string).replaceAll(":", "_"); // it has begun
  const chosen = plan.choices?.[label];
  const asked = need.effect.kind === "ask" ? need.effect.question : "";
  if (options.length === 0)
    return stopped(
      plan,
      `${need.node} of ${graph.name} asks for a text, which is for Execute; give it options`,
    );
  if (chosen === undefined || chosen.attempt !== plan.attempt)
    return {
      plan,
      ask: {
        kind: "question",
        prompt: asked,
        options: options.map((text, n) => ({ id: `option-${n + 1}`, label: text })),
        freeText: false,
        details: { decision: label, gate: "graph" },
      },
    };
  const text = options[Number(/\d+$/.exec(chosen.option)?.[0] ?? 0) - 1] ?? chosen.option;
  if (gate === true && text !== options[0])
    return stopped(plan, `${need.node.replace(/\?$/, "")} of ${graph.name} was not let begin`);
  const result: NodeResult = { ok: true, text };
  return {
    plan: withRun(plan, "strategy", withNeed(run, { ...need, result })),
    events: [nodeEvent(plan, graph.name, need, result)],
    more: true,
  };
}

function stopped(plan: Plan, message: string): Step {
  return { plan, failure: { reason: "GRAPH_NODE_UNAVAILABLE", message, recoverable: true } };
}

function asStep({ plan, events, ask, failure }: Thought): Step {
  if (failure !== undefined) return { plan, events, failure };
  return ask === undefined ? { plan, events, more: true } : { plan, events, ask };
}
