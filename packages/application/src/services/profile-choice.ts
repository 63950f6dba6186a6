import { builtinProfile, DEFAULT_PROFILE } from "@cleveragents/domain";

/** The profile of a new plan and where it comes from: plan > action > project > global. Throws `UnknownProfileError`. */
export function chooseProfile(candidates: {
  readonly plan?: string | undefined;
  readonly action?: string | undefined;
  readonly project?: string | undefined;
  readonly global?: string | undefined;
}): { readonly name: string; readonly source: string } {
  for (const source of ["plan", "action", "project", "global"] as const) {
    const name = candidates[source];
    if (name !== undefined) return { name: builtinProfile(name).name, source };
  }
  return { name: DEFAULT_PROFILE, source: "global" };
}
