import {
  canonicalName,
  type DocumentProblem,
  flattened,
  type GraphActor,
  GraphError,
  graphActorSchema,
  type JsonObject,
} from "@cleveragents/domain";
import { graphSyntaxProblem } from "../../actors/graph-scope.ts";
import type { RegistryStore } from "../../ports/registry-store.ts";
import { expressionsOf } from "../../script/template.ts";
import type { Reference } from "./entry-kind.ts";

/** The YAML of an actor of type `graph`, with every expression of it read. */
export const CheckedGraphActorSchema = graphActorSchema({ syntaxProblem: graphSyntaxProblem, expressionsOf });

/** What a graph needs of others and cannot have, each at its node. */
export async function graphDocumentProblems(
  registry: Pick<RegistryStore, "find">,
  graph: GraphActor,
): Promise<readonly DocumentProblem[]> {
  const self = canonicalName(graph.name);
  try {
    await flattened({ ...graph, name: self }, async (name) => {
      // What it was before is replaced by it.
      if (name === self) return { ...STANDS_FOR_ITSELF, name };
      return (await registry.find("actor", name))?.document;
    });
    return [];
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    return error.problems.map(({ node, problem }) => ({ path: `nodes.${node}`, problem }));
  }
}

const STANDS_FOR_ITSELF = {
  type: "graph",
  description: "itself",
  nodes: { only: { type: "ask", question: "?" } },
};

/** The actors and tools that the nodes of a graph name. */
export function graphReferences(document: JsonObject): readonly Reference[] {
  if (document["type"] !== "graph") return [];
  return Object.entries((document["nodes"] ?? {}) as Record<string, JsonObject>).flatMap(
    ([id, node]): Reference[] => {
      const { actor, tool, tools } = node;
      return [
        ...(typeof actor === "string"
          ? [{ path: `nodes.${id}.actor`, kind: "actor" as const, name: actor, acyclic: true as const }]
          : []),
        ...(typeof tool === "string"
          ? [{ path: `nodes.${id}.tool`, kind: "tool" as const, name: tool, unchecked: true as const }]
          : []),
        ...(Array.isArray(tools) ? tools : []).map((name, i) => ({
          path: `nodes.${id}.tools.${i}`,
          kind: "tool" as const,
          name: String(name),
          unchecked: true as const,
        })),
      ];
    },
  );
}
