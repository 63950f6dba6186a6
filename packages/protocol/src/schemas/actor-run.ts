import { z } from "zod";
import { IdSchema, optional } from "./json.ts";
import { MessageSchema, PartSchema } from "./message.ts";
import { TaskSchema } from "./task.ts";

export const ActorRunParamsSchema = z.object({
  name: z.string().min(1).max(512),
  text: optional(z.string().min(1)),
  /** Files and data that go with the text, or stand in its place. */
  parts: optional(z.array(PartSchema).min(1)),
  message_id: optional(IdSchema),
  /** The task that this answers: one that was asked something when the actor ran. */
  task_id: optional(IdSchema),
  /** False: answers as soon as the message is taken in. */
  wait: optional(z.boolean()),
  /** The actor may do what cannot be undone. */
  unsafe: optional(z.boolean()),
});

export const ActorRunResultSchema = z.object({
  /** Its full name. */
  actor: z.string(),
  message_id: z.string(),
  /** What was answered, as text; empty as long as nothing was. */
  response: z.string(),
  /** The task that answers; none where the answer needs none. */
  task: TaskSchema.optional(),
  message: MessageSchema.optional(),
});
