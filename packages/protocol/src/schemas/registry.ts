import { z } from "zod";
import { IsoTimestampSchema, JsonObjectSchema, optional } from "./json.ts";
import { PageParams, pageOf } from "./paging.ts";

export const ListParamsSchema = z.object({ namespace: optional(z.string().min(1)), ...PageParams });
export const NameParamsSchema = z.object({ name: z.string().min(1) });
/** The text of a YAML or JSON file; `file` is what messages about it say. */
export const AddDocumentParamsSchema = z.object({
  document: z.string().max(1_000_000),
  file: optional(z.string().max(1000)),
  update: optional(z.boolean()),
});

export const ActionItemSchema = z.object({
  name: z.string(),
  description: z.string(),
  state: z.enum(["available", "archived"]),
  strategy_actor: z.string().nullable(),
  execution_actor: z.string().nullable(),
  reusable: z.boolean(),
  created_at: IsoTimestampSchema,
  updated_at: IsoTimestampSchema,
});
export const ActionDetailSchema = z.object({ ...ActionItemSchema.shape, action: JsonObjectSchema });
export const ActionListResultSchema = pageOf("actions", ActionItemSchema);

export const ProjectAddParamsSchema = z.object({
  name: z.string().min(1),
  path: z.string().min(1),
  description: optional(z.string()),
  automation_profile: optional(z.string().min(1)),
});
export const ProjectItemSchema = z.object({
  name: z.string(),
  path: z.string(),
  description: z.string().optional(),
  automation_profile: z.string().optional(),
  created_at: IsoTimestampSchema,
});
export const ProjectDetailSchema = z.object({
  ...ProjectItemSchema.shape,
  kind: z.enum(["git", "plain"]),
  branch: z.string().optional(),
  head: z.string().optional(),
  warnings: z.array(z.string()),
  /** What the project describes and nobody has started. */
  resources: z.array(
    z.object({
      type: z.literal("devcontainer-instance"),
      name: z.string(),
      state: z.literal("discovered"),
      path: z.string(),
      title: z.string().optional(),
      unusable: z.string().optional(),
    }),
  ),
});
export const ProjectListResultSchema = pageOf("projects", ProjectItemSchema);

export const ActorItemSchema = z.object({
  name: z.string(),
  type: z.string(),
  description: z.string(),
  source: z.enum(["custom", "action"]),
});
export const ActorDetailSchema = z.object({ ...ActorItemSchema.shape, actor: JsonObjectSchema });
export const ActorListResultSchema = pageOf("actors", ActorItemSchema);

export const ToolItemSchema = z.object({
  name: z.string(),
  description: z.string(),
  source: z.string(),
  read_only: z.boolean(),
  writes: z.boolean(),
  idempotent: z.boolean(),
  effect: z.enum(["none", "sandbox", "compensable", "irreversible"]),
});
export const ToolListResultSchema = pageOf("tools", ToolItemSchema);
