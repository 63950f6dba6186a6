import { pushConfigCommand } from "../a2a/push-config.ts";

export const command = pushConfigCommand({
  operation: "GetTaskPushNotificationConfig",
  params: ({ values }) => ({ taskId: values.positional("TASK"), id: values.positional("CONFIG") }),
});
