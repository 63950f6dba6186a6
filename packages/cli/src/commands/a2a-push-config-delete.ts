import { pushConfigCommand } from "../a2a/push-config.ts";
import { field } from "../a2a/task-text.ts";

export const command = pushConfigCommand({
  operation: "DeleteTaskPushNotificationConfig",
  params: ({ values }) => ({ taskId: values.positional("TASK"), id: values.positional("CONFIG") }),
  done: ({ taskId, id }) => [field("Task", String(taskId)), field("Deleted", String(id))].join("\n"),
});
