import { z } from "zod";
import { DEMANDED_LEVELS } from "../plan/isolation.ts";
import { type ScriptStep, STEP_SCHEMAS } from "../script/script-schema.ts";

const { network, limits, dependencies } = STEP_SCHEMAS.run.shape;

/** The `sandbox` of an action: what its commands run with, unless a step says otherwise. */
export const SandboxSettingsSchema = z.strictObject({
  /** Its plans run nowhere where commands are less isolated. */
  isolation: z.enum(DEMANDED_LEVELS).optional(),
  network,
  limits,
  dependencies,
});
export type SandboxSettings = z.output<typeof SandboxSettingsSchema>;

/** The steps with the action's settings in those that run commands; what a step says itself stands over them. */
export function withSandboxSettings(
  steps: readonly ScriptStep[],
  settings: SandboxSettings | undefined,
): ScriptStep[] {
  const { isolation: _, ...defaults } = settings ?? {};
  return steps.map((step) => {
    if (step.kind !== "run") return step;
    const given = defined(step.value);
    const both = { ...defined(defaults.limits ?? {}), ...defined(step.value.limits ?? {}) };
    const bounds = Object.keys(both).length === 0 ? {} : { limits: both };
    return { ...step, value: { ...defined(defaults), ...given, ...bounds } as typeof step.value };
  });
}

/** An optional key of a schema's output may be there without a value, which must not hide a default. */
function defined<T extends object>(object: T): Partial<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>;
}
