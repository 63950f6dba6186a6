import { canonicalName, InvalidNameError, isProviderActor } from "../names/name.ts";
import type { JsonObject } from "../task/message.ts";
import type { GraphActor, GraphNode, ModelSettingsOfNode } from "./graph.ts";
import { GraphActorSchema, modelOfNode } from "./graph-actor-schema.ts";
import { GRAPH_END } from "./graph-node-schema.ts";
import { type LlmActor, LlmActorSchema, providerActor } from "./llm-actor-schema.ts";
import { ToolActorSchema } from "./tool-actor-schema.ts";

/** What a node does, with all that it needs of other actors in it. */
export type FlatNode = {
  readonly max_visits?: number;
  /** The subgraph that it is of, as the beginning of its name: `review/`. */
  readonly within: string;
} & (
  | {
      readonly kind: "llm";
      readonly actor: LlmActor;
      readonly prompt?: string;
      readonly submits: boolean;
      readonly output?: string;
      readonly format: "text" | "json";
    }
  | {
      readonly kind: "remote";
      /** Who carries it out: the type of the actor. */
      readonly of: string;
      readonly settings: JsonObject;
      readonly prompt?: string;
      readonly input?: JsonObject;
      readonly output?: string;
      readonly format: "text" | "json";
    }
  | {
      readonly kind: "tool";
      readonly tool: string;
      readonly arguments: JsonObject;
      readonly output?: string;
      readonly goesOn: boolean;
    }
  | {
      readonly kind: "route";
      readonly conditions: readonly { readonly check: string; readonly to: string }[];
      readonly otherwise?: string;
    }
  | {
      readonly kind: "ask";
      readonly question: string;
      readonly options: readonly string[];
      readonly output?: string;
      /** It asks whether the graph may go on. */
      readonly gate?: true;
    }
  | { readonly kind: "pass" }
);

/** A graph with its subgraphs laid into it: what a plan keeps of one. */
export interface FlatGraph {
  readonly name: string;
  readonly entry: string;
  readonly nodes: Readonly<Record<string, FlatNode>>;
  readonly edges: readonly { readonly from: readonly string[]; readonly to: string }[];
  /** Of nodes that choose by their edges: the first whose condition holds, else the one without. */
  readonly choices: Readonly<Record<string, readonly { readonly when?: string; readonly to: string }[]>>;
  readonly vars: JsonObject;
  readonly max_steps: number;
}

export interface FlatProblem {
  readonly node: string;
  readonly problem: string;
}

/** A graph cannot be put together from its actors. */
export class GraphError extends Error {
  override readonly name = "GraphError";
  readonly graph: string;
  readonly problems: readonly FlatProblem[];
  constructor(graph: string, problems: readonly FlatProblem[]) {
    super(`${graph}: ${problems.map(({ node, problem }) => `${node}: ${problem}`).join("; ")}`);
    this.graph = graph;
    this.problems = problems;
  }
}

/** The document of a registered actor by its full name. */
export type FindActor = (name: string) => Promise<JsonObject | undefined>;

const MOST_NODES = 500;

/** Throws {@link GraphError} for what others would have to be and are not; its nodes are those of `actor` itself. */
export async function flattened(actor: GraphActor, find: FindActor): Promise<FlatGraph> {
  const problems: FlatProblem[] = [];
  const flat = new Flattening(find);
  const vars = await flat.lay(actor, "", [actor.name], (node, problem) => problems.push({ node, problem }));
  if (Object.keys(flat.nodes).length > MOST_NODES)
    problems.push({
      node: actor.entry_node,
      problem: `with its subgraphs it has more than ${MOST_NODES} nodes`,
    });
  if (problems.length > 0) throw new GraphError(actor.name, problems);
  return {
    name: actor.name,
    entry: flat.begin(actor, "", actor.entry_node),
    nodes: flat.nodes,
    edges: flat.edges,
    choices: flat.choices,
    vars,
    max_steps: actor.max_steps,
  };
}

