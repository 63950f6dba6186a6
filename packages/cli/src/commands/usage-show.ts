import { callCommand } from "../command/call-command.ts";
import { table } from "../output/table.ts";
import { count, money, thousands } from "../output/words.ts";
import { planIdIn } from "../plan/resolve-plan-id.ts";

const tokens = thousands;
const cost = (usd: number | undefined) => (usd === undefined ? "" : money(usd));

export const command = callCommand({
  method: "_cleveragents/usage/show",
  params: async (invocation) => {
    const { values } = invocation;
    return {
      plan_id: await planIdIn(invocation, "plan"),
      session_id: values.text("session"),
      model: values.text("model"),
    };
  },
  text: ({ total, models, tasks, total_tasks }, page) => {
    if (models.length === 0) return "No model was used.";
    const byModel = table(
      models,
      [
        { head: "MODEL", cell: ({ model }) => model, shrinkTo: 12 },
        { head: "ROLE", cell: ({ role }) => role },
        { head: "CALLS", cell: ({ calls }) => tokens(calls), align: "right" },
        { head: "IN", cell: (use) => tokens(use.input_tokens), align: "right" },
        {
          head: "CACHED",
          cell: (use) => (use.cache_read_tokens === 0 ? "" : tokens(use.cache_read_tokens)),
          align: "right",
        },
        { head: "OUT", cell: (use) => tokens(use.output_tokens), align: "right" },
        { head: "COST", cell: (use) => cost(use.cost_usd), align: "right" },
      ],
      page,
    );
    const byTask = table(
      tasks.slice(0, 20),
      [
        { head: "PLAN OR MESSAGE", cell: ({ task_id }) => task_id },
        { head: "ACTION", cell: ({ action }) => action ?? "", shrinkTo: 10 },
        { head: "TOKENS", cell: (task) => tokens(task.total_tokens), align: "right" },
        { head: "COST", cell: (task) => cost(task.cost_usd), align: "right" },
      ],
      page,
    );
    const sum = [`${tokens(total.total_tokens)} tokens`, cost(total.cost_usd)]
      .filter((part) => part !== "")
      .join(", ");
    const all = total_tasks > 1 ? `\n\n${byTask}` : "";
    return `${sum} in ${tokens(total.calls)} call${total.calls === 1 ? "" : "s"}\n\n${byModel}${all}`;
  },
  names: ({ models }) => [...new Set(models.map(({ model }) => model))],
  note: ({ total, unpriced_models }) =>
    [
      ...(unpriced_models.length === 0
        ? []
        : [
            `Not in the cost, since nobody has said what they cost: ${unpriced_models.join(", ")} (prices go into providers.yaml)`,
          ]),
      ...(total.estimated_calls === 0
        ? []
        : [`Of ${count(total.estimated_calls, "call")} the tokens are estimated`]),
    ].join("\n") || undefined,
});
