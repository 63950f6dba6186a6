import { z } from "zod";
import { NameSchema } from "../action/action-schema.ts";
import { isModelName } from "../model/model-name.ts";
import type { JsonObject, JsonValue } from "../task/message.ts";
import type { GraphActor, GraphEdge, GraphNode, ModelSettingsOfNode } from "./graph.ts";
import { type GraphPlace, type GraphProblem, graphProblems } from "./graph-checks.ts";
import {
  MODEL_FIELDS,
  NodeId,
  type WrittenEdge,
  WrittenEdgeSchema,
  type WrittenNode,
  WrittenNodeSchema,
} from "./graph-node-schema.ts";
import { REMOTE_GRAPH_FIELDS } from "./remote-graph-actor-schema.ts";

type Path = readonly (string | number)[];

const Nodes = z.union([z.record(NodeId, WrittenNodeSchema), z.array(WrittenNodeSchema).min(1)]);
const ROUTE_FIELDS = {
  nodes: Nodes.optional(),
  edges: z.array(WrittenEdgeSchema).optional(),
  entry_node: z.string().min(1).optional(),
  exit_nodes: z.array(z.string().min(1)).optional(),
} as const;

/** How the expressions of a graph are read, where somebody can. */
export interface GraphExpressions {
  /** Why it cannot be read; undefined when it can. */
  syntaxProblem(expression: string): string | undefined;
  /** Those of all templates in a value. */
  expressionsOf(value: JsonValue): readonly string[];
}

/** The YAML of an actor of type `graph`: its nodes at the top, or below `route`. What it reads is in one form. */
export const graphActorSchema = (expressions?: GraphExpressions) =>
  z
    .strictObject({
      name: NameSchema,
      type: z.literal("graph"),
      description: z.string().min(1),
      version: z.string().optional(),
      role_hint: z
        .enum(["strategy", "execution", "estimation", "review", "invariant_reconciliation"])
        .optional(),
      ...MODEL_FIELDS,
      ...ROUTE_FIELDS,
      route: z.strictObject(ROUTE_FIELDS).optional(),
      /** Nodes that somebody has to let begin. */
      interrupt_before: z.array(z.string().min(1)).default([]),
      vars: z.record(z.string().regex(/^[A-Za-z][A-Za-z0-9_]*$/), z.json()).default({}),
      /** Steps of the graph, in each of which nodes that lie side by side count once. */
      max_steps: z.number().int().positive().max(10_000).default(200),
    })
    .transform((written, context): GraphActor => {
      const problems: { readonly path: Path; readonly problem: string }[] = [];
      const say = (path: Path, problem: string) => void problems.push({ path, problem });
      const { graph, places } = normalised(written as unknown as Written, say);
      if (problems.length === 0)
        for (const { at, problem } of [
          ...graphProblems(graph),
          ...modelProblems(graph),
          ...(expressions === undefined ? [] : expressionProblems(graph, expressions)),
        ])
          say(pathOf(at, places), problem);
      for (const { path, problem } of problems)
        context.addIssue({ code: "custom", path: [...path], message: problem });
      return problems.length === 0 ? graph : z.NEVER;
    });

/** As it is read again, once it was checked. */
export const GraphActorSchema = graphActorSchema();

type Written = ModelSettingsOfNode &
  Omit<GraphActor, "nodes" | "edges" | "entry_node" | "exit_nodes"> & {
    readonly nodes?: Record<string, WrittenNode> | WrittenNode[];
    readonly edges?: WrittenEdge[];
    readonly entry_node?: string;
    readonly exit_nodes?: string[];
    readonly route?: Pick<Written, "nodes" | "edges" | "entry_node" | "exit_nodes">;
  };

/** Where the parts of a graph stand in its document. */
interface Places {
  readonly above: Path;
  readonly nodes: Readonly<Record<string, Path>>;
  /** For each edge the one that it was written in. */
  readonly edges: readonly number[];
  readonly written: readonly WrittenEdge[];
  /** Nodes whose fields stand below `config`. */
  readonly config: ReadonlySet<string>;
}

