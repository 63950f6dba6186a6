import type {
  ActorRole,
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
} from "@cleveragents/domain";
import type { AskDraft } from "../plans/gates.ts";
import { OutputLog } from "../plans/output-log.ts";
import type { NamedEvent } from "../plans/plan-writer.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import type { ModelTool } from "../ports/language-model.ts";
import { codeNow } from "./code-now.ts";
import { advanceGraph, newRun, nodeEvent } from "./graph-advancing.ts";
import type { GraphDeps } from "./graph-execution.ts";
import {
  givenTo,
  graphOf,
  type LlmNode,
  openNeed,
  speakingNode,
  systemOf,
  withNeed,
  withRun,
} from "./graph-node.ts";
import { callOf } from "./graph-remote.ts";
import { withNodesTalk } from "./graph-rewinding.ts";
import { readAnswer } from "./graph-rules.ts";
import type { GraphGiven } from "./graph-scope.ts";
import { look } from "./looking.ts";
import { conversationOf, type Mind, withCall, withConversation } from "./mind.ts";
import { offeredTools } from "./offered-tools.ts";
import type { OwnTool } from "./take-answer.ts";
import { askModel, hearModel, type Thought } from "./thinking.ts";

/** A graph that changes nothing: it decides, or it says something about a plan. */
export interface Looking {
  readonly role: Exclude<ActorRole, "execution">;
  /** Which question of the plan's attempt it is about, where there are several. */
  readonly about?: string;
  /** What its nodes hand in. */
  readonly tool: OwnTool & { readonly offered: ModelTool };
  /** What it is about and its expressions see, besides what the plan says by itself. */
  readonly given?: Pick<GraphGiven, "input" | "advice">;
  /** In a few words what was handed in, for the nodes behind. */
  readonly inWords: (answer: JsonObject) => string;
}

/** What one thing of it has come to; its caller commits all of it at once. */
export interface GraphLook {
  readonly plan: Plan;
  readonly events: readonly NamedEvent[];
  readonly ask?: AskDraft;
  readonly failure?: PlanFailure;
  /** It is at its end: what was handed in, and what was said last. */
  readonly finished?: { readonly submitted?: JsonObject; readonly text: string };
}

interface Pursued extends Looking {
  readonly graph: FlatGraph;
  readonly run: GraphRun;
  readonly need: GraphNeed;
}

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

async function pursue(graphs: GraphDeps, deps: PlanDeps, turn: Turn, of: Pursued): Promise<GraphLook> {
  const { graph, role } = of;
  const node = graph.nodes[of.need.node] as FlatNode; // it was made of these
  const plan = of.need.callId === undefined ? begun(turn.plan, of, node) : turn.plan;
  const run = plan.graphs?.[role] as GraphRun;
  const pursued: Pursued = { ...of, run, need: openNeed(run) as GraphNeed };
  const now: Turn = { ...turn, plan };
  switch (node.kind) {
    case "llm":
      return speak(graphs, deps, now, pursued, node);
    case "tool":
      return call(deps, now, pursued, node);
    case "ask":
      return question(plan, pursued, node);
    case "remote":
      return elsewhere(graphs, deps, now, pursued, node);
    default:
      throw new Error(`${pursued.need.node} waits for nothing`);
  }
}

