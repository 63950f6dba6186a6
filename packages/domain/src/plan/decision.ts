import type { JsonObject } from "../task/message.ts";

export const DECISION_TYPES = [
  "prompt_definition",
  "invariant_enforced",
  "strategy_choice",
  "implementation_choice",
  "resource_selection",
  "subplan_spawn",
  "subplan_parallel_spawn",
  "tool_invocation",
  "validation_response",
  "error_recovery",
  "user_intervention",
] as const;
export type DecisionType = (typeof DECISION_TYPES)[number];

export interface Alternative {
  readonly id: string;
  readonly description: string;
}

/** A node of a plan's decision tree. Only the root (`prompt_definition`) has no parent. */
export interface Decision {
  readonly decisionId: string;
  readonly planId: string;
  readonly type: DecisionType;
  readonly parentId: string | null;
  /** The name that a script gave it; stable over attempts. */
  readonly label?: string;
  readonly question: string;
  readonly chosen: string;
  readonly alternatives: readonly Alternative[];
  /** 0 to 1. */
  readonly confidence: number;
  readonly rationale?: string;
  /** Position in the plan, from 1. */
  readonly sequence: number;
  readonly phase: "strategize" | "execute";
  readonly attempt: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The decision that this one was put in the place of by the user. */
  readonly corrects?: string;
  /** Nothing follows from it any more; it is kept for whoever asks why. */
  readonly supersededBy?: string;
  /** Decisions that it was taken by, besides its parent. */
  readonly dependsOn?: readonly string[];
  /** Of one that starts a plan: the plan's name in its step. */
  readonly subplan?: string;
  /** In Execute: index of the step that took it, or of the next one that had not begun. */
  readonly step?: number;
  /** What the decider knew: prompt, arguments, guidance, earlier choices, files by path and hash; `hash` of it all. */
  readonly context: JsonObject;
}
