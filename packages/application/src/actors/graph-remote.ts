import type { FlatNode, GraphNeed, GraphRun, NodeResult, PlanStep } from "@cleveragents/domain";
import { ask } from "../plans/asking.ts";
import { fail } from "../plans/failing.ts";
import { questionAsk } from "../plans/gates.ts";
import { OutputLog } from "../plans/output-log.ts";
import { startEvent, withStep } from "../plans/step-progress.ts";
import type { PlanDeps, Turn, TurnOutcome } from "../plans/turn.ts";
import type { NodeCall, RemoteNodes } from "../ports/remote-nodes.ts";
import { withNeed, withRun } from "./graph-node.ts";
import { readAnswer } from "./graph-rules.ts";
import { type Pursued, withNewStep } from "./graph-steps.ts";

type RemoteNode = Extract<FlatNode, { kind: "remote" }>;

/** What a node that is carried out elsewhere is asked, with what is known of the call by now. */
export function callOf({ node, callId, effect, remote = {} }: GraphNeed, { settings }: RemoteNode): NodeCall {
  const asked = effect.kind === "remote" ? effect : { text: "", values: {} };
  return {
    callId: callId as string, // it has begun
    node,
    settings,
    text: asked.text,
    values: asked.values,
    state: remote.state,
    answer: remote.answer === undefined ? undefined : { text: remote.answer },
  };
}

/** One step of a call that is made elsewhere; what it comes to is durable before the next one. */
export async function pursueRemote(
  { remoteNodes }: { readonly remoteNodes: readonly RemoteNodes[] },
  deps: PlanDeps,
  turn: Turn,
  { graph, run, need }: Pursued,
  node: RemoteNode,
  asking: PlanStep | undefined,
  settle: (result: NodeResult) => Promise<TurnOutcome>,
): Promise<TurnOutcome> {
  const { plan, writer } = turn;
  const kept = (remote: GraphNeed["remote"]) =>
    withRun(plan, "execution", withNeed(run, withRemote(need, remote)));
  if (asking !== undefined) {
    // Its question is a step of the plan; what was answered is for the next step of the call.
    if (asking.status === "pending" || asking.status === "running") return question(deps, turn, asking);
    const { step: _, ...rest } = need;
    const answered = { ...rest, remote: { ...need.remote, answer: asking.detail ?? "" } };
    await writer.write(withRun(plan, "execution", withNeed(run, answered)), "working", []);
    return "continue";
  }
  const carrier = remoteNodes.find(({ kind }) => kind === node.of);
  if (carrier === undefined)
    return fail(deps, turn, plan, {
      reason: "NOT_AVAILABLE",
      message: `${need.node} of ${graph.name} is an actor of the type ${node.of}, and such are not available here`,
      recoverable: true,
    });
  const output = new OutputLog({
    append: (events) => writer.append(plan.planId, events),
    key: `${need.callId}:${deps.ids.next()}`,
    artifactId: `graph-${(need.callId as string).replaceAll(":", "-")}`,
    name: `What ${need.node} says`,
    event: "graph.output",
  });
  let step: Awaited<ReturnType<RemoteNodes["step"]>>;
  try {
    step = await carrier.step(callOf(need, node), {
      taskId: plan.planId,
      contextId: plan.contextId,
      principal: plan.principal,
      signal: turn.signal,
      failPoint: deps.failPoint,
      say: (text) => output.add(text),
    });
  } finally {
    await output.close();
  }
  turn.signal.throwIfAborted();
  switch (step.kind) {
    case "more":
      await writer.write(kept({ state: step.state }), "working", []);
      return step.waitMs === undefined ? "continue" : { until: deps.clock.now() + step.waitMs };
    case "failed": {
      const failure = {
        reason: step.reason,
        message: `${need.node} of ${graph.name}: ${step.message}`,
        recoverable: true,
      };
      return fail(deps, turn, kept(step.state === undefined ? undefined : { state: step.state }), failure);
    }
    case "ask": {
      const asked = withRemote(need, {
        state: step.state,
        options: step.options ?? [],
        question: step.question,
        ...(step.credential === undefined ? {} : { credential: step.credential }),
      });
      const next = withNewStep(plan, run, asked, { kind: "ask", label: `ask: ${step.question}` });
      const added = next.steps.at(-1) as PlanStep;
      return question(deps, { ...turn, plan: next }, added);
    }
    case "done": {
      const read = readAnswer(node, step.text);
      if ("problem" in read && step.value === undefined)
        return fail(deps, turn, kept(undefined), {
          reason: "GRAPH_BAD_ANSWER",
          message: `${need.node} of ${graph.name} has not answered with a JSON object`,
          recoverable: true,
        });
      return settle({
        ok: true,
        text: step.text,
        ...("value" in read ? { value: read.value } : {}),
        ...(step.value === undefined ? {} : { value: step.value }),
      });
    }
  }
}

function withRemote({ remote: _, ...need }: GraphNeed, remote: GraphNeed["remote"]): GraphNeed {
  return remote === undefined ? need : { ...need, remote };
}

async function question(deps: PlanDeps, turn: Turn, step: PlanStep): Promise<TurnOutcome> {
  const { plan } = turn;
  const run = plan.graphs?.execution as GraphRun;
  const { remote } = run.needs.find((need) => need.step === step.index) as GraphNeed; // it was added for it
  const named = (remote?.options ?? []).map((label) => ({ id: label, label }));
  const draft = {
    ...questionAsk(step.index, remote?.question ?? "", named, true),
    ...(remote?.credential === undefined ? {} : { credential: remote.credential }),
  };
  return ask(deps, turn, withStep(plan, { ...step, status: "running" }), draft, [startEvent(plan, step)]);
}
