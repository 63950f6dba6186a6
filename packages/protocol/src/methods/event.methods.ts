import {
  EventExportParamsSchema,
  EventExportResultSchema,
  EventNotificationSchema,
  EventSubscribeParamsSchema,
} from "../schemas/event.ts";
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
  "_cleveragents/event/export": defineMethod({
    name: "_cleveragents/event/export",
    group: "event",
    family: "cleveragents",
    kind: "unary",
    params: EventExportParamsSchema,
    result: EventExportResultSchema,
    errors: ["InvalidParams", "PlanNotFound", "TaskNotFound", "SessionNotFound", "Forbidden"],
    scope: "task:read",
    summary: "What was logged of a plan, a task, a session or everything of the caller's, page by page.",
  }),
} as const;
