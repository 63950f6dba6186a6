import type { Plan, SubmittedStrategy } from "@cleveragents/domain";
import type { DecisionSource } from "../plans/decision-source.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import type { GraphDeps } from "./graph-execution.ts";
import type { Looking } from "./graph-look.ts";
import { lookWithGraph } from "./graph-looking.ts";
import { graphOf } from "./graph-node.ts";
import { conversationOf, withConversation } from "./mind.ts";
import { decideAll } from "./strategist.ts";
import { submitStrategyTool } from "./submit-strategy.ts";

type Record = Parameters<DecisionSource["strategize"]>[2];
type Step = Awaited<ReturnType<DecisionSource["strategize"]>>;

const STRATEGY: Looking = {
  role: "strategy",
  tool: submitStrategyTool,
  inWords: (answer) =>
    (answer as unknown as SubmittedStrategy).decisions
      .map(({ question, choice }) => `${question} ${choice}`)
      .join("\n"),
};

/** One thing in Strategize: a step of the graph, a piece of what a node waits for, or the decisions that were handed in. */
export async function strategizeWithGraph(
  graphs: GraphDeps,
  deps: PlanDeps,
  turn: Turn,
  record: Record,
): Promise<Step> {
  const { finished, ...looked } = await lookWithGraph(graphs, deps, turn, STRATEGY);
  if (finished === undefined)
    return looked.failure !== undefined || looked.ask !== undefined ? looked : { ...looked, more: true };
  const { plan } = looked;
  const submitted = (finished.submitted ?? { decisions: [], steps: [] }) as unknown as SubmittedStrategy; // by its schema
  const graph = graphOf(plan, "strategy")?.name ?? "";
  return decideAll(deps, withSubmitted(plan, submitted), submitted, record, { graph });
}

/** Where the rest of the plan looks for it, whatever was said after it. */
function withSubmitted(plan: Plan, submitted: SubmittedStrategy): Plan {
  return withConversation(plan, "strategy", { ...conversationOf(plan, "strategy"), submitted });
}
