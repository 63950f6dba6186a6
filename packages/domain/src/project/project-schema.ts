import { z } from "zod";
import { NameSchema } from "../action/action-schema.ts";
import { InvariantSchema } from "../validation/invariant.ts";
import { ContextConfigSchema } from "./context-config.ts";

/** The YAML of a project. */
export const ProjectSchema = z.strictObject({
  name: NameSchema,
  /** Absolute, on the agent's host. */
  path: z
    .string()
    .regex(/^\/|^[A-Za-z]:[\\/]/, "an absolute path")
    .refine((path) => !path.includes("\0"), "a path without a NUL character"),
  description: z.string().optional(),
  automation_profile: z.string().min(1).optional(),
  /** Names of registered resources that belong to it. */
  linked_resources: z.array(NameSchema).optional(),
  /** What all its plans keep to; an action or a plan may say otherwise of the same. */
  invariants: z.array(InvariantSchema).optional(),
  /** What of it models are told without asking. */
  context_config: ContextConfigSchema.optional(),
});
export type ProjectDocument = z.output<typeof ProjectSchema>;
