import type { FlatNode, GraphNeed, NodeResult } from "@cleveragents/domain";
import type { AskDraft } from "../plans/gates.ts";
import { OutputLog } from "../plans/output-log.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import { nodeEvent } from "./graph-advancing.ts";
import type { GraphDeps } from "./graph-execution.ts";
import { type GraphLook, type LookedNode, stopped } from "./graph-look.ts";
import { withNeed, withRun } from "./graph-node.ts";
import { callOf } from "./graph-remote.ts";
import { readAnswer } from "./graph-rules.ts";

/** A piece of what a node has done elsewhere; what it asks is asked as everything is before something is done. */
export async function lookElsewhere(
  { remoteNodes }: GraphDeps,
  deps: PlanDeps,
  turn: Turn,
  { graph, run, need, role }: LookedNode,
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
