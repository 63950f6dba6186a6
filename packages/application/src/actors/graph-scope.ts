import type { FlatGraph, JsonObject, JsonValue } from "@cleveragents/domain";
import { Environment } from "@marcbachmann/cel-js";
import type { GraphState, NodeState } from "../ports/graph-runtime.ts";
import { ExpressionError, firstLine, fromCel, toCel } from "../script/expression.ts";
import { fillWith } from "../script/template.ts";

/** What expressions of a graph see besides what the graph knows. */
export interface GraphGiven {
  readonly args: JsonObject;
  /** What it is about, as text. */
  readonly input: string;
  readonly guidance: readonly string[];
  readonly attempt: number;
  /** What is asked of a graph that looks on. */
  readonly advice?: JsonObject;
}

const environment = new Environment({ homogeneousAggregateLiterals: false })
  .registerVariable("args", "map")
  .registerVariable("vars", "map")
  .registerVariable("nodes", "map")
  .registerVariable("last", "string")
  .registerVariable("input", "string")
  .registerVariable("guidance", "list")
  .registerVariable("attempt", "int")
  .registerVariable("advice", "map");

/** Whether an expression of a graph can be read at all; undefined when it can. */
export function graphSyntaxProblem(expression: string): string | undefined {
  try {
    environment.parse(expression);
    return undefined;
  } catch (error) {
    return firstLine(error);
  }
}

/** What the expressions of one node see; those of a subgraph call its nodes by their own names. */
export class GraphScope {
  readonly #values: Record<string, unknown>;

  constructor(graph: Pick<FlatGraph, "nodes">, node: string, state: GraphState, given: GraphGiven) {
    const within = graph.nodes[node]?.within ?? "";
    const nodes: Record<string, JsonValue> = {};
    for (const name of Object.keys(graph.nodes)) nodes[name] = told(state.nodes[name]);
    for (const name of Object.keys(graph.nodes))
      if (within !== "" && name.startsWith(within))
        nodes[name.slice(within.length)] = told(state.nodes[name]);
    const { vars, last } = state;
    this.#values = toCelMap({ ...given, guidance: [...given.guidance], vars, last, nodes });
  }

  /** Throws `ExpressionError`. */
  holds(expression: string): boolean {
    const value = this.value(expression);
    if (typeof value !== "boolean")
      throw new ExpressionError(expression, `a condition is true or false, this is ${JSON.stringify(value)}`);
    return value;
  }

  value(expression: string): JsonValue {
    try {
      return fromCel(environment.evaluate(expression, this.#values));
    } catch (error) {
      throw new ExpressionError(expression, firstLine(error));
    }
  }

  fill(value: JsonValue): JsonValue {
    return fillWith(value, (expression) => this.value(expression));
  }

  text(template: string): string {
    const value = this.fill(template);
    return typeof value === "string" ? value : JSON.stringify(value);
  }
}

/** A node that was not come by is there, too, so that conditions can ask for it. */
function told(state: NodeState | undefined): JsonValue {
  const { visits = 0, ok = false, text = "", value = {} } = state ?? {};
  return { visits, ok, text, value };
}

function toCelMap(values: JsonObject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, toCel(value)]));
}
