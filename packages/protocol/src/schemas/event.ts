import { z } from "zod";
import { IdSchema, IsoTimestampSchema, JsonObjectSchema, optional } from "./json.ts";

const Following = {
  plan_id: optional(IdSchema),
  task_id: optional(IdSchema),
  session_id: optional(IdSchema),
};

/** What to follow, at most one of the ids: everything of the caller's without one. */
export const EventSubscribeParamsSchema = z.object({
  ...Following,
  /** Of one task: the number of the event to go on after. */
  afterSeq: optional(z.int().min(0)),
  /** From a stream of the same kind. */
  cursor: optional(z.string().max(1024)),
});

/** Of which task, session or time; everything of the caller's without any of them. */
export const EventExportParamsSchema = z.object({
  ...Following,
  /** What was logged then or later. */
  since: optional(IsoTimestampSchema),
  /** What was logged then or before. */
  until: optional(IsoTimestampSchema),
  page_size: optional(z.int().min(1).max(1000)),
  page_token: optional(z.string().max(1024)),
});

/** The first element: the subscription stands. What comes after it carries a later cursor. */
export const EventSubscribedSchema = z.object({
  subscription: z.object({
    plan_id: z.string().optional(),
    task_id: z.string().optional(),
    session_id: z.string().optional(),
  }),
  /** Of one task: how many of its events come before this stream's; otherwise 0. */
  sequence: z.int().min(0),
  /** There is nothing to follow: the one task is over. */
  final: z.literal(true).optional(),
});

/** The word of A2A 0.3, as the documents have it. */
const StateWordSchema = z.enum([
  "submitted",
  "working",
  "input-required",
  "auth-required",
  "completed",
  "failed",
  "canceled",
  "rejected",
]);

const Event = {
  event_id: z.string(),
  taskId: z.string(),
  contextId: z.string(),
  /** Its number in the log of its task. */
  sequence: z.int().min(1),
  timestamp: IsoTimestampSchema,
  /** What happened, in the platform's words, with what it says of it. */
  event: z.string().optional(),
  data: JsonObjectSchema.optional(),
};

export const StatusNotificationSchema = z.object({
  ...Event,
  event_type: z.literal("TaskStatusUpdateEvent"),
  state: StateWordSchema,
  /** As in A2A 0.3. */
  status: z.object({
    state: StateWordSchema,
    message: JsonObjectSchema.optional(),
    timestamp: IsoTimestampSchema,
  }),
  /** On the last event of a stream of one task. */
  final: z.literal(true).optional(),
});

export const ArtifactNotificationSchema = z.object({
  ...Event,
  event_type: z.literal("TaskArtifactUpdateEvent"),
  /** As in A2A 0.3. */
  artifact: JsonObjectSchema,
  append: z.boolean(),
  lastChunk: z.boolean(),
});

/** The parameters of the notification that an element is. */
export const EventNotificationSchema = z.union([
  StatusNotificationSchema,
  ArtifactNotificationSchema,
  EventSubscribedSchema,
]);

/** Events that were logged, each as the notification that a subscription would have had. */
export const EventExportResultSchema = z.object({
  events: z.array(
    z.object({
      method: z.enum(["task/statusUpdate", "task/artifactUpdate"]),
      params: z.union([StatusNotificationSchema, ArtifactNotificationSchema]),
    }),
  ),
  /** Of one whole task; of many, or of a time, nobody has counted them. */
  total: z.int().min(0).optional(),
  next_page_token: z.string(),
});
