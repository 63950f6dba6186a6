import type { StandardMethod } from "../dialect.ts";

type Spelling = readonly [canonical: RegExp, here: string];

const SEND: readonly Spelling[] = [
  [/^(message\.parts\.\d+)\.raw$/, "$1.file.bytes"],
  [/^(message\.parts\.\d+)\.url$/, "$1.file.uri"],
  [/^(message\.parts\.\d+)\.mediaType$/, "$1.file.mimeType"],
  [/^(message\.parts\.\d+)\.filename$/, "$1.file.name"],
  [/^configuration\.returnImmediately/, "configuration.blocking"],
  [
    /^configuration\.taskPushNotificationConfig\.authentication\.scheme$/,
    "configuration.pushNotificationConfig.authentication.schemes",
  ],
  [/^configuration\.taskPushNotificationConfig/, "configuration.pushNotificationConfig"],
];
const CONFIG_ID: readonly Spelling[] = [
  [/^id$/, "pushNotificationConfigId"],
  [/^taskId$/, "id"],
];
const SPELLINGS: Readonly<Partial<Record<StandardMethod, readonly Spelling[]>>> = {
  SendMessage: SEND,
  SendStreamingMessage: SEND,
  CreateTaskPushNotificationConfig: [
    [/^authentication\.scheme$/, "pushNotificationConfig.authentication.schemes"],
    [/^(id|url|token|authentication)/, "pushNotificationConfig.$1"],
  ],
  GetTaskPushNotificationConfig: CONFIG_ID,
  ListTaskPushNotificationConfigs: CONFIG_ID,
  DeleteTaskPushNotificationConfig: CONFIG_ID,
};

/** How 0.3 spells a field of the 1.0 parameters. */
export function fieldOf(method: StandardMethod, field: string): string {
  const found = SPELLINGS[method]?.find(([canonical]) => canonical.test(field));
  return found === undefined ? field : field.replace(...found);
}
