/** What an actor does for a plan. */
export const ACTOR_ROLES = ["strategy", "execution", "estimation", "review", "invariant"] as const;
export type ActorRole = (typeof ACTOR_ROLES)[number];

/** Roles that neither decide nor work: they look at a plan and say something about it. */
export const ADVICE_ROLES = ["estimation", "review", "invariant"] as const;
export type AdviceRole = (typeof ADVICE_ROLES)[number];

/** What documents say that an actor is meant for. */
export const ROLE_HINTS = [
  "strategy",
  "execution",
  "estimation",
  "review",
  "invariant_reconciliation",
] as const;
export type RoleHint = (typeof ROLE_HINTS)[number];

/**
 * Whether an actor may have a role, by what its document says that it is meant for: who is meant to look on does not
 * work, and not look on as another. Who is meant to work may look on as well.
 */
export function suits(hint: RoleHint | undefined, role: ActorRole): boolean {
  if (hint === undefined || hint === "strategy" || hint === "execution") return true;
  return (hint === "invariant_reconciliation" ? "invariant" : hint) === role;
}
