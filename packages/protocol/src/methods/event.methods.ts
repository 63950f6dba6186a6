import { EventNotificationSchema, EventSubscribeParamsSchema } from "../schemas/event.ts";
import { defineMethod } from "./define-method.ts";

export const eventMethods = {
  "_cleveragents/event/subscribe": defineMethod({
    name: "_cleveragents/event/subscribe",
    group: "event",
    family: "cleveragents",
    kind: "stream",
    params: EventSubscribeParamsSchema,
    result: EventNotificationSchema,
    errors: ["InvalidParams", "PlanNotFound", "TaskNotFound", "SessionNotFound", "Forbidden"],
    scope: "task:read",
    summary: "Follow a plan, a task, a session or everything of the caller's, event by event.",
    aliases: ["event.subscribe"],
  }),
} as const;
