import { z } from "zod";
import { IdSchema, IsoTimestampSchema, JsonObjectSchema, optional } from "./json.ts";
import { ArtifactSchema, MessageSchema } from "./message.ts";
import { InlinePushNotificationConfigSchema } from "./push.ts";

export const TASK_STATE_NAMES = [
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_REJECTED",
  "TASK_STATE_AUTH_REQUIRED",
] as const;
export const TaskStateSchema = z.enum(TASK_STATE_NAMES);

/** A2A §4.1.2. */
export const TaskStatusSchema = z.object({
  state: TaskStateSchema,
  message: optional(MessageSchema),
  timestamp: IsoTimestampSchema,
});

/** A2A §4.1.1. */
export const TaskSchema = z.object({
  id: IdSchema,
  contextId: z.string(),
  status: TaskStatusSchema,
  artifacts: optional(z.array(ArtifactSchema)),
  history: optional(z.array(MessageSchema)),
  metadata: optional(JsonObjectSchema),
});

/** A2A §4.2.1. */
export const TaskStatusUpdateEventSchema = z.object({
  taskId: z.string(),
  contextId: z.string(),
  status: TaskStatusSchema,
  metadata: optional(JsonObjectSchema),
});

/** A2A §4.2.2. */
export const TaskArtifactUpdateEventSchema = z.object({
  taskId: z.string(),
  contextId: z.string(),
  artifact: ArtifactSchema,
  append: z.boolean().optional(),
  lastChunk: z.boolean().optional(),
  metadata: optional(JsonObjectSchema),
});

/** A2A §3.2.3: exactly one member is there. */
export const StreamResponseSchema = z.union([
  z.strictObject({ task: TaskSchema }),
  z.strictObject({ message: MessageSchema }),
  z.strictObject({ statusUpdate: TaskStatusUpdateEventSchema }),
  z.strictObject({ artifactUpdate: TaskArtifactUpdateEventSchema }),
]);

export const SendMessageResultSchema = z.union([
  z.strictObject({ task: TaskSchema }),
  z.strictObject({ message: MessageSchema }),
]);

const HistoryLength = optional(z.number().int().nonnegative());

/** Checked against the principal's by the services; accepted here so that clients may send it. */
const Tenant = optional(z.string());

export const SendMessageParamsSchema = z.object({
  tenant: Tenant,
  message: MessageSchema.refine(({ role }) => role === "ROLE_USER", {
    path: ["role"],
    message: "a client sends messages of ROLE_USER",
  }),
  configuration: optional(
    z.object({
      acceptedOutputModes: optional(z.array(z.string())),
      historyLength: HistoryLength,
      returnImmediately: optional(z.boolean()),
      taskPushNotificationConfig: optional(InlinePushNotificationConfigSchema),
    }),
  ),
  metadata: optional(JsonObjectSchema),
});

export const GetTaskParamsSchema = z.object({ tenant: Tenant, id: IdSchema, historyLength: HistoryLength });
export const CancelTaskParamsSchema = z.object({
  tenant: Tenant,
  id: IdSchema,
  metadata: optional(JsonObjectSchema),
});
export const SubscribeToTaskParamsSchema = z.object({ tenant: Tenant, id: IdSchema });

export const ListTasksParamsSchema = z.object({
  tenant: Tenant,
  contextId: optional(z.string()),
  status: optional(TaskStateSchema),
  pageSize: optional(z.number().int().min(1).max(100)),
  pageToken: optional(z.string()),
  historyLength: HistoryLength,
  statusTimestampAfter: optional(IsoTimestampSchema),
  includeArtifacts: optional(z.boolean()),
});
export const ListTasksResultSchema = z.object({
  tasks: z.array(TaskSchema),
  nextPageToken: z.string(),
  pageSize: z.number().int(),
  totalSize: z.number().int(),
});
