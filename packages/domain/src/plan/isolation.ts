import type { EnforcementLevel } from "./plan.ts";

/** Weakest first. */
const LEVELS: readonly EnforcementLevel[] = ["none", "namespace", "full"];

export function isWeaker(level: EnforcementLevel, than: EnforcementLevel): boolean {
  return LEVELS.indexOf(level) < LEVELS.indexOf(than);
}

/** Who says that commands must be isolated: whoever made the plan, its automation profile, or the operator. */
const ISOLATION_DEMANDS = ["plan", "profile", "server"] as const;
export type IsolationDemand = (typeof ISOLATION_DEMANDS)[number];

/** Commands would run with less isolation than is demanded, or than the plan has shown. */
export class IsolationError extends Error {
  override readonly name = "IsolationError";
  readonly level: EnforcementLevel;
  readonly why: string;
  /** Undefined if nobody demands it and the plan has shown more. */
  readonly demand: IsolationDemand | undefined;
  constructor(level: EnforcementLevel, why: string, needed: IsolationDemand | EnforcementLevel) {
    const demand = ISOLATION_DEMANDS.find((known) => known === needed);
    super(
      demand === undefined
        ? `commands would run with isolation ${level}, and the plan began with ${needed}: ${why}`
        : `commands would run with isolation ${level}, and ${DEMANDS[demand]}: ${why}`,
    );
    this.level = level;
    this.why = why;
    this.demand = demand;
  }
}

const DEMANDS: Readonly<Record<IsolationDemand, string>> = {
  plan: "the plan demands more",
  profile: "its automation profile demands more",
  server: "this server demands more",
};
