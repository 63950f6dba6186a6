import {
  CreateTaskPushNotificationConfigParamsSchema,
  DeleteTaskPushNotificationConfigParamsSchema,
  DeleteTaskPushNotificationConfigResultSchema,
  GetTaskPushNotificationConfigParamsSchema,
  ListTaskPushNotificationConfigsParamsSchema,
  ListTaskPushNotificationConfigsResultSchema,
  TaskPushNotificationConfigSchema,
} from "../schemas/push.ts";
import { defineMethod } from "./define-method.ts";

const errors = ["InvalidParams", "TaskNotFound", "PushNotificationNotSupported", "PermissionDenied"] as const;

export const pushMethods = {
  CreateTaskPushNotificationConfig: defineMethod({
    name: "CreateTaskPushNotificationConfig",
    group: "push",
    family: "a2a",
    rest: { verbs: ["POST"], path: "/tasks/{taskId}/pushNotificationConfigs" },
    kind: "unary",
    params: CreateTaskPushNotificationConfigParamsSchema,
    result: TaskPushNotificationConfigSchema,
    errors,
    scope: "task:write",
    summary: "Have a task's events posted to an address.",
  }),
  GetTaskPushNotificationConfig: defineMethod({
    name: "GetTaskPushNotificationConfig",
    group: "push",
    family: "a2a",
    rest: { verbs: ["GET"], path: "/tasks/{taskId}/pushNotificationConfigs/{id}" },
    kind: "unary",
    params: GetTaskPushNotificationConfigParamsSchema,
    result: TaskPushNotificationConfigSchema,
    errors,
    scope: "task:read",
    summary: "Where a task's events are posted; secrets are masked.",
  }),
  ListTaskPushNotificationConfigs: defineMethod({
    name: "ListTaskPushNotificationConfigs",
    group: "push",
    family: "a2a",
    rest: { verbs: ["GET"], path: "/tasks/{taskId}/pushNotificationConfigs" },
    kind: "unary",
    params: ListTaskPushNotificationConfigsParamsSchema,
    result: ListTaskPushNotificationConfigsResultSchema,
    errors,
    scope: "task:read",
    summary: "Everywhere that a task's events are posted, oldest first.",
  }),
  DeleteTaskPushNotificationConfig: defineMethod({
    name: "DeleteTaskPushNotificationConfig",
    group: "push",
    family: "a2a",
    rest: { verbs: ["DELETE"], path: "/tasks/{taskId}/pushNotificationConfigs/{id}" },
    kind: "unary",
    params: DeleteTaskPushNotificationConfigParamsSchema,
    result: DeleteTaskPushNotificationConfigResultSchema,
    errors,
    scope: "task:write",
    summary: "Post a task's events there no longer.",
  }),
} as const;
