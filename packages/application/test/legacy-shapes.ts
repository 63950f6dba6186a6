import { z } from "zod";

/** What A2A 0.3's JSON schema says of its results, said again and stricter: nothing beside it. */
const any = z.record(z.string(), z.json());
const file = { mimeType: z.string().optional(), name: z.string().optional() };
const Part = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("text"), text: z.string(), metadata: any.optional() }),
  z.strictObject({
    kind: z.literal("file"),
    file: z.union([
      z.strictObject({ bytes: z.string(), ...file }),
      z.strictObject({ uri: z.string(), ...file }),
    ]),
    metadata: any.optional(),
  }),
  z.strictObject({ kind: z.literal("data"), data: any, metadata: any.optional() }),
]);
export const Message = z.strictObject({
  kind: z.literal("message"),
  messageId: z.string(),
  role: z.enum(["agent", "user"]),
  parts: z.array(Part),
  contextId: z.string().optional(),
  taskId: z.string().optional(),
  metadata: any.optional(),
  extensions: z.array(z.string()).optional(),
  referenceTaskIds: z.array(z.string()).optional(),
});
const Artifact = z.strictObject({
  artifactId: z.string(),
  parts: z.array(Part),
  name: z.string().optional(),
  description: z.string().optional(),
  metadata: any.optional(),
  extensions: z.array(z.string()).optional(),
});
const Status = z.strictObject({
  state: z.enum([
    "submitted",
    "working",
    "input-required",
    "completed",
    "canceled",
    "failed",
    "rejected",
    "auth-required",
  ]),
  message: Message.optional(),
  timestamp: z.string().optional(),
});
export const Task = z.strictObject({
  kind: z.literal("task"),
  id: z.string(),
  contextId: z.string(),
  status: Status,
  artifacts: z.array(Artifact).optional(),
  history: z.array(Message).optional(),
  metadata: any.optional(),
});
const update = { taskId: z.string(), contextId: z.string(), metadata: any.optional() };
const StatusUpdate = z.strictObject({
  kind: z.literal("status-update"),
  status: Status,
  final: z.boolean(),
  ...update,
});
const ArtifactUpdate = z.strictObject({
  kind: z.literal("artifact-update"),
  artifact: Artifact,
  append: z.boolean().optional(),
  lastChunk: z.boolean().optional(),
  ...update,
});
export const Event = z.discriminatedUnion("kind", [Task, Message, StatusUpdate, ArtifactUpdate]);
export const TaskPushNotificationConfig = z.strictObject({
  taskId: z.string(),
  pushNotificationConfig: z.strictObject({
    url: z.string(),
    id: z.string().optional(),
    token: z.string().optional(),
    authentication: z
      .strictObject({ schemes: z.array(z.string()), credentials: z.string().optional() })
      .optional(),
  }),
});
