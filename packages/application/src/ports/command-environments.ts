import type { PlanEnvironment } from "@cleveragents/domain";

/** A description of an environment in a project; finding it starts nothing. */
export interface FoundEnvironment extends PlanEnvironment {
  /** What it calls itself. */
  readonly title?: string;
  /** Why commands cannot be run in it. */
  readonly unusable?: string;
}

/** An environment as one plan uses it. */
export interface CommandEnvironment extends PlanEnvironment {
  readonly planId: string;
  /** The session that the plan belongs to. */
  readonly contextId: string;
}

/** The environments other than the host itself that commands can be run in. They are started by the first command. */
export interface CommandEnvironments {
  /** What a project describes, by name; `default` first. */
  detect(projectRoot: string): Promise<readonly FoundEnvironment[]>;
  /**
   * Stops what runs of a plan, or of all plans of a session. The next command starts it again, unless it was `forGood`,
   * which also removes what it was made of. Best effort: it settles within seconds, whatever happens is logged, and
   * what could not be stopped is tried again by {@link sweep}.
   */
  stop(
    whose: { readonly planId: string; readonly forGood?: boolean } | { readonly contextId: string },
  ): Promise<void>;
  /** Stops for good what an earlier process has left behind of plans that are over. */
  sweep(isOver: (planId: string) => Promise<boolean>): Promise<void>;
  /** Whether a process before this one has left something running of a plan. */
  leftBehind(planId: string): boolean;
}
