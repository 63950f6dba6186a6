type Range = { readonly min: number; readonly max: number };

/** What a plan is thought to take. Nothing is decided by it. */
export interface Estimate {
  readonly steps: number;
  readonly toolCalls: Range;
  readonly checks: number;
  readonly childPlans: number;
  /** How much there would be to undo if it went wrong. */
  readonly risk: "low" | "medium" | "high";
  /** Earlier plans of its action that are known to have ended well. */
  readonly basedOn: number;
  /** Of those: the time that their calls took, and what they have used. */
  readonly seconds?: Range;
  readonly tokens?: Range;
  readonly cost_usd?: Range;
  /** The actor whose opinion it is, where it is one. */
  readonly by?: string;
  readonly rationale?: string;
  /** Why the actor that was asked has said nothing. */
  readonly unanswered?: string;
}

/** The estimator that needs no model: what stands in the script, and what earlier plans have taken. */
export const HISTORY_ESTIMATOR = "builtin/history";
