import type { EnforcementLevel } from "./plan.ts";

/** Weakest first. */
export const ENFORCEMENT_LEVELS = [
  "none",
  "container",
  "namespace",
  "full",
] as const satisfies readonly EnforcementLevel[];

export function isWeaker(level: EnforcementLevel, than: EnforcementLevel): boolean {
  const levels: readonly EnforcementLevel[] = ENFORCEMENT_LEVELS;
  return levels.indexOf(level) < levels.indexOf(than);
}

/** Levels that can be demanded. A container is none of them: the project's own description says what it can reach. */
export const DEMANDED_LEVELS = ["namespace", "full"] as const satisfies readonly EnforcementLevel[];
export type DemandedLevel = (typeof DEMANDED_LEVELS)[number];

/** Whether it is us who hold off what commands could do. */
export function confines(level: EnforcementLevel): boolean {
  return !isWeaker(level, ANY_ISOLATION);
}

/** What is enough for who demands isolation without saying how much. */
export const ANY_ISOLATION: DemandedLevel = DEMANDED_LEVELS[0];

/** Who says that commands must be isolated: whoever made the plan, its action, its automation profile, or the operator. */
export const ISOLATION_DEMANDS = ["plan", "action", "profile", "server"] as const;
export type IsolationDemand = (typeof ISOLATION_DEMANDS)[number];

/** Commands would run with less isolation than is demanded, or than the plan has shown. */
export class IsolationError extends Error {
  override readonly name = "IsolationError";
  readonly level: EnforcementLevel;
  readonly why: string;
  /** Undefined if nobody demands it and the plan has shown more. */
  readonly demand: IsolationDemand | undefined;
  constructor(
    level: EnforcementLevel,
    why: string,
    needed: EnforcementLevel | { readonly by: IsolationDemand; readonly level: DemandedLevel },
  ) {
    super(
      typeof needed === "string"
        ? `commands would run with isolation ${level}, and the plan began with ${needed}: ${why}`
        : `commands would run with isolation ${level}, and ${wordsOf(needed)}: ${why}`,
    );
    this.level = level;
    this.why = why;
    this.demand = typeof needed === "string" ? undefined : needed.by;
  }
}

const WHO: Readonly<Record<IsolationDemand, string>> = {
  plan: "the plan",
  action: "its action",
  profile: "its automation profile",
  server: "this server",
};

function wordsOf({ by, level }: { readonly by: IsolationDemand; readonly level: DemandedLevel }): string {
  return `${WHO[by]} demands ${level === ANY_ISOLATION ? "more" : level}`;
}
