import type { StandardMethod } from "../dialect.ts";
import { inside, isAbsent, type Json, misspelt, present, wordOf } from "../json.ts";
import { fromPushConfig } from "../push-config.ts";
import { fromMessage } from "./message.ts";
import { STATES } from "./task.ts";

type Read = (params: Json) => unknown;

/** 0.3 parameters of each method as 1.0 has them. */
export const requests: Readonly<Record<StandardMethod, Read>> = {
  SendMessage: (params) => fromSend(params, fromMessage(params["message"])),
  SendStreamingMessage: (params) => fromSend(params, fromMessage(params["message"])),
  GetTask: ({ id, historyLength }) => present({ id, historyLength }),
  ListTasks: ({ status, ...params }) =>
    present({
      ...params,
      // The words of 1.0 pass too: 0.3 itself has no list, so there is no other spelling to keep to.
      status: typeof status === "string" && status.startsWith("TASK_STATE_") ? status : stateOf(status),
    }),
  CancelTask: ({ id, metadata }) => present({ id, metadata }),
  SubscribeToTask: ({ id }) => present({ id }),
  CreateTaskPushNotificationConfig: fromTaskPushConfig,
  GetTaskPushNotificationConfig: ({ id, pushNotificationConfigId }) =>
    present({ taskId: id, id: pushNotificationConfigId ?? id }),
  ListTaskPushNotificationConfigs: ({ id }) => present({ taskId: id }),
  DeleteTaskPushNotificationConfig: ({ id, pushNotificationConfigId }) =>
    present({ taskId: id, id: pushNotificationConfigId }),
  GetExtendedAgentCard: () => ({}),
};

function stateOf(status: unknown): unknown {
  return wordOf(STATES, status, "status");
}

export function fromSend({ configuration, metadata }: Json, message: unknown): Json {
  return present({ message, configuration: inside(configuration, fromConfiguration), metadata });
}

/** `blocking` is the opposite of `returnImmediately`; left out it means to wait, in both. */
function fromConfiguration(configuration: Json): unknown {
  const { acceptedOutputModes, blocking, historyLength, pushNotificationConfig } = configuration;
  if (!isAbsent(blocking) && typeof blocking !== "boolean")
    throw misspelt("configuration.blocking", "must be a boolean");
  return present({
    acceptedOutputModes,
    historyLength,
    returnImmediately: isAbsent(blocking) ? undefined : !blocking,
    taskPushNotificationConfig: fromPushConfig(pushNotificationConfig),
  });
}

/** 0.3 knows a task's one configuration without an id of its own: it goes by the task's. */
function fromTaskPushConfig({ taskId, pushNotificationConfig }: Json): unknown {
  if (isAbsent(pushNotificationConfig))
    throw misspelt("pushNotificationConfig", "required; must be an object");
  const config = inside(pushNotificationConfig, (given) =>
    fromPushConfig({ ...given, id: given["id"] ?? taskId }),
  );
  if (typeof config !== "object" || config === null)
    throw misspelt("pushNotificationConfig", "must be an object");
  return present({ taskId, ...config });
}