function normalised(
  written: Written,
  say: (path: Path, problem: string) => void,
): { graph: GraphActor; places: Places } {
  const { route, nodes: _n, edges: _e, entry_node: _i, exit_nodes: _x, ...rest } = written;
  const above: Path = route === undefined ? [] : ["route"];
  const of = route ?? written;
  if (route !== undefined)
    for (const field of ["nodes", "edges", "entry_node", "exit_nodes"] as const)
      if (written[field] !== undefined) say([field], "stands beside `route`; it belongs below it");
  const nodes: Record<string, GraphNode> = {};
  const nodePlaces: Record<string, Path> = {};
  const config = new Set<string>();
  const add = (id: string | undefined, node: WrittenNode, path: Path) => {
    if (id === undefined) return say(path, "a node in a list needs an `id`");
    if (nodes[id] !== undefined) return say([...path, "id"], `there are two nodes ${id}`);
    nodePlaces[id] = path;
    if (node.config !== undefined) config.add(id);
    nodes[id] = readNode(node, (field, problem) => say(field === "" ? path : [...path, field], problem));
  };
  if (of.nodes === undefined) say(above, "has no `nodes`");
  else if (Array.isArray(of.nodes)) {
    for (const [i, node] of of.nodes.entries()) add(node.id, node, [...above, "nodes", i]);
  } else
    for (const [key, node] of Object.entries(of.nodes)) {
      const path = [...above, "nodes", key];
      if (node.id !== undefined && node.id !== key) say([...path, "id"], `the node is called ${key} already`);
      add(key, node, path);
    }
  const ids = Object.keys(nodes);
  if (of.nodes !== undefined && ids.length === 0) say([...above, "nodes"], "needs at least one node");
  const edges: GraphEdge[] = [];
  const origins: number[] = [];
  const all = of.edges ?? [];
  for (const [i, edge] of all.entries()) {
    const path = [...above, "edges", i];
    const from = edge.from ?? edge.source;
    const to = edge.to ?? edge.target;
    if (from === undefined) say(path, "says not where it begins: `from` is missing");
    if (to === undefined) say(path, "says not where it leads: `to` is missing");
    if (from === undefined || to === undefined) continue;
    const when = edge.when ?? edge.condition;
    for (const target of typeof to === "string" ? [to] : to) {
      edges.push({
        from: typeof from === "string" ? [from] : from,
        to: target,
        ...(when === undefined ? {} : { when }),
      });
      origins.push(i);
    }
  }
  const entry = of.entry_node ?? (ids.length === 1 ? ids[0] : undefined);
  if (entry === undefined && ids.length > 0)
    say([...above, "entry_node"], "is missing; expected the name of a node");
  const graph: GraphActor = {
    ...rest,
    entry_node: entry ?? "",
    nodes,
    edges,
    exit_nodes: of.exit_nodes ?? [],
  };
  return { graph, places: { above, nodes: nodePlaces, edges: origins, written: all, config } };
}

function readNode(written: WrittenNode, say: (field: string, problem: string) => void): GraphNode {
  const { id: _, config, type, ...own } = written as WrittenNode & { config?: JsonObject };
  for (const key of Object.keys(config ?? {}))
    if ((own as JsonObject)[key] !== undefined) say(key, "stands in the node and below its `config`");
  const all = { ...own, ...config } as Record<string, unknown>;
  const need = (field: string, words: string) => {
    if (all[field] === undefined) say("", `a node of type ${type} needs \`${field}\`: ${words}`);
  };
  switch (type) {
    case "agent":
    case "subgraph": {
      const { actor, actor_ref, actor_path, ...rest } = all;
      const named = [actor, actor_ref, actor_path].filter((name) => name !== undefined);
      if (named.length !== 1) say("", `a node of type ${type} names one actor, as \`actor\``);
      return { ...rest, type, actor: String(named[0] ?? "") } as GraphNode;
    }
    case "tool":
      need("tool", "the name of a tool");
      return { arguments: {}, on_error: "stop", ...all, type } as unknown as GraphNode;
    case "conditional":
      need("conditions", "a list of `check` and `route_to`");
      return { conditions: [], ...all, type } as unknown as GraphNode;
    case "remote_graph":
      need("url", "the address of a LangGraph server");
      need("graph_id", "the name of a graph there");
      return remoteNode(all);
    case "ask":
    case "human":
      need("question", "what is asked");
      return { options: [], ...all, type: "ask" } as unknown as GraphNode;
    case "llm": {
      const { lsp_binding, ...rest } = all;
      if (lsp_binding !== undefined && all["lsp"] !== undefined)
        say("lsp_binding", "stands beside `lsp`, which is the same");
      return {
        ...(lsp_binding === undefined ? {} : { lsp: lsp_binding }),
        ...rest,
        type,
      } as unknown as GraphNode;
    }
  }
}

