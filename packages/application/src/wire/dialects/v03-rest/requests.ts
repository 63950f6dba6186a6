import type { StandardMethod } from "../dialect.ts";
import { inside, isAbsent, isObject, type Json, misspelt, present } from "../json.ts";
import { fromPushConfig } from "../push-config.ts";
import { idsOf, member } from "./members.ts";
import { fromMessage } from "./message.ts";

type Read = (params: Json) => unknown;

/**
 * Requests of the 0.3 proto: the body's members, with what the path and the query say beside them. A task is named by
 * `id` (`taskId` where a configuration is meant) or by the proto's resource name.
 */
export const requests: Readonly<Record<StandardMethod, Read>> = {
  SendMessage: fromSend,
  SendStreamingMessage: fromSend,
  GetTask: (params) => present({ id: taskOf(params), historyLength: member(params, "historyLength") }),
  ListTasks: (params) => params,
  CancelTask: (params) => present({ id: taskOf(params), metadata: params["metadata"] }),
  SubscribeToTask: (params) => present({ id: taskOf(params) }),
  CreateTaskPushNotificationConfig: fromCreate,
  GetTaskPushNotificationConfig: (params) =>
    present({ taskId: params["taskId"], id: params["id"], ...named(params) }),
  ListTaskPushNotificationConfigs: (params) =>
    present({
      taskId: params["taskId"] ?? idsOf(params["parent"], "parent").taskId,
      pageSize: member(params, "pageSize"),
      pageToken: member(params, "pageToken"),
    }),
  DeleteTaskPushNotificationConfig: (params) =>
    present({ taskId: params["taskId"], id: params["id"], ...named(params) }),
  GetExtendedAgentCard: () => ({}),
};

function taskOf(params: Json): unknown {
  return params["id"] ?? idsOf(params["name"], "name").taskId;
}

function named(params: Json): Json {
  const { taskId, configId } = idsOf(params["name"], "name");
  return { ...(taskId === undefined ? {} : { taskId }), ...(configId === undefined ? {} : { id: configId }) };
}

/** The proto calls the message `request` and writes it `message`. */
function fromSend(params: Json): unknown {
  return present({
    message: fromMessage(params["message"] ?? params["request"]),
    configuration: inside(params["configuration"], fromConfiguration),
    metadata: params["metadata"],
  });
}

/** This proto cannot tell 0 and false from nothing: a history of 0 is one without limit, and no `blocking` is false. */
function fromConfiguration(configuration: Json): unknown {
  const { blocking } = configuration;
  if (!isAbsent(blocking) && typeof blocking !== "boolean")
    throw misspelt("configuration.blocking", "must be a boolean");
  const historyLength = member(configuration, "historyLength");
  return present({
    acceptedOutputModes: member(configuration, "acceptedOutputModes"),
    historyLength: historyLength === 0 ? undefined : historyLength,
    returnImmediately: blocking !== true,
    taskPushNotificationConfig: fromPushConfig(withDefaults(member(configuration, "pushNotification"))),
  });
}

/** The body is the configuration; a whole `CreateTaskPushNotificationConfigRequest` will do. */
function fromCreate(params: Json): unknown {
  const given = isObject(params["config"]) ? params["config"] : params;
  const field = given === params ? "" : "config.";
  const config = member(given, "pushNotificationConfig");
  if (!isObject(config)) throw misspelt(`${field}pushNotificationConfig`, "required; must be an object");
  const names = idsOf(given["name"], `${field}name`);
  const taskId = params["taskId"] ?? idsOf(params["parent"], "parent").taskId ?? names.taskId;
  const id = config["id"] || member(params, "configId") || names.configId || taskId;
  return present({ taskId, ...(fromPushConfig(withDefaults({ ...config, id })) as Json) });
}

/** Proto-JSON leaves out an empty list, and an empty text is none. */
function withDefaults(config: unknown): unknown {
  return inside(config, ({ authentication, ...rest }) => ({
    ...rest,
    authentication: inside(authentication, ({ schemes = [], credentials }) => ({
      schemes,
      credentials: credentials === "" ? undefined : credentials,
    })),
  }));
}
