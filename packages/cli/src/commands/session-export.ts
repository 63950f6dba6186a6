import { callCommand } from "../command/call-command.ts";
import { sessionIdOf } from "../session/resolve-session-id.ts";

export const command = callCommand({
  method: "_cleveragents/session/export",
  params: async (invocation) => ({ session_id: await sessionIdOf(invocation) }),
  // The document alone: it is what is imported.
  text: ({ document }) => JSON.stringify(document, null, 2),
  names: ({ session_id }) => [session_id],
  note: ({ messages, linked_plans, checksum }) =>
    `Messages: ${messages}, plans: ${linked_plans}, checksum ${checksum}`,
});
