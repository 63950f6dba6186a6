import type { Asker, Dialect, StandardMethod } from "../dialect.ts";
import { isObject, type Json } from "../json.ts";
import { v03 } from "../v03/index.ts";
import { fromSimpleSend, isStrictly03 } from "./message.ts";

const NAMES: Readonly<Record<string, StandardMethod>> = {
  "tasks/list": "ListTasks",
  "tasks/subscribe": "SubscribeToTask",
  "pushNotificationConfig/create": "CreateTaskPushNotificationConfig",
  "pushNotificationConfig/get": "GetTaskPushNotificationConfig",
  "pushNotificationConfig/list": "ListTaskPushNotificationConfigs",
  "pushNotificationConfig/delete": "DeleteTaskPushNotificationConfig",
  getExtendedAgentCard: "GetExtendedAgentCard",
  "agent/authenticatedExtendedCard": "GetExtendedAgentCard",
};

type Read = (params: Json, asker: Asker) => unknown;
const READERS: Readonly<Partial<Record<StandardMethod, Read>>> = {
  SendMessage: fromSimpleSend,
  SendStreamingMessage: fromSimpleSend,
};

/**
 * The dialect of the documents that this product was specified in: their names and their plainer messages, beside
 * those of 0.3. What they leave unsaid, and every answer, is as in 0.3.
 */
export const documents: Dialect = {
  ...v03,
  names: new Map([...v03.names, ...Object.entries(NAMES)]),
  params(method, params, asker) {
    const read = READERS[method];
    if (read === undefined || !isObject(params) || isStrictly03(params))
      return v03.params(method, params, asker);
    return read(params, asker);
  },
};
