import { describe, expect, test } from "vitest";
import { GraphActorSchema } from "./graph-actor-schema.ts";

const HEAD = { name: "mender", type: "graph", description: "Mends", model: "test/model" };
const LLM = { type: "llm" };
const problemsOf = (more: object) =>
  (GraphActorSchema.safeParse({ ...HEAD, ...more }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join(".")}: ${message}`,
  );
const two = { look: LLM, mend: LLM };

describe("an actor that is a graph", () => {
  test("is the same graph in each of its forms", () => {
    const edges = [{ from: "look", to: "mend" }];
    const flat = GraphActorSchema.parse({
      ...HEAD,
      entry_node: "look",
      nodes: { look: { type: "llm", prompt: "x" }, mend: LLM },
      edges,
    });
    const nested = GraphActorSchema.parse({
      ...HEAD,
      route: {
        entry_node: "look",
        nodes: [
          { id: "look", type: "llm", config: { prompt: "x" } },
          { id: "mend", type: "llm" },
        ],
        edges: [{ source: "look", target: "mend" }],
      },
    });
    expect(nested).toEqual(flat);
    expect(GraphActorSchema.parse(JSON.parse(JSON.stringify(flat)))).toEqual(flat);
  });

  test("with one node begins there", () => {
    expect(GraphActorSchema.parse({ ...HEAD, nodes: { only: LLM } })).toMatchObject({
      entry_node: "only",
      edges: [],
    });
  });

  test("reads the names that documents have for the actor of a node", () => {
    for (const key of ["actor", "actor_ref", "actor_path"])
      expect(
        GraphActorSchema.parse({ ...HEAD, nodes: { other: { type: "subgraph", [key]: "local/x" } } }),
      ).toMatchObject({
        nodes: { other: { actor: "local/x" } },
      });
    expect(problemsOf({ nodes: { other: { type: "agent" } } })).toEqual([
      "nodes.other: a node of type agent names one actor, as `actor`",
    ]);
  });

  test.each<[string, object, string]>([
    [
      "an entry that is no node",
      { entry_node: "lok", nodes: two, edges: [{ from: "look", to: "mend" }] },
      'entry_node: there is no node "lok"; there are look, mend',
    ],
    [
      "no entry",
      { nodes: two, edges: [{ from: "look", to: "mend" }] },
      "entry_node: is missing; expected the name of a node",
    ],
    [
      "an edge to nowhere",
      { entry_node: "look", nodes: two, edges: [{ from: "look", to: "men" }] },
      'edges.0.to: there is no node "men"; there are look, mend',
    ],
    [
      "a node that nothing leads to",
      { entry_node: "look", nodes: two },
      "nodes.mend: no way leads from look to mend",
    ],
    [
      "a circle without a condition",
      {
        entry_node: "look",
        nodes: two,
        edges: [
          { from: "look", to: ["mend", "END"] },
          { from: "mend", to: "look" },
        ],
      },
      "nodes.look: leads in a circle without a condition: look → mend → look",
    ],
    [
      "a circle through a condition that nothing bounds",
      {
        route: {
          entry_node: "look",
          nodes: [
            { id: "look", type: "llm" },
            {
              id: "good",
              type: "conditional",
              config: { conditions: [{ check: "last == 'no'", route_to: "look" }], default: "END" },
            },
          ],
          edges: [{ from: "look", to: "good" }],
        },
      },
      "route.nodes.0: leads in a circle that nothing bounds: look → good → look; give one of these nodes `max_visits`",
    ],
    [
      "a condition that leads nowhere",
      {
        route: {
          entry_node: "good",
          nodes: [
            {
              id: "good",
              type: "conditional",
              config: { conditions: [{ check: "true", route_to: "lost" }] },
            },
          ],
        },
      },
      'route.nodes.0.config.conditions.0.route_to: there is no node "lost"; there are good',
    ],
    [
      "an edge out of a conditional node",
      {
        entry_node: "c",
        nodes: { c: { type: "conditional", conditions: [], default: "END" } },
        edges: [{ from: "c", to: "END" }],
      },
      "edges.0.from: c is conditional: it leads where its conditions say, and no edge begins there",
    ],
    [
      "a trap",
      {
        entry_node: "look",
        nodes: { ...two, mend: { ...LLM, max_visits: 2 } },
        edges: [
          { from: "look", to: "mend", when: "true" },
          { from: "look", to: "END" },
          { from: "mend", to: "mend", when: "true" },
        ],
      },
      "nodes.mend: no way leads from mend to an end",
    ],
    [
      "a model that is none",
      { model: "gpt", nodes: { only: LLM } },
      "nodes.only.model: write provider/model, such as openai/gpt-4o, or say the `provider`, too",
    ],
    [
      "a tool node without a tool",
      { nodes: { only: { type: "tool" } } },
      "nodes.only: a node of type tool needs `tool`: the name of a tool",
    ],
  ])("is refused for %s, at its place", (_, more, problem) => {
    expect(problemsOf(more)).toEqual([problem]);
  });

  test("may go in a circle through a condition that is bounded", () => {
    const nodes = { look: { ...LLM, max_visits: 3 }, mend: LLM };
    expect(
      problemsOf({
        entry_node: "look",
        nodes,
        edges: [
          { from: "look", to: "mend", when: "last != ''" },
          { from: "look", to: "END" },
          { from: "mend", to: "look" },
        ],
      }),
    ).toEqual([]);
  });

  test("has no key that nobody reads, in a node neither", () => {
    const found = GraphActorSchema.safeParse({ ...HEAD, nodes: { only: { type: "llm", promt: "x" } } }).error
      ?.issues;
    expect(JSON.stringify(found)).toContain("promt");
  });
});
