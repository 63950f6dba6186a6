import type { FlatGraph, JsonObject, NodeEffect, NodeResult } from "@cleveragents/domain";

/** What a graph knows, in whatever order its nodes are come by. */
export interface GraphState {
  /** What its nodes have said, oldest first. */
  readonly messages: readonly { readonly node: string; readonly text: string }[];
  readonly vars: JsonObject;
  /** By node: what came of it last, and how often it was come by. */
  readonly nodes: Readonly<Record<string, NodeState>>;
  /** What was said last. */
  readonly last: string;
}
export interface NodeState {
  readonly visits: number;
  readonly ok?: boolean;
  readonly text?: string;
  readonly value?: JsonObject;
}

export const NEW_GRAPH_STATE: GraphState = { messages: [], vars: {}, nodes: {}, last: "" };

/** What a node does when it is come by: nothing but to lead on, or it waits for something. */
export type Visit = NodeEffect | undefined;

/** One step of a graph, of all nodes that lie side by side. */
export interface GraphStep {
  readonly graph: Pick<FlatGraph, "entry" | "nodes" | "edges" | "choices">;
  /** Names what the graph keeps. */
  readonly thread: string;
  /** The checkpoint that it goes on from; from its beginning when absent. */
  readonly at: string | undefined;
  /** What it begins with. */
  readonly state: GraphState;
  /** What nodes have waited for, by the ids that they have waited with; of all of them or of none. */
  readonly results: Readonly<Record<string, NodeResult>>;
  readonly signal: AbortSignal;
  /** Pure, as the next two: they are called again when a step is taken again. What they throw is thrown. */
  visit(node: string, state: GraphState): Visit;
  /** What the state becomes; `result` is absent for a node that waits for nothing. */
  after(node: string, state: GraphState, result: NodeResult | undefined): Partial<GraphState>;
  /** Where a node leads that chooses; `END` ends the graph. */
  choose(node: string, state: GraphState): string;
}

export interface Advanced {
  /** The checkpoint that it stands at now. Another one only once the whole step was taken. */
  readonly at: string;
  /** What nodes wait for, in the order of the graph's nodes. */
  readonly needs: readonly { readonly id: string; readonly node: string; readonly effect: NodeEffect }[];
  readonly state: GraphState;
  readonly finished: boolean;
}

/**
 * Moves graphs on. How far one has come is a checkpoint that never changes: taking the same step again from the same one
 * is harmless, and comes to the same.
 */
export interface GraphRuntime {
  /** Takes one step, or finds out what has to come first. Throws the signal's reason. */
  advance(step: GraphStep): Promise<Advanced>;
  /** The checkpoint that was made last of a graph that one worker alone takes on; undefined before it has begun. */
  newest(thread: string): Promise<string | undefined>;
  /** A checkpoint that is like another one was when it began, for going on otherwise from there. */
  fork(thread: string, at: string): Promise<string>;
  /** Forgets all about a graph. */
  forget(thread: string): Promise<void>;
}
