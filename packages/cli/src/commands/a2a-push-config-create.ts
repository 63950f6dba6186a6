import { a2aError } from "../a2a/a2a-errors.ts";
import { pushConfigCommand } from "../a2a/push-config.ts";

export const command = pushConfigCommand({
  operation: "CreateTaskPushNotificationConfig",
  params: ({ values }) => {
    const url = values.text("url");
    if (url === undefined || !URL.canParse(url))
      throw a2aError("USAGE", "--url is where the agent shall post to, an absolute address");
    const scheme = values.text("auth-scheme");
    const credentials = values.text("auth-credentials");
    if (credentials !== undefined && scheme === undefined)
      throw a2aError("USAGE", "--auth-credentials needs --auth-scheme, e.g. Bearer");
    const id = values.text("id");
    const token = values.text("token");
    return {
      taskId: values.positional("TASK"),
      url,
      ...(id === undefined ? {} : { id }),
      ...(token === undefined ? {} : { token }),
      ...(scheme === undefined
        ? {}
        : { authentication: { scheme, ...(credentials === undefined ? {} : { credentials }) } }),
    };
  },
});
