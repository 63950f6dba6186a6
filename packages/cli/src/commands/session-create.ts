import { readBudget } from "../command/budget.ts";
import { callCommand } from "../command/call-command.ts";

export const command = callCommand({
  method: "session.create",
  params: ({ values }) => {
    const cost = values.number("max-cost");
    const budget = readBudget(values.list("budget"));
    return {
      actor_name: values.text("actor"),
      session_id: values.text("session-id"),
      name: values.text("name"),
      budget: cost === undefined ? budget : { ...budget, cost_usd: cost },
    };
  },
  text: ({ session_id }) => `Session: ${session_id}`,
  names: ({ session_id }) => [session_id],
});