function begun(plan: Plan, { role, run, need }: Pursued, node: FlatNode): Plan {
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

async function speak(
  graphs: GraphDeps,
  deps: PlanDeps,
  turn: Turn,
  pursued: Pursued,
  node: LlmNode,
): Promise<GraphLook> {
  const { plan } = turn;
  const { role } = pursued;
  const conversation = conversationOf(plan, role);
  const open = conversation.turns.at(-1)?.calls.find(({ result }) => result === undefined);
  if (open !== undefined) return look(deps, turn, role, open);
  const mind = await mindOf(graphs, deps, plan, pursued, node);
  const all = { ...graphs, ...deps };
  if (conversation.pending === undefined)
    return asStep(await askModel(all, plan, mind, await codeNow(all, turn, mind)));
  return asStep(heard(await hearModel(all, turn, mind), pursued, node));
}

async function mindOf(
  { prompts }: GraphDeps,
  { tools }: PlanDeps,
  plan: Plan,
  { role, tool }: Pursued,
  node: LlmNode,
): Promise<Mind> {
  const { actor, submits } = node;
  // Before there is a copy of the project there is nothing to look at.
  const offered = offeredTools(plan.sandbox === undefined ? [] : tools.list(), actor, plan, true);
  const prompt = await prompts.of(role, actor.compact);
  const own = submits ? [tool] : [];
  return {
    role,
    actor,
    offered,
    own,
    brief: {
      system: submits
        ? systemOf({ ...actor, tools: ["*"] }, prompt)
        : systemOf({ ...actor, tools: [] }, prompt),
      task: speakingNode(plan, role)?.prompt ?? "",
      tools: [...offered.tools, ...own.map((one) => one.offered)],
      guidance: plan.guidance,
    },
  };
}

/** What a node has answered with is its result once it wants nothing more. */
function heard(thought: Thought, pursued: Pursued, node: LlmNode): Thought {
  const { graph, need, role, tool: form, inWords } = pursued;
  const { said, plan } = thought;
  if (said === undefined || thought.failure !== undefined) return thought;
  const conversation = conversationOf(plan, role);
  const run = plan.graphs?.[role] as GraphRun;
  const handed = said.calls.find(({ tool, result }) => tool === form.name && result === undefined);
  if (handed !== undefined) {
    const submitted = form.input.parse(handed.args); // it has passed once
    const told = withCall(
      conversation,
      ({ id }) => id === handed.id,
      (call) => ({ ...call, result: { text: "Taken." } }),
    );
    const result: NodeResult = { ok: true, text: inWords(submitted), value: submitted };
    return done(thought, withRun(plan, role, { ...run, submitted }), pursued, told, result);
  }
  if (said.calls.length > 0 || said.remark !== undefined) return thought;
  const read = readAnswer(node, said.text);
  if (!("problem" in read)) return done(thought, plan, pursued, conversation, read);
  const mistakes = conversation.mistakes + 1;
  const turns = [...conversation.turns.slice(0, -1), { ...said, remark: read.problem }];
  const next = withConversation(plan, role, { ...conversation, turns, mistakes });
  if (mistakes <= (node.actor.limits.mistakes ?? 3)) return { ...thought, plan: next };
  const message = `${need.node} of ${graph.name} has given ${mistakes} answers in a row that are no JSON object`;
  return { ...thought, plan: next, failure: { reason: "MODEL_BAD_RESPONSE", message, recoverable: true } };
}

function done(
  thought: Thought,
  plan: Plan,
  { graph, need, role }: Pursued,
  conversation: Conversation,
  result: NodeResult,
): Thought {
  const run = plan.graphs?.[role] as GraphRun;
  return {
    ...thought,
    plan: withRun(withConversation(plan, role, conversation), role, withNeed(run, { ...need, result })),
    events: [...thought.events, nodeEvent(plan, graph.name, need, result)],
  };
}

async function call(
  deps: PlanDeps,
  turn: Turn,
  { graph, run, need, role }: Pursued,
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
  { graph, run, need, role }: Pursued,
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

/** A piece of what a node has done elsewhere; what it asks is asked as everything is before something is done. */
async function elsewhere(
  { remoteNodes }: GraphDeps,
  deps: PlanDeps,
  turn: Turn,
  { graph, run, need, role }: Pursued,
  node: Extract<FlatNode, { kind: "remote" }>,
): Promise<GraphLook> {
  const { plan, writer, signal } = turn;
  const carrier = remoteNodes.find(({ kind }) => kind === node.of);
  if (carrier === undefined)
    return stopped(
      plan,
      `${need.node} of ${graph.name} is an actor of the type ${node.of}, and such are not available here`,
    );
  const { remote } = need;
  const label = `${need.callId}_q${remote?.asked ?? 0}`.replaceAll(":", "_");
  const chosen = plan.choices?.[label];
  if (remote?.question !== undefined && chosen?.attempt !== plan.attempt)
    return { plan, events: [], ask: remoteQuestion(label, remote) };
  const told = remote?.question === undefined || chosen === undefined ? {} : { answer: chosen.option };
  const kept = (next: GraphNeed["remote"]) => {
    const { remote: _, ...rest } = need;
    return withRun(plan, role, withNeed(run, next === undefined ? rest : { ...rest, remote: next }));
  };
  const count = remote?.asked === undefined ? {} : { asked: remote.asked };
  const log = new OutputLog({
    append: (events) => writer.append(plan.planId, events),
    key: `${need.callId}:${deps.ids.next()}`,
    artifactId: `graph-${String(need.callId).replaceAll(":", "-")}`,
    name: `What ${need.node} says`,
    event: "graph.output",
  });
  const call = callOf({ ...need, remote: { ...remote, ...told } }, node);
  const { planId: taskId, contextId, principal } = plan;
  const context = { taskId, contextId, principal, signal, failPoint: deps.failPoint };
  const step = await carrier
    .step(call, { ...context, say: (text) => log.add(text) })
    .finally(() => log.close());
  signal.throwIfAborted();
  switch (step.kind) {
    case "more":
      return { plan: kept({ ...count, state: step.state }), events: [] };
    case "failed":
      return {
        plan: kept(step.state === undefined ? undefined : { ...count, state: step.state }),
        events: [],
        failure: {
          reason: step.reason,
          message: `${need.node} of ${graph.name}: ${step.message}`,
          recoverable: true,
        },
      };
    case "ask": {
      const { state, question: asked, options = [], credential } = step;
      const next = {
        state,
        question: asked,
        options,
        asked: (remote?.asked ?? 0) + 1,
        ...(credential === undefined ? {} : { credential }),
      };
      const again = `${need.callId}_q${next.asked}`.replaceAll(":", "_");
      return { plan: kept(next), events: [], ask: remoteQuestion(again, next) };
    }
    case "done": {
      const read = readAnswer(node, step.text);
      if ("problem" in read && step.value === undefined)
        return stopped(kept(undefined), `${need.node} of ${graph.name} has not answered with a JSON object`);
      const value = step.value ?? ("value" in read ? read.value : undefined);
      const result: NodeResult = { ok: true, text: step.text, ...(value === undefined ? {} : { value }) };
      return {
        plan: withRun(plan, role, withNeed(run, { ...need, result })),
        events: [nodeEvent(plan, graph.name, need, result)],
      };
    }
  }
}

function remoteQuestion(
  label: string,
  { question: prompt = "", options = [], credential }: NonNullable<GraphNeed["remote"]>,
): AskDraft {
  return {
    kind: "question",
    prompt,
    options: options.map((text) => ({ id: text, label: text })),
    freeText: true,
    ...(credential === undefined ? {} : { credential }),
    details: { decision: label, gate: "graph" },
  };
}

function stopped(plan: Plan, message: string): GraphLook {
  return { plan, events: [], failure: { reason: "GRAPH_NODE_UNAVAILABLE", message, recoverable: true } };
}

function asStep({ plan, events, ask, failure }: Thought): GraphLook {
  if (failure !== undefined) return { plan, events, failure };
  return ask === undefined ? { plan, events } : { plan, events, ask };
}
