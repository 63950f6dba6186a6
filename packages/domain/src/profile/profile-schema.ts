import { z } from "zod";
import { NameSchema } from "../action/action-schema.ts";
import { DEMANDED_LEVELS } from "../plan/isolation.ts";
import { BudgetSchema } from "../policy/budget.ts";
import { GuardsSchema } from "../policy/guards.ts";
import { BUILTIN_PROFILES, builtinProfile, DEFAULT_PROFILE } from "./builtin-profiles.ts";
import { type AutomationProfile, GATES, type Gate } from "./profile.ts";

const BUILTIN_NAMES = BUILTIN_PROFILES.map((profile) => profile.name);
const Threshold = z.number().min(0).max(1).optional();
const Thresholds = Object.fromEntries(GATES.map((gate) => [gate, Threshold])) as Record<
  Gate,
  typeof Threshold
>;

/** The YAML of an automation profile: what it changes of a built-in one. */
export const ProfileSchema = z.strictObject({
  name: NameSchema.refine((name) => !BUILTIN_NAMES.includes(name.replace(/^local\//, "")), {
    message: `the names ${BUILTIN_NAMES.join(", ")} are taken by the built-in profiles`,
  }),
  description: z.string().min(1),
  extends: z.enum(BUILTIN_NAMES).default(DEFAULT_PROFILE),
  thresholds: z.strictObject(Thresholds).default({}),
  require_sandbox: z.boolean().optional(),
  require_isolation: z.union([z.boolean(), z.enum(DEMANDED_LEVELS)]).optional(),
  require_checkpoints: z.boolean().optional(),
  allow_unsafe_tools: z.boolean().optional(),
  guards: GuardsSchema.optional(),
  budget: BudgetSchema.optional(),
});
export type ProfileDocument = z.output<typeof ProfileSchema>;

/** The whole profile that a document describes. */
export function profileFrom(document: ProfileDocument): AutomationProfile {
  const base = builtinProfile(document.extends);
  const given = Object.entries(document.thresholds).filter(([, value]) => value !== undefined);
  return {
    name: document.name,
    description: document.description,
    thresholds: { ...base.thresholds, ...Object.fromEntries(given) },
    requireSandbox: document.require_sandbox ?? base.requireSandbox,
    requireIsolation:
      document.require_isolation === undefined ? base.requireIsolation : document.require_isolation !== false,
    ...(typeof document.require_isolation === "string" ? { isolation: document.require_isolation } : {}),
    requireCheckpoints: document.require_checkpoints ?? base.requireCheckpoints,
    allowUnsafeTools: document.allow_unsafe_tools ?? base.allowUnsafeTools,
    guards: document.guards ?? base.guards,
    budget: { ...base.budget, ...document.budget } as AutomationProfile["budget"],
  };
}
