import type { Plan } from "../plan/plan.ts";
import { builtinProfile } from "./builtin-profiles.ts";
import type { AutomationProfile } from "./profile.ts";

/** The profile that a plan was made with, as it was then. */
export function profileOf(plan: Pick<Plan, "profile">): AutomationProfile {
  return plan.profile.settings ?? builtinProfile(plan.profile.name);
}
