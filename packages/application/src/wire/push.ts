import { MASKED_SECRET, type ParamsOf, type ResultOf } from "@cleveragents/protocol";
import type { PushConfig } from "../ports/push-store.ts";
import type { PushRegistration } from "../services/push-service.ts";
import { compact } from "./message.ts";

type WirePushConfig = ResultOf<"GetTaskPushNotificationConfig">;
type GivenPushConfig = Omit<ParamsOf<"CreateTaskPushNotificationConfig">, "tenant" | "taskId">;

export function fromWirePushConfig(
  { id, url, token, authentication }: GivenPushConfig,
  version: PushConfig["version"],
): PushRegistration {
  return {
    url,
    version,
    ...compact({ id, token }),
    ...(authentication === undefined
      ? {}
      : {
          authentication: {
            scheme: authentication.scheme,
            ...compact({ credentials: authentication.credentials }),
          },
        }),
  };
}

/** A2A §4.3.1. That there is a secret can be seen, and not which. */
export function toWirePushConfig({
  taskId,
  configId,
  url,
  token,
  authentication,
}: PushConfig): WirePushConfig {
  return {
    id: configId,
    taskId,
    url,
    ...(token === undefined ? {} : { token: MASKED_SECRET }),
    ...(authentication === undefined
      ? {}
      : {
          authentication: {
            scheme: authentication.scheme,
            ...(authentication.credentials === undefined ? {} : { credentials: MASKED_SECRET }),
          },
        }),
  };
}
