import { type PushService, pushOf } from "../../services/push-service.ts";
import { fromWirePushConfig, toWirePushConfig } from "../../wire/push.ts";
import type { HandlersOf } from "../method-handlers.ts";

type PushMethod =
  | "CreateTaskPushNotificationConfig"
  | "GetTaskPushNotificationConfig"
  | "ListTaskPushNotificationConfigs"
  | "DeleteTaskPushNotificationConfig";
const DEFAULT_PAGE = 100;

export function pushHandlers(service: PushService | undefined): HandlersOf<PushMethod> {
  return {
    async CreateTaskPushNotificationConfig({ taskId, ...given }, { principal, version }) {
      const registration = fromWirePushConfig(given, version);
      return toWirePushConfig(await pushOf(service).create(principal, taskId, registration));
    },

    async GetTaskPushNotificationConfig({ taskId, id }, { principal }) {
      return toWirePushConfig(await pushOf(service).get(principal, { taskId, configId: id }));
    },

    async ListTaskPushNotificationConfigs({ taskId, pageSize, pageToken }, { principal }) {
      const { rows, next } = await pushOf(service).list(principal, taskId, {
        size: pageSize || DEFAULT_PAGE,
        token: pageToken || undefined,
      });
      return { configs: rows.map(toWirePushConfig), nextPageToken: next ?? "" };
    },

    async DeleteTaskPushNotificationConfig({ taskId, id }, { principal }) {
      await pushOf(service).remove(principal, { taskId, configId: id });
      return {};
    },
  };
}
