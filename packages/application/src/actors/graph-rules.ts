import type { FlatGraph, FlatNode, JsonObject, NodeEffect, NodeResult } from "@cleveragents/domain";
import { type GraphState, type GraphStep, NEW_GRAPH_STATE } from "../ports/graph-runtime.ts";
import { type GraphGiven, GraphScope } from "./graph-scope.ts";

/** A graph cannot go on from where it is. */
export class GraphStuckError extends Error {
  override readonly name = "GraphStuckError";
  readonly reason: "GRAPH_NO_WAY" | "GRAPH_BOUND_REACHED";
  constructor(reason: GraphStuckError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** What a graph's nodes want, and what becomes of the graph by them: the same each time it is asked. */
export function rulesOf(
  graph: FlatGraph,
  given: GraphGiven,
): Pick<GraphStep, "state" | "visit" | "after" | "choose"> {
  const scopeOf = (name: string, state: GraphState) => new GraphScope(graph, name, state, given);
  return {
    state: { ...NEW_GRAPH_STATE, vars: graph.vars },

    visit(name, state) {
      const node = graph.nodes[name] as FlatNode; // it was made of these
      const visits = state.nodes[name]?.visits ?? 0;
      if (node.max_visits !== undefined && visits >= node.max_visits)
        throw new GraphStuckError(
          "GRAPH_BOUND_REACHED",
          `${graph.name} has come by ${name} ${visits} times, which is as often as it may`,
        );
      return effectOf(node, () => scopeOf(name, state), state, given);
    },

    after(name, state, result) {
      const node = graph.nodes[name] as FlatNode;
      const visits = (state.nodes[name]?.visits ?? 0) + 1;
      if (result === undefined) return { nodes: { [name]: { visits } } };
      const { ok, text, value } = result;
      const output = "output" in node ? node.output : undefined;
      return {
        nodes: { [name]: { visits, ok, text, ...(value === undefined ? {} : { value }) } },
        last: text,
        ...(node.kind === "ask" && node.gate === true ? {} : { messages: [{ node: name, text }] }),
        ...(output === undefined ? {} : { vars: { [output]: value ?? text } }),
      };
    },

    choose(name, state) {
      const node = graph.nodes[name] as FlatNode;
      const scope = scopeOf(name, state);
      const ways =
        node.kind === "route"
          ? [
              ...node.conditions.map(({ check, to }) => ({ when: check, to })),
              ...(node.otherwise === undefined ? [] : [{ to: node.otherwise, when: undefined }]),
            ]
          : (graph.choices[name] ?? []);
      const way = ways.find(({ when }) => when === undefined || scope.holds(when));
      if (way === undefined)
        throw new GraphStuckError(
          "GRAPH_NO_WAY",
          `none of the conditions behind ${name} holds in ${graph.name}`,
        );
      return way.to;
    },
  };
}

function effectOf(
  node: FlatNode,
  scope: () => GraphScope,
  state: GraphState,
  { input }: GraphGiven,
): NodeEffect | undefined {
  switch (node.kind) {
    case "llm":
      return {
        kind: "llm",
        prompt: node.prompt === undefined ? untold(input, state) : scope().text(node.prompt),
      };
    case "remote":
      return {
        kind: "remote",
        text: node.prompt === undefined ? untold(input, state) : scope().text(node.prompt),
        values: scope().fill(node.input ?? {}) as JsonObject,
      };
    case "tool":
      return { kind: "tool", args: scope().fill(node.arguments) as JsonObject };
    case "ask":
      return { kind: "ask", question: scope().text(node.question) };
    default:
      return undefined;
  }
}

/** What a node is asked that does not say so itself: what it is about, and what the others have said. */
function untold(input: string, { messages }: GraphState): string {
  if (messages.length === 0) return input;
  return `${input}\n\nDone so far:\n${messages.map(({ node, text }) => `[${node}] ${text}`).join("\n\n")}`;
}

/** The text of a node as the value that it was asked for. */
export function readAnswer(
  node: Pick<Extract<FlatNode, { format: unknown }>, "format">,
  text: string,
): NodeResult | { readonly problem: string } {
  if (node.format === "text") return { ok: true, text };
  const problem = "Answer with one JSON object and nothing else: no words around it, no code fence.";
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return { problem };
    return { ok: true, text, value: value as JsonObject };
  } catch {
    return { problem };
  }
}