class Flattening {
  readonly nodes: Record<string, FlatNode> = {};
  readonly edges: { from: string[]; to: string }[] = [];
  readonly choices: Record<string, { when?: string; to: string }[]> = {};
  /** The graph that a node stands for. */
  readonly #inner = new Map<string, GraphActor>();
  readonly #find: FindActor;

  constructor(find: FindActor) {
    this.#find = find;
  }

  /** The variables that the graph begins with. */
  async lay(
    graph: GraphActor,
    within: string,
    way: readonly string[],
    say: (node: string, problem: string) => void,
  ): Promise<JsonObject> {
    let vars: JsonObject = {};
    for (const [id, node] of Object.entries(graph.nodes)) {
      const found = await this.#resolve(graph, node, within, (problem) => say(id, problem));
      if (found === undefined) continue;
      const own = { ...(node.max_visits === undefined ? {} : { max_visits: node.max_visits }), within };
      if ("graph" in found) {
        if (way.includes(found.graph.name)) {
          say(id, `leads in a circle: ${[...way, found.graph.name].join(" → ")}`);
          continue;
        }
        this.#inner.set(within + id, found.graph);
        this.nodes[within + id] = { ...own, kind: "pass" };
        const inside = `${within}${id}/`;
        vars = {
          ...vars,
          ...(await this.lay(found.graph, inside, [...way, found.graph.name], (_, problem) =>
            say(id, problem),
          )),
        };
      } else this.nodes[within + id] = { ...own, ...found.node };
    }
    for (const id of graph.interrupt_before) {
      this.nodes[`${within}${id}?`] = {
        within,
        kind: "ask",
        question: `Shall ${within}${id} begin?`,
        options: ["go on", "stop"],
        gate: true,
      };
      this.edges.push({ from: [`${within}${id}?`], to: this.#inside(within, id) });
    }
    this.#lead(graph, within);
    return { ...vars, ...graph.vars };
  }

  /** Where a way leads on that leads to a node of this graph, or to its end. */
  begin(graph: GraphActor, within: string, id: string): string {
    // Behind a subgraph comes the node that stands for it.
    if (id === GRAPH_END) return within === "" ? GRAPH_END : within.slice(0, -1);
    if (graph.interrupt_before.includes(id)) return `${within}${id}?`;
    return this.#inside(within, id);
  }

  #inside(within: string, id: string): string {
    const inner = this.#inner.get(within + id);
    return inner === undefined ? within + id : this.begin(inner, `${within}${id}/`, inner.entry_node);
  }

  #lead(graph: GraphActor, within: string): void {
    for (const [id, node] of Object.entries(graph.nodes)) {
      if (node.type === "conditional") {
        this.nodes[within + id] = {
          ...(node.max_visits === undefined ? {} : { max_visits: node.max_visits }),
          within,
          kind: "route",
          conditions: node.conditions.map(({ check, route_to }) => ({
            check,
            to: this.begin(graph, within, route_to),
          })),
          ...(node.default === undefined ? {} : { otherwise: this.begin(graph, within, node.default) }),
        };
        continue;
      }
      const own = graph.edges.filter(({ from }) => from.includes(id));
      if (own.some(({ when }) => when !== undefined))
        this.choices[within + id] = own
          .toSorted((a, b) => Number(a.when === undefined) - Number(b.when === undefined))
          .map(({ when, to }) => ({
            ...(when === undefined ? {} : { when }),
            to: this.begin(graph, within, to),
          }));
      if (own.length === 0 || graph.exit_nodes.includes(id))
        this.edges.push({ from: [within + id], to: this.begin(graph, within, GRAPH_END) });
    }
    for (const { from, to } of graph.edges)
      if (!from.some((id) => this.choices[within + id] !== undefined))
        this.edges.push({ from: from.map((id) => within + id), to: this.begin(graph, within, to) });
  }

