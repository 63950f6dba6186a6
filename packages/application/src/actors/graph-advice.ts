import type { Advice, AdviceRequest } from "../plans/decision-source.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import { adviceText } from "./advice-text.ts";
import type { GraphDeps } from "./graph-execution.ts";
import { lookWithGraph } from "./graph-looking.ts";
import { graphOf } from "./graph-node.ts";
import { handedIn, jsonIn } from "./handed-in.ts";
import { own } from "./submit-strategy.ts";

/**
 * One thing of a graph's opinion: a step of it, a piece of what a node waits for, or what it has come to, which is what a
 * node has handed in, else the JSON that its last node has answered with.
 */
export async function adviseWithGraph(
  graphs: GraphDeps,
  deps: PlanDeps,
  turn: Turn,
  request: AdviceRequest,
): Promise<Advice> {
  const { role, about, form, facts, changes, material } = request;
  const { finished, ...looked } = await lookWithGraph(graphs, deps, turn, {
    role,
    about,
    tool: {
      ...own(form.name, form.description, form.schema),
      ...(form.problem === undefined ? {} : { problem: form.problem }),
      required: true,
    },
    given: {
      input: adviceText(turn.plan, request),
      advice: { role, text: material, changes: changes ?? "", ...facts },
    },
    inWords: (answer) => JSON.stringify(answer),
  });
  if (finished === undefined) return looked;
  const read =
    finished.submitted === undefined ? handedIn(jsonIn(finished.text), form) : { answer: finished.submitted };
  if ("answer" in read) return { ...looked, answer: read.answer };
  const name = graphOf(looked.plan, role)?.name ?? "the graph";
  const message = `what ${name} has come to cannot be taken: ${read.problem}`;
  return { ...looked, failure: { reason: "GRAPH_BAD_ANSWER", message, recoverable: true } };
}
