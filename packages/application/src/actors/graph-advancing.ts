import type { FlatGraph, GraphNeed, GraphRun, NodeResult, Plan, PlanFailure } from "@cleveragents/domain";
import type { NamedEvent } from "../plans/plan-writer.ts";
import type { GraphRuntime } from "../ports/graph-runtime.ts";
import { type GraphRole, givenTo, threadOf, withRun } from "./graph-node.ts";
import { GraphStuckError, rulesOf } from "./graph-rules.ts";
import type { GraphGiven } from "./graph-scope.ts";

export interface GraphMoved {
  readonly plan: Plan;
  readonly events: readonly NamedEvent[];
  readonly failure?: PlanFailure;
}

export function newRun(plan: Plan, before: GraphRun | undefined, about?: string): GraphRun {
  return {
    attempt: plan.attempt,
    ...(about === undefined ? {} : { about }),
    reversions: plan.reversions ?? 0,
    run: (before?.run ?? 0) + 1,
    needs: [],
    passed: [],
    steps: 0,
    calls: before?.calls ?? 0,
  };
}

/** The graph's next step, from where the plan's document says that it is; committed by the caller. */
export async function advanceGraph(
  runtime: GraphRuntime,
  plan: Plan,
  role: GraphRole,
  graph: FlatGraph,
  run: GraphRun,
  signal: AbortSignal,
  given: GraphGiven = givenTo(plan),
): Promise<GraphMoved> {
  const stop = (reason: string, message: string): GraphMoved => ({
    plan,
    events: [],
    failure: { reason, message, recoverable: true },
  });
  if (run.steps >= graph.max_steps)
    return stop("GRAPH_STEPS_EXHAUSTED", `${graph.name} has not ended within its ${graph.max_steps} steps`);
  try {
    const moved = await runtime.advance({
      ...rulesOf(graph, given),
      graph,
      thread: threadOf(plan, role, run),
      at: run.at,
      results: Object.fromEntries(
        run.needs.flatMap(({ id, result }) => (result === undefined ? [] : [[id, result]])),
      ),
      signal,
    });
    const whole = moved.at !== run.at;
    const steps = whole ? run.steps + 1 : run.steps;
    const { kept = [], ...rest } = run;
    const next: GraphRun = {
      ...(moved.needs.length === 0 && !moved.finished ? run : rest),
      at: moved.at,
      steps,
      needs: moved.needs.map((need): GraphNeed => {
        const { id: _, effect: _e, ...known } = kept.find(({ node }) => node === need.node) ?? {};
        return { ...need, ...known };
      }),
      passed:
        whole && run.at !== undefined && run.needs.length > 0
          ? [...run.passed, { at: run.at, needs: run.needs }]
          : run.passed,
      ...(moved.finished ? { finished: { text: moved.state.last } } : {}),
    };
    const key = `a${plan.attempt}:graph:${role}:${run.run}:${steps}`;
    const data = { role, graph: graph.name, step: steps, nodes: next.needs.map(({ node }) => node) };
    return {
      plan: withRun(plan, role, next),
      events: [
        ...(next.needs.length === 0 ? [] : [{ key: `${key}:begun`, name: "graph.step_begun", data }]),
        ...(moved.finished
          ? [{ key: `${key}:finished`, name: "graph.finished", data: { role, graph: graph.name, steps } }]
          : []),
      ],
    };
  } catch (error) {
    if (error instanceof GraphStuckError) return stop(error.reason, error.message);
    throw error;
  }
}

/** Of a long text people see how it begins. */
const SHOWN = 2000;

/** What has come of a node, for whoever follows. */
export function nodeEvent(
  { attempt }: Plan,
  graph: string,
  { node, callId }: GraphNeed,
  { ok, text }: NodeResult,
): NamedEvent {
  return {
    key: `${callId}:a${attempt}:done`,
    name: "graph.node_finished",
    data: { graph, node, ok, text: text.slice(0, SHOWN) },
  };
}
