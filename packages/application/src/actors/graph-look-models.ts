import type { Conversation, GraphRun, NodeResult, Plan } from "@cleveragents/domain";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import { codeNow } from "./code-now.ts";
import { nodeEvent } from "./graph-advancing.ts";
import type { GraphDeps } from "./graph-execution.ts";
import type { GraphLook, LookedNode } from "./graph-look.ts";
import { type LlmNode, speakingNode, systemOf, withNeed, withRun } from "./graph-node.ts";
import { readAnswer } from "./graph-rules.ts";
import { look } from "./looking.ts";
import { conversationOf, type Mind, withCall, withConversation } from "./mind.ts";
import { offeredTools } from "./offered-tools.ts";
import { askModel, hearModel, type Thought } from "./thinking.ts";

/** A piece of what the model of a node does: a request, an answer, or a look. */
export async function lookWithModel(
  graphs: GraphDeps,
  deps: PlanDeps,
  turn: Turn,
  pursued: LookedNode,
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
  { role, tool }: LookedNode,
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
function heard(thought: Thought, pursued: LookedNode, node: LlmNode): Thought {
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
  { graph, need, role }: LookedNode,
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

function asStep({ plan, events, ask, failure }: Thought): GraphLook {
  if (failure !== undefined) return { plan, events, failure };
  return ask === undefined ? { plan, events } : { plan, events, ask };
}
