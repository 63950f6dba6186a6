import { callCommand } from "../command/call-command.ts";

export const command = callCommand({
  method: "session.close",
  params: ({ values }) => ({ session_id: values.positional("ID") }),
  text: ({ session_id, status }) => `Session: ${session_id} (${status})`,
  names: ({ session_id }) => [session_id],
});
