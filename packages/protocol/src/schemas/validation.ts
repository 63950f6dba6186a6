import { z } from "zod";
import { IdSchema, IsoTimestampSchema, JsonObjectSchema, JsonSchema, optional } from "./json.ts";
import { PageParams, pageOf } from "./paging.ts";

export const CheckModeSchema = z.enum(["required", "informational"]);
export const CheckScopeSchema = z.enum(["plan", "action", "project", "global"]);

export const ValidationItemSchema = z.object({
  name: z.string(),
  description: z.string(),
  mode: CheckModeSchema,
  /** How it is found out whether it holds. */
  kind: z.enum(["command", "check", "paths", "tool"]),
  attachments: z.number().int(),
  created_at: IsoTimestampSchema,
  updated_at: IsoTimestampSchema,
});
export const AttachmentSchema = z.object({
  attachment_id: z.string(),
  validation: z.string(),
  mode: CheckModeSchema,
  scope: z.enum(["project", "action"]),
  target: z.string(),
});
export const ValidationDetailSchema = z.object({
  ...ValidationItemSchema.shape,
  revision: z.string(),
  validation: JsonObjectSchema,
  attached_to: z.array(AttachmentSchema),
});
export const ValidationListResultSchema = pageOf("validations", ValidationItemSchema);

export const ValidationAttachParamsSchema = z.object({
  validation: z.string().min(1),
  /** One of the two. */
  project: optional(z.string().min(1)),
  action: optional(z.string().min(1)),
  /** Another mode than the validation's own. */
  mode: optional(CheckModeSchema),
});
export const ValidationAttachResultSchema = z.object({
  ...AttachmentSchema.shape,
  created_at: IsoTimestampSchema,
});
export const ValidationDetachParamsSchema = z.object({ attachment_id: IdSchema });
export const ValidationDetachResultSchema = z.object({
  attachment_id: z.string(),
  detached: z.literal(true),
});

/** What a plan is checked by, and what that has come to. */
export const CheckResultSchema = z.object({
  validation: z.string(),
  kind: z.enum(["validation", "definition_of_done", "review"]),
  text: z.string(),
  mode: CheckModeSchema,
  /** False: no machine can check it; it is for whoever approves, or for an actor that judges it. */
  checkable: z.boolean(),
  /** Null: it was not looked at yet, or nobody can. */
  passed: z.boolean().nullable(),
  message: z.string().optional(),
  data: JsonSchema.optional(),
  duration_ms: z.number().optional(),
  attempt: z.number().int().optional(),
  /** The actor whose opinion it is; absent where a machine has found it out. */
  judged_by: z.string().optional(),
  attachment_id: z.string(),
  attachment_scope: CheckScopeSchema,
  attachment_scope_target: z.string(),
});

export const InvariantItemSchema = z.object({
  id: z.string(),
  text: z.string(),
  name: z.string().optional(),
  scope: CheckScopeSchema,
  source: z.string(),
  non_overridable: z.boolean(),
  /** False: it is text alone, for whoever reviews. */
  checkable: z.boolean(),
  created_at: IsoTimestampSchema.optional(),
});
export const HeldInvariantSchema = z.object({
  ...InvariantItemSchema.shape,
  passed: z.boolean().nullable(),
  message: z.string().optional(),
  /** The actor whose opinion it is; absent where a machine has found it out. */
  judged_by: z.string().optional(),
});
const InvariantEndSchema = z.object({
  id: z.string(),
  text: z.string(),
  scope: CheckScopeSchema,
  source: z.string(),
});

export const InvariantListParamsSchema = z.object({
  global: optional(z.boolean()),
  project: optional(z.string().min(1)),
  action: optional(z.string().min(1)),
  plan_id: optional(IdSchema),
  /** Of a plan: those that hold, whoever says so, and what they override. */
  effective: optional(z.boolean()),
  ...PageParams,
});
export const InvariantListResultSchema = z.object({
  ...pageOf("invariants", InvariantItemSchema).shape,
  plan_id: z.string().optional(),
  conflicts_resolved: z
    .array(z.object({ overridden: InvariantEndSchema, by: InvariantEndSchema }))
    .optional(),
});
const Targets = optional(z.array(z.string().min(1)).max(100));
const Globs = optional(z.array(z.string().min(1).max(1000)).max(200));
export const InvariantAddParamsSchema = z.object({
  text: z.string().min(1).max(10_000),
  /** Invariants of one name are about the same. */
  name: optional(z.string().min(1)),
  global: optional(z.boolean()),
  projects: Targets,
  actions: Targets,
  plan_ids: Targets,
  /** Of a global one: nobody narrower says otherwise. */
  non_overridable: optional(z.boolean()),
  /** One way at most to check it: an expression over the changes, a command, or which paths may change. */
  check: optional(z.string().min(1)),
  command: optional(z.string().min(1)),
  paths: optional(z.object({ allow: Globs, deny: Globs })),
});
export const InvariantAddResultSchema = z.object({ invariants: z.array(InvariantItemSchema) });
export const InvariantRemoveParamsSchema = z.object({ id: IdSchema });
export const InvariantRemoveResultSchema = z.object({ id: z.string(), removed: z.literal(true) });