/** What says which graph it is stands apart from what it is asked. */
function remoteNode(all: Record<string, unknown>): GraphNode {
  const asked = ["description", "max_visits", "prompt", "input", "output", "format"];
  const of = Object.entries(all).filter(([key]) => key in REMOTE_GRAPH_FIELDS);
  const rest = Object.entries(all).filter(([key]) => asked.includes(key));
  return { ...Object.fromEntries([...rest, ...of]), type: "remote_graph" } as unknown as GraphNode;
}

function expressionProblems(
  { nodes, edges }: GraphActor,
  { syntaxProblem, expressionsOf }: GraphExpressions,
): readonly GraphProblem[] {
  const problems: GraphProblem[] = [];
  const look = (at: GraphPlace, expression: string) => {
    const problem = syntaxProblem(expression);
    if (problem !== undefined)
      problems.push({ at, problem: `the expression ${expression} cannot be read: ${problem}` });
  };
  for (const [edge, { when }] of edges.entries()) if (when !== undefined) look({ edge }, when);
  for (const [node, of] of Object.entries(nodes)) {
    if (of.type === "conditional")
      for (const [i, { check }] of of.conditions.entries())
        look({ node, field: ["conditions", i, "check"] }, check);
    for (const field of ["prompt", "question", "arguments", "input"] as const)
      for (const expression of expressionsOf((of as unknown as JsonObject)[field] ?? null))
        look({ node, field: [field] }, expression);
  }
  return problems;
}

function modelProblems(graph: GraphActor): GraphProblem[] {
  return Object.entries(graph.nodes).flatMap(([node, of]): GraphProblem[] => {
    if (of.type !== "llm") return [];
    const model = modelOfNode(graph, of);
    if (model === undefined)
      return [{ at: { node }, problem: "has no `model`, and the graph has none for all" }];
    if (isModelName(model)) return [];
    return [
      {
        at: { node, field: ["model"] },
        problem: "write provider/model, such as openai/gpt-4o, or say the `provider`, too",
      },
    ];
  });
}

/** `provider/model` of a node, by what it says and what the graph says for all. */
export function modelOfNode(graph: ModelSettingsOfNode, node: ModelSettingsOfNode): string | undefined {
  const model = node.model ?? graph.model;
  const provider = node.provider ?? (node.model === undefined ? graph.provider : undefined);
  if (model === undefined || provider === undefined || model.startsWith(`${provider}/`)) return model;
  return `${provider}/${model}`;
}

function pathOf(at: GraphPlace, { above, nodes, edges, written, config }: Places): Path {
  if ("entry" in at) return [...above, "entry_node"];
  if ("exit" in at) return [...above, "exit_nodes", at.exit];
  if ("interrupt" in at) return ["interrupt_before", at.interrupt];
  if ("edge" in at) {
    const i = edges[at.edge] ?? at.edge;
    const key = at.end === "from" ? "source" : "target";
    const end = at.end === undefined ? [] : [written[i]?.[key] === undefined ? at.end : key];
    return [...above, "edges", i, ...end];
  }
  const below = at.field === undefined ? [] : [...(config.has(at.node) ? ["config"] : []), ...at.field];
  return [...(nodes[at.node] ?? []), ...below];
}
