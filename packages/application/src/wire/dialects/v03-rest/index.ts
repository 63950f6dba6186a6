import { type AgentCard, commonMembers, legacyEndpoints } from "@cleveragents/protocol";
import { type Dialect, STANDARD_METHODS, type StandardMethod } from "../dialect.ts";
import { each, inside, type Json, present } from "../json.ts";
import { toPushConfig } from "../push-config.ts";
import { requests } from "./requests.ts";
import { toEvent } from "./stream.ts";
import { toTask } from "./task.ts";

const RESULTS: Readonly<Record<StandardMethod, (result: Json) => unknown>> = {
  SendMessage: (result) => toEvent("SendMessage", result),
  SendStreamingMessage: (result) => result,
  GetTask: toTask,
  ListTasks: (result) => result,
  CancelTask: toTask,
  SubscribeToTask: (result) => result,
  CreateTaskPushNotificationConfig: toTaskPushConfig,
  GetTaskPushNotificationConfig: toTaskPushConfig,
  ListTaskPushNotificationConfigs: ({ configs, nextPageToken }) =>
    present({ configs: each(configs ?? [], (config) => inside(config, toTaskPushConfig)), nextPageToken }),
  DeleteTaskPushNotificationConfig: () => ({}),
  // Made by us, in the form of 1.0.
  GetExtendedAgentCard: (result) => toAgentCard(result as unknown as AgentCard),
};

const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^(message)\.parts\.(\d+)\.raw$/, "$1.content.$2.file.fileWithBytes"],
  [/^(message)\.parts\.(\d+)\.url$/, "$1.content.$2.file.fileWithUri"],
  [/^(message)\.parts\.(\d+)\.mediaType$/, "$1.content.$2.file.mimeType"],
  [/^message\.parts/, "message.content"],
  [/^configuration\.returnImmediately/, "configuration.blocking"],
  [/^configuration\.taskPushNotificationConfig/, "configuration.pushNotification"],
];

/**
 * The HTTP+JSON binding of A2A 0.3, which is the JSON of its proto and not that of its schema. Routes are resolved by
 * the transport, so methods come by their 1.0 names; 0.3 has no list of tasks on this binding.
 */
export const v03Rest: Dialect = {
  version: "0.3",
  names: new Map(STANDARD_METHODS.filter((name) => name !== "ListTasks").map((name) => [name, name])),
  params: (method, params) => inside(params, requests[method]),
  field(_, field) {
    const found = SPELLINGS.find(([canonical]) => canonical.test(field));
    return found === undefined ? field : field.replace(...found);
  },
  result: (method, result) => inside(result, RESULTS[method]),
  element: toEvent,
};

function toTaskPushConfig({ taskId, ...config }: Json): unknown {
  return {
    name: `tasks/${String(taskId)}/pushNotificationConfigs/${String(config["id"])}`,
    pushNotificationConfig: toPushConfig(config),
  };
}

/** Security is written as in 1.0 already. */
function toAgentCard(card: AgentCard): unknown {
  const { extendedAgentCard, ...capabilities } = card.capabilities;
  return present({
    ...legacyEndpoints(card.supportedInterfaces),
    ...commonMembers(card),
    capabilities,
    supportsAuthenticatedExtendedCard: extendedAgentCard,
    securitySchemes: card.securitySchemes,
    security: card.securityRequirements,
    skills: card.skills.map(({ securityRequirements: security, ...skill }) =>
      present({ ...skill, security }),
    ),
  });
}
