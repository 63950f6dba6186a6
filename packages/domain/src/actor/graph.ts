import type { JsonObject } from "../task/message.ts";

export interface ModelSettingsOfNode {
  readonly provider?: string;
  readonly model?: string;
  readonly system_prompt?: string;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_tokens?: number;
  readonly tools?: readonly string[];
  readonly limits?: JsonObject;
  readonly compact?: boolean;
  readonly lsp?: JsonObject;
}

interface Visited {
  readonly description?: string;
  readonly max_visits?: number;
}
interface Answered {
  readonly output?: string;
  readonly format?: "text" | "json";
}

export type GraphNode = Visited &
  (
    | ({
        readonly type: "llm";
        readonly prompt?: string;
        readonly submit_strategy?: boolean;
        readonly submit?: boolean;
      } & ModelSettingsOfNode &
        Answered)
    | ({
        readonly type: "agent";
        readonly actor: string;
        readonly prompt?: string;
        readonly input?: JsonObject;
      } & Answered)
    | { readonly type: "subgraph"; readonly actor: string }
    | {
        readonly type: "tool";
        readonly tool: string;
        readonly arguments: JsonObject;
        readonly output?: string;
        readonly on_error: "stop" | "continue";
      }
    | {
        readonly type: "conditional";
        readonly conditions: readonly { readonly check: string; readonly route_to: string }[];
        readonly default?: string;
      }
    | ({
        readonly type: "remote_graph";
        readonly url: string;
        readonly graph_id: string;
        readonly prompt?: string;
        readonly input?: JsonObject;
      } & Answered)
    | {
        readonly type: "ask";
        readonly question: string;
        readonly options: readonly string[];
        readonly output?: string;
      }
  );

/** Leads on when all of `from` have been come by; of edges with `when` from one node the first that holds is taken. */
export interface GraphEdge {
  readonly from: readonly string[];
  readonly to: string;
  readonly when?: string;
}

/** An actor that is a graph, in one form whatever its document's was. */
export interface GraphActor extends ModelSettingsOfNode {
  readonly name: string;
  readonly type: "graph";
  readonly description: string;
  readonly version?: string;
  readonly role_hint?: string;
  readonly entry_node: string;
  readonly nodes: Readonly<Record<string, GraphNode>>;
  readonly edges: readonly GraphEdge[];
  readonly exit_nodes: readonly string[];
  readonly interrupt_before: readonly string[];
  /** What `vars` are at the beginning. */
  readonly vars: JsonObject;
  readonly max_steps: number;
}

/** Where a node leads, END included: one row for each way that is taken whole. */
export function targetsOf(
  { nodes, edges, exit_nodes }: Pick<GraphActor, "nodes" | "edges" | "exit_nodes">,
  id: string,
): readonly { readonly to: string; readonly conditional: boolean }[] {
  const node = nodes[id];
  const own = edges.filter(({ from }) => from.includes(id));
  const chooses = own.some(({ when }) => when !== undefined);
  const ways = own.map(({ to }) => ({ to, conditional: chooses }));
  if (node?.type === "conditional") {
    for (const { route_to } of node.conditions) ways.push({ to: route_to, conditional: true });
    if (node.default !== undefined) ways.push({ to: node.default, conditional: true });
  }
  if (ways.length === 0 || exit_nodes.includes(id)) ways.push({ to: "END", conditional: false });
  return ways;
}
