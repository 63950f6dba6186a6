import type {
  ActorRole,
  FlatGraph,
  GraphNeed,
  GraphRun,
  JsonObject,
  Plan,
  PlanFailure,
} from "@cleveragents/domain";
import type { AskDraft } from "../plans/gates.ts";
import type { NamedEvent } from "../plans/plan-writer.ts";
import type { ModelTool } from "../ports/language-model.ts";
import type { GraphGiven } from "./graph-scope.ts";
import type { OwnTool } from "./take-answer.ts";

/** A graph that changes nothing: it decides, or it says something about a plan. */
export interface Looking {
  readonly role: Exclude<ActorRole, "execution">;
  /** Which question of the plan's attempt it is about, where there are several. */
  readonly about?: string;
  /** What its nodes hand in. */
  readonly tool: OwnTool & { readonly offered: ModelTool };
  /** What it is about and its expressions see, besides what the plan says by itself. */
  readonly given?: Pick<GraphGiven, "input" | "advice">;
  /** In a few words what was handed in, for the nodes behind. */
  readonly inWords: (answer: JsonObject) => string;
}

/** What one thing of it has come to; its caller commits all of it at once. */
export interface GraphLook {
  readonly plan: Plan;
  readonly events: readonly NamedEvent[];
  readonly ask?: AskDraft;
  readonly failure?: PlanFailure;
  /** It is at its end: what was handed in, and what was said last. */
  readonly finished?: { readonly submitted?: JsonObject; readonly text: string };
}

/** A node that is waited for. */
export interface LookedNode extends Looking {
  readonly graph: FlatGraph;
  readonly run: GraphRun;
  readonly need: GraphNeed;
}

/** It cannot go on, and somebody has to say what is to be done. */
export function stopped(plan: Plan, message: string): GraphLook {
  return { plan, events: [], failure: { reason: "GRAPH_NODE_UNAVAILABLE", message, recoverable: true } };
}
