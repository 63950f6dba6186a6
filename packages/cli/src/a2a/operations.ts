import type { RestRequest } from "@cleveragents/transport-http/client";
import { legacyParams, legacyRestParams } from "./legacy-params.ts";

export type A2aVersion = "1.0" | "0.3";
export type Params = Readonly<Record<string, unknown>>;

interface OperationRow {
  readonly legacy: string;
  readonly verb: RestRequest["verb"];
  readonly path: string;
}

/** The operations of A2A by their names in 1.0, with their names in 0.3 and their routes (A2A §5.3). */
const OPERATIONS = {
  SendMessage: { legacy: "message/send", verb: "POST", path: "/message:send" },
  SendStreamingMessage: { legacy: "message/stream", verb: "POST", path: "/message:stream" },
  GetTask: { legacy: "tasks/get", verb: "GET", path: "/tasks/{id}" },
  ListTasks: { legacy: "tasks/list", verb: "GET", path: "/tasks" },
  CancelTask: { legacy: "tasks/cancel", verb: "POST", path: "/tasks/{id}:cancel" },
  SubscribeToTask: { legacy: "tasks/resubscribe", verb: "GET", path: "/tasks/{id}:subscribe" },
  CreateTaskPushNotificationConfig: {
    legacy: "tasks/pushNotificationConfig/set",
    verb: "POST",
    path: "/tasks/{taskId}/pushNotificationConfigs",
  },
  GetTaskPushNotificationConfig: {
    legacy: "tasks/pushNotificationConfig/get",
    verb: "GET",
    path: "/tasks/{taskId}/pushNotificationConfigs/{id}",
  },
  ListTaskPushNotificationConfigs: {
    legacy: "tasks/pushNotificationConfig/list",
    verb: "GET",
    path: "/tasks/{taskId}/pushNotificationConfigs",
  },
  DeleteTaskPushNotificationConfig: {
    legacy: "tasks/pushNotificationConfig/delete",
    verb: "DELETE",
    path: "/tasks/{taskId}/pushNotificationConfigs/{id}",
  },
} as const satisfies Record<string, OperationRow>;
export type Operation = keyof typeof OPERATIONS;

export interface Addressed {
  readonly version: A2aVersion;
  /** Of the interface, to be repeated in every request (A2A §8.3.2). */
  readonly tenant: string | undefined;
}

/** `params` are those of 1.0. */
export function toRpc(operation: Operation, params: Params, { version, tenant }: Addressed) {
  if (version === "0.3")
    return { method: OPERATIONS[operation].legacy, params: legacyParams(operation, params) };
  return { method: operation, params: tenant === undefined ? params : { ...params, tenant } };
}

export function toRest(operation: Operation, params: Params, { version, tenant }: Addressed): RestRequest {
  const { verb, path } = OPERATIONS[operation];
  const root = version === "0.3" ? "/v1" : tenant === undefined ? "" : `/${encodeURIComponent(tenant)}`;
  const rest = new Map(Object.entries(params));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.get(name));
    rest.delete(name);
    return encodeURIComponent(value);
  });
  const left = Object.fromEntries(rest);
  const at = { verb, path: `${root}${filled}` };
  if (verb === "POST") return { ...at, body: version === "0.3" ? legacyRestParams(operation, left) : left };
  const query = Object.entries(left).map(([name, value]) => [name, String(value)] as const);
  return query.length === 0 ? at : { ...at, query: Object.fromEntries(query) };
}