  async #resolve(
    graph: GraphActor,
    node: GraphNode,
    within: string,
    say: (problem: string) => void,
  ): Promise<{ readonly node: FlatNode } | { readonly graph: GraphActor } | undefined> {
    const own = { within };
    switch (node.type) {
      case "llm":
        return { node: { ...own, ...llmNode(graph, node) } };
      case "tool":
        return {
          node: {
            ...own,
            kind: "tool",
            tool: node.tool,
            arguments: node.arguments,
            goesOn: node.on_error === "continue",
            ...named(node),
          },
        };
      case "conditional":
        // Its ways are known when all nodes are.
        return { node: { ...own, kind: "pass" } };
      case "ask":
        return {
          node: { ...own, kind: "ask", question: node.question, options: node.options, ...named(node) },
        };
      case "remote_graph": {
        const { prompt, input, output: _o, format: _f, max_visits: _m, description: _d, ...settings } = node;
        return {
          node: {
            ...own,
            kind: "remote",
            of: "remote_graph",
            settings: settings as unknown as JsonObject,
            ...asked({ prompt, input }),
            ...answered(node),
          },
        };
      }
      case "agent":
      case "subgraph": {
        const found = await this.#actor(node.actor);
        if (found === undefined) return void say(`there is no actor ${node.actor}`);
        if (found["type"] === "graph") return { graph: GraphActorSchema.parse(found) };
        if (node.type === "subgraph")
          return void say(`${node.actor} is no graph; a node of type agent takes other actors`);
        if (found["type"] === "script")
          return void say(`${node.actor} is a script, which decides for whole plans only`);
        if (found["type"] === "llm")
          return {
            node: {
              ...own,
              kind: "llm",
              actor: LlmActorSchema.parse(found),
              submits: false,
              ...(node.prompt === undefined ? {} : { prompt: node.prompt }),
              ...answered(node),
            },
          };
        if (found["type"] === "tool") {
          const { tool, arguments: args } = ToolActorSchema.parse(found);
          const given = { ...args, ...node.input };
          return { node: { ...own, kind: "tool", tool, arguments: given, goesOn: false, ...named(node) } };
        }
        return {
          node: {
            ...own,
            kind: "remote",
            of: String(found["type"]),
            settings: found,
            ...asked(node),
            ...answered(node),
          },
        };
      }
    }
  }

  async #actor(name: string): Promise<JsonObject | undefined> {
    const found = await this.#find(fullName(name));
    return found ?? (isProviderActor(name) ? (providerActor(name) as unknown as JsonObject) : undefined);
  }
}

function fullName(name: string): string {
  try {
    return canonicalName(name);
  } catch (error) {
    if (error instanceof InvalidNameError) return name;
    throw error;
  }
}

type LlmNode = Extract<GraphNode, { type: "llm" }>;

function llmNode(graph: GraphActor, node: LlmNode) {
  const shared = (key: keyof ModelSettingsOfNode) => node[key] ?? graph[key];
  const settings = Object.fromEntries(
    (
      ["system_prompt", "temperature", "top_p", "max_tokens", "tools", "limits", "compact", "lsp"] as const
    ).flatMap((key) => {
      const value = shared(key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
  const actor = LlmActorSchema.parse({
    // A node without tools has none: those of an actor that is a model alone are for whole plans.
    tools: [],
    ...settings,
    name: graph.name,
    type: "llm",
    description: node.description ?? graph.description,
    model: modelOfNode(graph, node),
  });
  return {
    kind: "llm" as const,
    actor,
    submits: node.submit_strategy === true || node.submit === true,
    ...(node.prompt === undefined ? {} : { prompt: node.prompt }),
    ...answered(node),
  };
}

function named({ output }: { readonly output?: string }) {
  return output === undefined ? {} : { output };
}

function answered({
  output,
  format = "text",
}: {
  readonly output?: string;
  readonly format?: "text" | "json";
}) {
  return { ...named({ ...(output === undefined ? {} : { output }) }), format };
}

function asked({
  prompt,
  input,
}: {
  readonly prompt?: string | undefined;
  readonly input?: JsonObject | undefined;
}) {
  return { ...(prompt === undefined ? {} : { prompt }), ...(input === undefined ? {} : { input }) };
}
