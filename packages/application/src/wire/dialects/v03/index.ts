import { type AgentCard, toLegacyAgentCard } from "@cleveragents/protocol";
import type { Dialect, StandardMethod } from "../dialect.ts";
import { each, inside, type Json } from "../json.ts";
import { toPushConfig } from "../push-config.ts";
import { fieldOf } from "./fields.ts";
import { requests } from "./requests.ts";
import { toEvent } from "./stream.ts";
import { toTask } from "./task.ts";

const NAMES: Readonly<Record<string, StandardMethod>> = {
  "message/send": "SendMessage",
  "message/stream": "SendStreamingMessage",
  "tasks/get": "GetTask",
  "tasks/cancel": "CancelTask",
  "tasks/resubscribe": "SubscribeToTask",
  "tasks/pushNotificationConfig/set": "CreateTaskPushNotificationConfig",
  "tasks/pushNotificationConfig/get": "GetTaskPushNotificationConfig",
  "tasks/pushNotificationConfig/list": "ListTaskPushNotificationConfigs",
  "tasks/pushNotificationConfig/delete": "DeleteTaskPushNotificationConfig",
  "agent/getAuthenticatedExtendedCard": "GetExtendedAgentCard",
};

/** What 0.3 answers, bare. */
const RESULTS: Readonly<Record<StandardMethod, (result: Json) => unknown>> = {
  SendMessage: (result) => toEvent("SendMessage", result),
  SendStreamingMessage: (result) => result,
  GetTask: toTask,
  ListTasks: ({ tasks, ...page }) => ({ tasks: each(tasks, toTask), ...page }),
  CancelTask: toTask,
  SubscribeToTask: (result) => result,
  CreateTaskPushNotificationConfig: toTaskPushConfig,
  GetTaskPushNotificationConfig: toTaskPushConfig,
  ListTaskPushNotificationConfigs: ({ configs }) =>
    each(configs ?? [], (config) => inside(config, toTaskPushConfig)),
  DeleteTaskPushNotificationConfig: () => null,
  // Made by us, in the form of 1.0.
  GetExtendedAgentCard: (result) => toLegacyAgentCard(result as unknown as AgentCard),
};

/** A2A 0.3 in JSON-RPC, as its JSON schema has it: a `kind` on every object. */
export const v03: Dialect = {
  version: "0.3",
  names: new Map(Object.entries(NAMES)),
  params: (method, params) => inside(params, requests[method]),
  field: fieldOf,
  result: (method, result) => inside(result, RESULTS[method]),
  element: toEvent,
};

function toTaskPushConfig({ taskId, ...config }: Json): unknown {
  return { taskId, pushNotificationConfig: toPushConfig(config) };
}
