/** Discovered is every skill that is not in here. */
type SkillState = "discovered" | "activated" | "executing" | "deactivated" | "errored";

const MOST_PLANS = 1000;

/**
 * Which skills a plan has loaded. Forgotten with the process, and nothing depends on it but what a model is told again:
 * a skill that is activated twice is not told twice.
 */
export class ActiveSkills {
  readonly #plans = new Map<string, Map<string, SkillState>>();

  state(planId: string, skill: string): SkillState {
    return this.#plans.get(planId)?.get(skill) ?? "discovered";
  }

  set(planId: string, skill: string, state: SkillState): void {
    const skills = this.#plans.get(planId) ?? new Map<string, SkillState>();
    this.#plans.delete(planId);
    this.#plans.set(planId, skills.set(skill, state));
    for (const oldest of this.#plans.keys()) {
      if (this.#plans.size <= MOST_PLANS) break;
      this.#plans.delete(oldest);
    }
  }
}
