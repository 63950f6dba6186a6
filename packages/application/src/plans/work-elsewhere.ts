import type { Plan } from "@cleveragents/domain";
import type { NamedEvent } from "./plan-writer.ts";

/** What others do for plans, on machines of theirs. */
export interface WorkElsewhere {
  /**
   * Stops what nobody wants any more of a plan that is being taken back, in bounded time; whoever cannot be told goes on
   * over there, and the events say so. Answers the plan without it. Safe to do again. Throws the signal's reason.
   */
  undone(
    before: Plan,
    after: Plan,
    signal: AbortSignal,
  ): Promise<{ readonly plan: Plan; readonly events: readonly NamedEvent[] }>;
}
