import { z } from "zod";
import { IdSchema, IsoTimestampSchema, JsonObjectSchema, optional } from "./json.ts";
import { BudgetAmountsSchema } from "./profile.ts";

export const PlanDefinitionSchema = z.object({
  name: z.string().min(1).max(200),
  description: optional(z.string().max(2000)),
  /** Who carries out steps of type `prompt`, and skills that are text alone, where they do not name an `actor` of their own. */
  actor: optional(z.string().min(1).max(512)),
  steps: z
    .array(
      z.object({
        /** What later steps call its result by: `results.ID`. */
        id: optional(z.string().min(1).max(100)),
        type: z.enum(["skill", "tool", "command", "prompt"]),
        /** The tool's or skill's name, or the command. */
        action: optional(z.string().min(1)),
        params: optional(JsonObjectSchema),
        /** The step is left out unless this expression holds. */
        when: optional(z.string().min(1)),
      }),
    )
    .min(1)
    .max(1000),
});

export const PlanCreateParamsSchema = z.object({
  session_id: optional(IdSchema),
  /** An id of the caller's own, which every plan method takes from then on; the same request again is the same plan. */
  plan_id: optional(IdSchema),
  plan_definition: optional(PlanDefinitionSchema),
  /** In its place, the text of a YAML or JSON file; `file` is what messages about it say. */
  document: optional(z.string().max(1_000_000)),
  file: optional(z.string().max(1000)),
  metadata: optional(JsonObjectSchema),
  project: optional(z.string().min(1)),
  /** A folder of the caller; the project that it lies in is meant when `project` is absent. */
  working_directory: optional(z.string().min(1)),
  automation_profile: optional(z.string().min(1)),
  budget: optional(BudgetAmountsSchema),
});
export const PlanCreateResultSchema = z.object({
  /** The caller's id, where there is one. */
  plan_id: z.string(),
  /** The plan's own, which is its A2A task's. */
  task_id: z.string(),
  session_id: z.string(),
  status: z.literal("created"),
  created_at: IsoTimestampSchema,
  project: z.string(),
  automation_profile: z.string(),
});
