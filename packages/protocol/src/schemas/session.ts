import { z } from "zod";
import { IdSchema, IsoTimestampSchema, optional } from "./json.ts";
import { PageParams, pageOf } from "./paging.ts";

/** `actor` and `agent_id` are synonyms of `actor_name`. A `session_id` makes the call idempotent. */
export const SessionCreateParamsSchema = z.object({
  actor_name: optional(z.string().min(1)),
  actor: optional(z.string().min(1)),
  agent_id: optional(z.string().min(1)),
  session_id: optional(IdSchema),
  name: optional(z.string().max(200)),
});
export const SessionCreateResultSchema = z.object({
  session_id: z.string(),
  status: z.literal("created"),
  actor: z.string().optional(),
  created_at: IsoTimestampSchema,
});
export const SessionCloseParamsSchema = z.object({ session_id: IdSchema });
export const SessionCloseResultSchema = z.object({ session_id: z.string(), status: z.literal("closed") });
export const SessionItemSchema = z.object({
  session_id: z.string(),
  name: z.string().optional(),
  actor: z.string().optional(),
  status: z.enum(["open", "closed"]),
  created_at: IsoTimestampSchema,
  updated_at: IsoTimestampSchema,
});
export const SessionListParamsSchema = z.object(PageParams);
export const SessionListResultSchema = pageOf("sessions", SessionItemSchema);
