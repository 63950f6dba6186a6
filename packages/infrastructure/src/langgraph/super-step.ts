import type { Advanced, GraphCheckpoints, GraphState, GraphStep } from "@cleveragents/application";
import { GRAPH_END, type NodeEffect, type NodeResult } from "@cleveragents/domain";
import { Annotation, Command, END, interrupt, START, StateGraph } from "@langchain/langgraph";
import { copyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { StoredCheckpointer } from "./stored-checkpointer.ts";

const State = Annotation.Root({
  messages: Annotation<GraphState["messages"]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  vars: Annotation<GraphState["vars"]>({ reducer: (a, b) => ({ ...a, ...b }), default: () => ({}) }),
  nodes: Annotation<GraphState["nodes"]>({ reducer: (a, b) => ({ ...a, ...b }), default: () => ({}) }),
  last: Annotation<string>({ reducer: (_, b) => b, default: () => "" }),
});

/** One super-step of LangGraph from a checkpoint; nodes that wait for something interrupt it. */
export async function advance(store: GraphCheckpoints, step: GraphStep): Promise<Advanced> {
  step.signal.throwIfAborted();
  const saver = StoredCheckpointer.at(store, step.at);
  const graph = compiled(step, saver);
  const config = { configurable: { thread_id: step.thread } };
  const answered = Object.keys(step.results).length > 0;
  const input = answered ? new Command({ resume: step.results }) : step.at === undefined ? step.state : null;
  await graph.invoke(input, {
    ...config,
    // Whatever comes next is a step of its own.
    interruptAfter: "*",
    durability: "sync",
    signal: step.signal,
  });
  step.signal.throwIfAborted();
  const { values, tasks, next } = await graph.getState(config);
  const order = Object.keys(step.graph.nodes);
  const needs = tasks
    .flatMap(({ name, interrupts }) =>
      interrupts.flatMap(({ id, value }) =>
        id === undefined ? [] : [{ id, node: name, effect: value as NodeEffect }],
      ),
    )
    .sort((a, b) => order.indexOf(a.node) - order.indexOf(b.node));
  if (saver.head === undefined) throw new Error("the graph has left no checkpoint");
  return { at: saver.head, needs, state: values as GraphState, finished: next.length === 0 };
}

/** The same channels under an id of its own, and nothing of what tasks have written since. */
export async function fork(store: GraphCheckpoints, thread: string, at: string): Promise<string> {
  const saver = StoredCheckpointer.at(store, at);
  const found = await saver.getTuple({ configurable: { thread_id: thread } });
  if (found === undefined) throw new Error("the graph's checkpoint is gone");
  const id = uuid6(-3);
  await saver.put(
    found.parentConfig ?? { configurable: { thread_id: thread } },
    { ...copyCheckpoint(found.checkpoint), id },
    found.metadata ?? { source: "fork", step: 0, parents: {} },
  );
  return id;
}

function compiled(
  { graph: { nodes, edges, entry, choices }, visit, after, choose }: GraphStep,
  saver: StoredCheckpointer,
) {
  // Its types want the names of all nodes beforehand.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const graph: any = new StateGraph(State);
  const target = (name: string) => (name === GRAPH_END ? END : name);
  for (const name of Object.keys(nodes))
    graph.addNode(name, async (state: GraphState) => {
      // Nodes that never wait would leave no room for timers and signals.
      await new Promise(setImmediate);
      const effect = visit(name, state);
      const result = effect === undefined ? undefined : (interrupt(effect) as NodeResult);
      return after(name, state, result);
    });
  graph.addEdge(START, entry);
  for (const { from, to } of edges) {
    const [first] = from;
    graph.addEdge(from.length === 1 ? first : [...from], target(to));
  }
  for (const [name, node] of Object.entries(nodes)) {
    const ways =
      node.kind === "route"
        ? [...node.conditions.map(({ to }) => to), ...(node.otherwise === undefined ? [] : [node.otherwise])]
        : (choices[name] ?? []).map(({ to }) => to);
    if (ways.length > 0)
      graph.addConditionalEdges(name, (state: GraphState) => target(choose(name, state)), [
        ...new Set(ways.map(target)),
      ]);
  }
  return graph.compile({ checkpointer: saver }) as {
    invoke(input: unknown, config: object): Promise<unknown>;
    getState(config: object): Promise<{
      values: unknown;
      next: readonly string[];
      tasks: readonly { name: string; interrupts: readonly { id?: string; value?: unknown }[] }[];
    }>;
  };
}
