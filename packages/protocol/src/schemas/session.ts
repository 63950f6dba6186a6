import { z } from "zod";
import { IdSchema, IsoTimestampSchema, JsonObjectSchema, optional } from "./json.ts";
import { MessageSchema, PartSchema } from "./message.ts";
import { PageParams, pageOf } from "./paging.ts";
import { BudgetAmountsSchema } from "./profile.ts";
import { TaskSchema } from "./task.ts";

const ActorParams = {
  actor_name: optional(z.string().min(1)),
  actor: optional(z.string().min(1)),
  agent_id: optional(z.string().min(1)),
};
export const SessionStateSchema = z.enum(["created", "active", "suspended", "closing", "closed"]);

/** `actor` and `agent_id` are synonyms of `actor_name`. A `session_id` makes the call idempotent. */
export const SessionCreateParamsSchema = z.object({
  ...ActorParams,
  session_id: optional(IdSchema),
  name: optional(z.string().max(200)),
  /** What all that is done in the session may use up together. */
  budget: optional(BudgetAmountsSchema.strict()),
  metadata: optional(JsonObjectSchema),
});
export const SessionCreateResultSchema = z.object({
  session_id: z.string(),
  status: z.literal("created"),
  actor: z.string().optional(),
  created_at: IsoTimestampSchema,
  budget: BudgetAmountsSchema.optional(),
});

/** `plans`: those that are not over go on without the session, or are cancelled. */
export const SessionCloseParamsSchema = z.object({
  session_id: IdSchema,
  plans: optional(z.enum(["detach", "cancel"])),
});
/** `closing` where its work has not ended within seconds; it goes on to end. */
export const SessionCloseResultSchema = z.object({
  session_id: z.string(),
  status: z.enum(["closed", "closing"]),
  closed_at: IsoTimestampSchema.optional(),
  /** Ids of tasks. */
  cancelled: z.array(z.string()),
  detached: z.array(z.string()),
});

export const SessionItemSchema = z.object({
  session_id: z.string(),
  name: z.string().optional(),
  actor: z.string().optional(),
  status: SessionStateSchema,
  created_at: IsoTimestampSchema,
  updated_at: IsoTimestampSchema,
});
export const SessionListParamsSchema = z.object(PageParams);
export const SessionListResultSchema = pageOf("sessions", SessionItemSchema);

export const SessionShowParamsSchema = z.object({
  session_id: IdSchema,
  /** How many of the newest messages; 20 when absent. */
  messages: optional(z.number().int().min(0).max(500)),
});
export const SessionShowResultSchema = SessionItemSchema.extend({
  budget: BudgetAmountsSchema.optional(),
  metadata: JsonObjectSchema.optional(),
  /** How many messages were answered by tasks, and how many wait for an answer. */
  tasks: z.number().int(),
  waiting: z.number().int(),
  recent_messages: z.array(MessageSchema),
  /** Newest first; those of a session that was imported are where it came from. */
  linked_plans: z.array(
    z.object({
      plan_id: z.string(),
      phase: z.string().optional(),
      state: z.string().optional(),
      action: z.string().optional(),
      imported: z.literal(true).optional(),
    }),
  ),
  imported_from: z.string().optional(),
});

/** Either a text or parts. The same `message_id` again is the same message. */
export const SessionTellParamsSchema = z.object({
  session_id: IdSchema,
  text: optional(z.string().min(1)),
  parts: optional(z.array(PartSchema).min(1)),
  message_id: optional(IdSchema),
  /** The task of the session that this answers, or goes on with. */
  task_id: optional(IdSchema),
  /** For the plan that an action starts with what is said; without either the only project there is. */
  project: optional(z.string().min(1)),
  working_directory: optional(z.string().min(1)),
  /** False: answers as soon as the message is taken in. */
  wait: optional(z.boolean()),
});
export const SessionTellResultSchema = z.object({
  session_id: z.string(),
  message_id: z.string(),
  actor: z.string().optional(),
  /** What was answered, as text; empty as long as nothing was. */
  response: z.string(),
  /** The task that answers; none where the answer needs none. */
  task: TaskSchema.optional(),
  message: MessageSchema.optional(),
});

export const SessionDeleteParamsSchema = z.object({
  session_id: IdSchema,
  /** Closes the session and cancels its plans first. */
  force: optional(z.boolean()),
});
export const SessionDeleteResultSchema = z.object({
  session_id: z.string(),
  status: z.literal("deleted"),
  messages_removed: z.number().int(),
  /** Plans that were made in it; they stay. */
  plans_orphaned: z.array(z.string()),
});

export const SessionExportParamsSchema = z.object({ session_id: IdSchema });
export const SessionExportResultSchema = z.object({
  session_id: z.string(),
  document: JsonObjectSchema,
  messages: z.number().int(),
  linked_plans: z.number().int(),
  schema_version: z.string(),
  checksum: z.string(),
});

export const SessionImportParamsSchema = z.object({
  document: JsonObjectSchema,
  ...ActorParams,
  name: optional(z.string().max(200)),
  /** Where the id is taken: another one (as when absent), or nothing is imported. */
  on_conflict: optional(z.enum(["new_id", "refuse"])),
});
export const SessionImportResultSchema = z.object({
  session_id: z.string(),
  imported_from: z.string(),
  schema_version: z.string(),
  checksum: z.string(),
  actor: z.string().optional(),
  messages: z.number().int(),
  linked_plans: z.number().int(),
  created_at: IsoTimestampSchema,
});
