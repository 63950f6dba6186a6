import { z } from "zod";
import { InvalidNameError, isProviderActor, parseName } from "../names/name.ts";
import { HISTORY_ESTIMATOR } from "../plan/estimate.ts";
import { BudgetSchema } from "../policy/budget.ts";
import { ScriptSchema } from "../script/script-schema.ts";
import { DefinitionOfDoneSchema } from "../validation/definition-of-done.ts";
import { InvariantSchema } from "../validation/invariant.ts";
import { SandboxSettingsSchema } from "./sandbox-settings.ts";

/** A registered name; checked here, stored in its full form by the registry. */
export const NameSchema = z.string().superRefine((value, context) => {
  try {
    parseName(value);
  } catch (error) {
    context.addIssue({
      code: "custom",
      message: error instanceof InvalidNameError ? error.message : "not a name",
    });
  }
});

/** The name of a registered actor, or of a provider's model, which is an actor without being registered. */
export const ActorNameSchema = z.string().superRefine((value, context) => {
  if (isProviderActor(value)) return;
  const { error } = NameSchema.safeParse(value);
  if (error !== undefined)
    context.addIssue({ code: "custom", message: error.issues[0]?.message ?? "not a name" });
});

export const ARGUMENT_TYPES = ["string", "integer", "number", "boolean", "list"] as const;

function isRegularExpression(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}

export const ArgumentSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[A-Za-z][A-Za-z0-9_]*$/,
      "an argument's name begins with a letter and holds letters, digits and _",
    ),
  type: z.enum(ARGUMENT_TYPES).default("string"),
  required: z.boolean().default(false),
  description: z.string().default(""),
  default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
  validation_pattern: z.string().refine(isRegularExpression, "not a regular expression").optional(),
});
export type ActionArgument = z.output<typeof ArgumentSchema>;

/** The YAML of an actor of type `script`. */
export const ScriptActorSchema = z.strictObject({
  name: NameSchema,
  type: z.literal("script"),
  description: z.string().min(1),
  version: z.string().optional(),
  script: ScriptSchema,
});
export type ScriptActor = z.output<typeof ScriptActorSchema>;

/** The YAML of an action. An inline `script` stands in the place of both actors. */
export const ActionSchema = z
  .strictObject({
    name: NameSchema,
    description: z.string().min(1),
    long_description: z.string().optional(),
    strategy_actor: ActorNameSchema.optional(),
    execution_actor: ActorNameSchema.optional(),
    script: ScriptSchema.optional(),
    /** Who says, between Strategize and Execute, what a plan will take; nobody where it is absent. */
    estimation_actor: z.union([z.literal(HISTORY_ESTIMATOR), ActorNameSchema]).optional(),
    /** Who looks at the changes at the end of Execute; nobody where it is absent. */
    review_actor: ActorNameSchema.optional(),
    /** Whether the changes can be applied only if that one lets them pass. */
    review_mode: z.enum(["informational", "required"]).optional(),
    /** Who judges, at the end of Execute, invariants that no machine can check; nobody where it is absent. */
    invariant_actor: ActorNameSchema.optional(),
    /** A text, or points; those with a way to check them keep its plans from being applied until they hold. */
    definition_of_done: DefinitionOfDoneSchema,
    reusable: z.boolean().default(true),
    read_only: z.boolean().default(false),
    state: z.enum(["available", "archived"]).default("available"),
    arguments: z.array(ArgumentSchema).default([]),
    automation_profile: z.string().optional(),
    /** What its plans may use; a profile or a plan may allow less. */
    budget: BudgetSchema.optional(),
    /** What its commands run with, unless a step says otherwise. */
    sandbox: SandboxSettingsSchema.optional(),
    invariants: z.array(InvariantSchema).default([]),
    /** Names of registered validations that its plans are checked by. */
    validations: z.array(NameSchema).optional(),
  })
  .superRefine((action, context) => {
    if (action.script === undefined && action.execution_actor === undefined) {
      context.addIssue({
        code: "custom",
        message: "an action needs `execution_actor` (and `strategy_actor`), or a `script` of its own",
      });
    }
    if (
      action.script !== undefined &&
      (action.execution_actor !== undefined || action.strategy_actor !== undefined)
    ) {
      context.addIssue({
        code: "custom",
        path: ["script"],
        message: "an action has either a `script` or actors, not both",
      });
    }
    if (action.review_mode !== undefined && action.review_actor === undefined)
      context.addIssue({ code: "custom", path: ["review_mode"], message: "it goes with `review_actor`" });
    const names = new Set<string>();
    action.arguments.forEach((argument, i) => {
      if (names.has(argument.name))
        context.addIssue({
          code: "custom",
          path: ["arguments", i, "name"],
          message: `"${argument.name}" is there twice`,
        });
      names.add(argument.name);
    });
  });
export type Action = z.output<typeof ActionSchema>;
