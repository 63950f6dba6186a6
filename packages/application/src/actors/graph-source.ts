import {
  ACTOR_ROLES,
  DocumentError,
  flattened,
  GraphActorSchema,
  GraphError,
  type JsonObject,
} from "@cleveragents/domain";
import type { DecisionSource } from "../plans/decision-source.ts";
import { adviseWithGraph } from "./graph-advice.ts";
import { executeGraph, type GraphDeps, withGraphRefusal } from "./graph-execution.ts";
import { graphOf } from "./graph-node.ts";
import { strategizeWithGraph } from "./graph-strategy.ts";

/** Plans whose actors are graphs. What a plan keeps of one is the graph with all that it needs of other actors. */
export function createGraphSource(graphs: GraphDeps): DecisionSource {
  const settingsOf = ({ kind, settings }: { readonly kind: string; readonly settings: JsonObject }) =>
    graphs.remoteNodes.find((nodes) => nodes.kind === kind)?.settingsOf(settings) ?? settings;
  return {
    kind: "graph",
    looks: true,
    worksOnly: true,

    async settingsOf(_name, document, find) {
      if (document?.["type"] !== "graph") return undefined;
      try {
        const flat = await flattened(GraphActorSchema.parse(document), find);
        const nodes = Object.entries(flat.nodes).map(([name, node]) => [
          name,
          node.kind === "remote"
            ? { ...node, settings: settingsOf({ kind: node.of, settings: node.settings }) }
            : node,
        ]);
        return { ...flat, nodes: Object.fromEntries(nodes) } as unknown as JsonObject;
      } catch (error) {
        if (!(error instanceof GraphError)) throw error;
        // An actor that it needs has become another one since it was registered.
        throw new DocumentError(
          error.graph,
          error.problems.map(({ node, problem }) => ({ path: `nodes.${node}`, problem })),
        );
      }
    },

    problems({ tools }, plan) {
      const strategy = graphOf(plan, "strategy");
      const submits = Object.values(strategy?.nodes ?? {}).some(
        (node) => node.kind === "llm" && node.submits,
      );
      const missing = new Set(
        ACTOR_ROLES.map((role) => graphOf(plan, role)).flatMap((graph) =>
          Object.values(graph?.nodes ?? {}).flatMap((node) =>
            node.kind === "tool" && tools.find(node.tool) === undefined ? [node.tool] : [],
          ),
        ),
      );
      return [
        ...(strategy === undefined || submits
          ? []
          : [
              {
                check: "actors" as const,
                problem: `${strategy.name} is to decide, and none of its nodes hands anything in (submit_strategy: true)`,
              },
            ]),
        ...[...missing].map((tool) => ({ check: "tools" as const, problem: `there is no tool ${tool}` })),
      ];
    },

    strategize: (deps, turn, record) => strategizeWithGraph(graphs, deps, turn, record),
    // One by one, as the graph comes to them.
    steps: () => [],
    next: (deps, turn, sandbox) => executeGraph(graphs, deps, turn, sandbox),
    refused: withGraphRefusal,
    advise: (deps, turn, request) => adviseWithGraph(graphs, deps, turn, request),
  };
}
