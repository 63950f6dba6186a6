import type {
  FlatGraph,
  FlatNode,
  GraphNeed,
  GraphRun,
  NodeResult,
  Plan,
  PlanFailure,
  SaidCall,
  SaidTurn,
} from "@cleveragents/domain";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import { advanceGraph, newRun, nodeEvent } from "./graph-advancing.ts";
import type { GraphDeps } from "./graph-execution.ts";
import { type GraphLook, type LookedNode, type Looking, stopped } from "./graph-look.ts";
import { lookElsewhere } from "./graph-look-elsewhere.ts";
import { lookWithModel } from "./graph-look-models.ts";
import { givenTo, graphOf, openNeed, withNeed, withRun } from "./graph-node.ts";
import { withNodesTalk } from "./graph-rewinding.ts";
import { look } from "./looking.ts";
import { conversationOf, withConversation } from "./mind.ts";

/** One thing of a graph that looks: a step of it, a piece of what a node waits for, or its end. */
export async function lookWithGraph(
  graphs: GraphDeps,
  deps: PlanDeps,
  turn: Turn,
  looking: Looking,
): Promise<GraphLook> {
  const { plan } = turn;
  const { role, about } = looking;
  const graph = graphOf(plan, role) as FlatGraph; // whoever calls has looked
  const known = plan.graphs?.[role];
  // What was thought in another attempt led to what was taken back.
  const isSame = known?.attempt === plan.attempt && known.about === about;
  const run = isSame ? known : newRun(plan, known, about);
  if (run.finished !== undefined) {
    const { submitted, finished } = run;
    return {
      plan,
      events: [],
      finished: { text: finished.text, ...(submitted === undefined ? {} : { submitted }) },
    };
  }
  const need = openNeed(run);
  if (need !== undefined) return pursue(graphs, deps, turn, { ...looking, graph, run, need });
  const given = { ...givenTo(plan), ...looking.given };
  return advanceGraph(graphs.graphs, plan, role, graph, run, turn.signal, given);
}

async function pursue(graphs: GraphDeps, deps: PlanDeps, turn: Turn, of: LookedNode): Promise<GraphLook> {
  const { graph, role } = of;
  const node = graph.nodes[of.need.node] as FlatNode; // it was made of these
  const plan = of.need.callId === undefined ? begun(turn.plan, of, node) : turn.plan;
  const run = plan.graphs?.[role] as GraphRun;
  const pursued: LookedNode = { ...of, run, need: openNeed(run) as GraphNeed };
  const now: Turn = { ...turn, plan };
  switch (node.kind) {
    case "llm":
      return lookWithModel(graphs, deps, now, pursued, node);
    case "tool":
      return call(deps, now, pursued, node);
    case "ask":
      return question(plan, pursued, node);
    case "remote":
      return lookElsewhere(graphs, deps, now, pursued, node);
    default:
      throw new Error(`${pursued.need.node} waits for nothing`);
  }
}

function begun(plan: Plan, { role, run, need }: LookedNode, node: FlatNode): Plan {
  const calls = run.calls + 1;
  const named: GraphNeed = { ...need, callId: `a${plan.attempt}:graph:${role}:${calls}` };
  const told = withNodesTalk(withRun(plan, role, withNeed({ ...run, calls }, named)), role, named);
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
  return withConversation(told, role, { ...conversationOf(told, role), turns: [turn] });
}

async function call(
  deps: PlanDeps,
  turn: Turn,
  { graph, run, need, role }: LookedNode,
  { goesOn, tool }: Extract<FlatNode, { kind: "tool" }>,
): Promise<GraphLook> {
  if (turn.plan.sandbox === undefined)
    return stopped(
      turn.plan,
      `${need.node} of ${graph.name} looks at the project with ${tool}, of which there is no copy yet`,
    );
  const [said] = conversationOf(turn.plan, role).turns.at(-1)?.calls ?? [];
  const looked = await look(deps, turn, role, said as SaidCall); // `begun` has written it
  if (looked.ask !== undefined) return looked;
  const { text = "", failed = false } =
    conversationOf(looked.plan, role).turns.at(-1)?.calls[0]?.result ?? {};
  if (failed && !goesOn) {
    const { plan, events } = looked;
    // Tried again, it is another call.
    const { callId: _, ...anew } = need;
    const failure: PlanFailure = {
      reason: "GRAPH_TOOL_FAILED",
      message: `${need.node} of ${graph.name}: ${text}`,
      recoverable: true,
    };
    return { plan: withRun(plan, role, withNeed(run, anew)), events, failure };
  }
  const result: NodeResult = { ok: !failed, text };
  return {
    plan: withRun(looked.plan, role, withNeed(run, { ...need, result })),
    events: [...looked.events, nodeEvent(turn.plan, graph.name, need, result)],
  };
}

/** A question before anything is done is one of a choice, and is asked as decisions are. */
function question(
  plan: Plan,
  { graph, run, need, role }: LookedNode,
  { options, gate }: Extract<FlatNode, { kind: "ask" }>,
): GraphLook {
  const label = (need.callId as string).replaceAll(":", "_"); // it has begun
  const chosen = plan.choices?.[label];
  const asked = need.effect.kind === "ask" ? need.effect.question : "";
  if (chosen === undefined || chosen.attempt !== plan.attempt)
    return {
      plan,
      events: [],
      ask: {
        kind: "question",
        prompt: asked,
        options: options.map((text, n) => ({ id: `option-${n + 1}`, label: text })),
        freeText: gate !== true,
        details: { decision: label, gate: "graph" },
      },
    };
  const option = /^option-(\d+)$/.exec(chosen.option)?.[1];
  const text = (option === undefined ? undefined : options[Number(option) - 1]) ?? chosen.option;
  if (gate === true && text !== options[0])
    return stopped(plan, `${need.node.replace(/\?$/, "")} of ${graph.name} was not let begin`);
  const result: NodeResult = { ok: true, text };
  return {
    plan: withRun(plan, role, withNeed(run, { ...need, result })),
    events: [nodeEvent(plan, graph.name, need, result)],
  };
}
