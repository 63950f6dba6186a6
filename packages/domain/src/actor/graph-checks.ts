import { type GraphActor, targetsOf } from "./graph.ts";
import { GRAPH_END } from "./graph-node-schema.ts";

/** A part of a graph, so that whoever knows its document can say where it stands. */
export type GraphPlace =
  | { readonly entry: true }
  | { readonly node: string; readonly field?: readonly (string | number)[] }
  | { readonly edge: number; readonly end?: "from" | "to" }
  | { readonly exit: number }
  | { readonly interrupt: number };

export interface GraphProblem {
  readonly at: GraphPlace;
  readonly problem: string;
}

/** Every reason why a graph cannot be run, by itself: what it refers to of others is not looked at. */
export function graphProblems(graph: GraphActor): readonly GraphProblem[] {
  const dangling = danglingNames(graph);
  // What leads nowhere would be told again by each of the others.
  if (dangling.length > 0) return dangling;
  return [...routeProblems(graph), ...reachProblems(graph), ...circleProblems(graph)];
}

function danglingNames(graph: GraphActor): GraphProblem[] {
  const { nodes, edges, entry_node, exit_nodes, interrupt_before } = graph;
  const problems: GraphProblem[] = [];
  const look = (name: string, at: GraphPlace, end = false) => {
    if (nodes[name] !== undefined || (end && name === GRAPH_END)) return;
    problems.push({
      at,
      problem: `there is no node ${JSON.stringify(name)}; there are ${Object.keys(nodes).join(", ")}`,
    });
  };
  look(entry_node, { entry: true });
  edges.forEach(({ from, to }, edge) => {
    for (const name of from) look(name, { edge, end: "from" });
    look(to, { edge, end: "to" }, true);
  });
  for (const [exit, name] of exit_nodes.entries()) look(name, { exit });
  for (const [interrupt, name] of interrupt_before.entries()) look(name, { interrupt });
  for (const [id, node] of Object.entries(nodes)) {
    if (node.type !== "conditional") continue;
    for (const [i, { route_to }] of node.conditions.entries())
      look(route_to, { node: id, field: ["conditions", i, "route_to"] }, true);
    if (node.default !== undefined) look(node.default, { node: id, field: ["default"] }, true);
  }
  return problems;
}

function routeProblems({ nodes, edges }: GraphActor): GraphProblem[] {
  const problems: GraphProblem[] = [];
  const others = new Map<string, number>();
  edges.forEach(({ from, when }, edge) => {
    const [first] = from;
    if (when !== undefined && from.length > 1)
      problems.push({ at: { edge }, problem: "an edge with a condition begins at one node" });
    for (const id of from)
      if (nodes[id]?.type === "conditional")
        problems.push({
          at: { edge, end: "from" },
          problem: `${id} is conditional: it leads where its conditions say, and no edge begins there`,
        });
    const chooses =
      first !== undefined && edges.some((other) => other.when !== undefined && other.from.includes(first));
    if (!chooses || when !== undefined || first === undefined) return;
    if (others.has(first))
      problems.push({ at: { edge }, problem: `${first} has two edges for when no condition holds` });
    others.set(first, edge);
  });
  return problems;
}

function reachProblems(graph: GraphActor): GraphProblem[] {
  const ids = Object.keys(graph.nodes);
  const reached = reachable([graph.entry_node], (id) => targetsOf(graph, id).map(({ to }) => to));
  const into = new Map<string, string[]>();
  for (const id of ids)
    for (const { to } of targetsOf(graph, id)) into.set(to, [...(into.get(to) ?? []), id]);
  const ending = reachable([GRAPH_END], (id) => into.get(id) ?? []);
  return ids.flatMap((node): GraphProblem[] => {
    if (!reached.has(node))
      return [{ at: { node }, problem: `no way leads from ${graph.entry_node} to ${node}` }];
    if (!ending.has(node)) return [{ at: { node }, problem: `no way leads from ${node} to an end` }];
    return [];
  });
}

/** A circle has to go through a condition, which can end it, and by a node that bounds it. */
function circleProblems(graph: GraphActor): GraphProblem[] {
  const ids = Object.keys(graph.nodes);
  const forced = circleIn(ids, (id) =>
    targetsOf(graph, id).flatMap(({ to, conditional }) => (conditional ? [] : [to])),
  );
  if (forced !== undefined)
    return [
      {
        at: { node: forced[0] as string },
        problem: `leads in a circle without a condition: ${[...forced, forced[0]].join(" → ")}`,
      },
    ];
  const unbounded = circleIn(
    ids.filter((id) => graph.nodes[id]?.max_visits === undefined),
    (id) => targetsOf(graph, id).map(({ to }) => to),
  );
  if (unbounded === undefined) return [];
  return [
    {
      at: { node: unbounded[0] as string },
      problem: `leads in a circle that nothing bounds: ${[...unbounded, unbounded[0]].join(" → ")}; give one of these nodes \`max_visits\``,
    },
  ];
}

function reachable(from: readonly string[], next: (id: string) => readonly string[]): ReadonlySet<string> {
  const seen = new Set(from);
  for (const id of seen) for (const to of next(id)) seen.add(to);
  return seen;
}

/** The nodes of a circle among these, in the document's order from its first on; undefined where there is none. */
export function circleIn(
  ids: readonly string[],
  next: (id: string) => readonly string[],
): readonly string[] | undefined {
  const among = new Set(ids);
  const done = new Set<string>();
  const follow = (id: string, way: readonly string[]): readonly string[] | undefined => {
    const at = way.indexOf(id);
    if (at >= 0) return way.slice(at);
    if (done.has(id) || !among.has(id)) return undefined;
    for (const to of next(id)) {
      const found = follow(to, [...way, id]);
      if (found !== undefined) return found;
    }
    done.add(id);
    return undefined;
  };
  for (const id of ids) {
    const circle = follow(id, []);
    if (circle === undefined) continue;
    const first = circle.indexOf(ids.find((known) => circle.includes(known)) ?? id);
    return [...circle.slice(first), ...circle.slice(0, first)];
  }
  return undefined;
}
