import { callCommand } from "../command/call-command.ts";

export const command = callCommand({
  method: "session.create",
  params: ({ values }) => ({
    actor_name: values.text("actor"),
    session_id: values.text("session-id"),
    name: values.text("name"),
  }),
  text: ({ session_id }) => `Session: ${session_id}`,
  names: ({ session_id }) => [session_id],
});
