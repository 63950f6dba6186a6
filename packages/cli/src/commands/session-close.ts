import { callCommand } from "../command/call-command.ts";
import { fields } from "../output/words.ts";
import { sessionIdOf } from "../session/resolve-session-id.ts";

export const command = callCommand({
  method: "session.close",
  params: async (invocation) => ({
    session_id: await sessionIdOf(invocation),
    plans: invocation.values.isSet("cancel-plans") ? ("cancel" as const) : undefined,
  }),
  text: ({ session_id, status, cancelled, detached }) =>
    fields([
      ["Session", `${session_id} (${status})`],
      ["Cancelled", cancelled.join("\n")],
      ["Go on", detached.map((planId) => `agents plan status ${planId}`).join("\n")],
    ]),
  names: ({ session_id }) => [session_id],
});
