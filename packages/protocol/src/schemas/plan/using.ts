import { z } from "zod";
import { IdSchema, IsoTimestampSchema, JsonObjectSchema, optional } from "../json.ts";
import { BudgetAmountsSchema } from "../profile.ts";
import { PlanRef, Stage } from "./shared.ts";

export const PlanUseParamsSchema = z.object({
  action_name: z.string().min(1),
  arguments: optional(JsonObjectSchema),
  project: optional(z.string().min(1)),
  /** A folder of the caller; the project that it lies in is meant when `project` is absent. */
  working_directory: optional(z.string().min(1)),
  automation_profile: optional(z.string().min(1)),
  /** What the plan may use at most; its action and profile may allow less. */
  budget: optional(BudgetAmountsSchema),
  /** Names of registered validations that this plan is checked by, besides what is attached to its project and action. */
  validations: optional(z.array(z.string().min(1)).max(100)),
  /** Texts that this plan keeps to, before what its action, its project and everybody say. */
  invariants: optional(z.array(z.string().min(1).max(10_000)).max(100)),
  /** Refuse where the commands of the plan cannot be isolated from the host, or not so much. */
  require_isolation: optional(z.union([z.boolean(), z.enum(["namespace", "full"])])),
  /** Where its commands run: `host`, `devcontainer`, or `devcontainer:NAME` of those that the project describes. */
  environment: optional(
    z.string().regex(/^(host|devcontainer(:.+)?)$/, "use host, devcontainer or devcontainer:NAME"),
  ),
  session_id: optional(IdSchema),
});

export const PlanUseResultSchema = z.object({
  ...PlanRef,
  ...Stage,
  context_id: z.string(),
  action: z.string(),
  project: z.string(),
  automation_profile: z.string(),
  attempt: z.number().int(),
  inputs: JsonObjectSchema,
  actors: z.object({
    strategy: z.string().nullable(),
    execution: z.string().nullable(),
    estimation: z.string().nullable(),
    review: z.string().nullable(),
    invariant: z.string().nullable(),
  }),
  automation: z.object({ profile: z.string(), source: z.string(), read_only: z.boolean() }),
  next_steps: z.array(z.string()),
});

export const PlanExecuteParamsSchema = z.object({
  ...PlanRef,
  execution_options: optional(
    z.object({
      /** Steps are run one after the other. */
      parallel: optional(z.boolean()),
      /** Milliseconds from now within which its work is to be done; what is not done then is stopped. */
      timeout: optional(
        z
          .number()
          .int()
          .positive()
          .max(30 * 24 * 3600 * 1000),
      ),
    }),
  ),
});

export const PlanExecuteResultSchema = z.object({
  ...PlanRef,
  ...Stage,
  attempt: z.number().int(),
  /** True when there was nothing left to start. */
  already: z.boolean(),
  /** Of this attempt of the plan. */
  execution_id: z.string(),
  /** When the plan began; when it was asked to where it is only about to. */
  started_at: IsoTimestampSchema,
});
