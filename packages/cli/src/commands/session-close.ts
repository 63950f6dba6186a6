import { callCommand } from "../command/call-command.ts";
import { fields } from "../output/words.ts";

export const command = callCommand({
  method: "session.close",
  params: ({ values }) => ({
    session_id: values.positional("ID"),
    plans: values.isSet("cancel-plans") ? ("cancel" as const) : undefined,
  }),
  text: ({ session_id, status, cancelled, detached }) =>
    fields([
      ["Session", `${session_id} (${status})`],
      ["Cancelled", cancelled.join("\n")],
      ["Go on", detached.map((planId) => `agents plan status ${planId}`).join("\n")],
    ]),
  names: ({ session_id }) => [session_id],
});
