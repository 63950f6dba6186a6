import { pushConfigCommand } from "../a2a/push-config.ts";

export const command = pushConfigCommand({
  operation: "ListTaskPushNotificationConfigs",
  params: ({ values }) => ({ taskId: values.positional("TASK") }),
});
