import { callCommand } from "../command/call-command.ts";
import { moreNote, pageParams } from "../command/page.ts";
import { table } from "../output/table.ts";

export const command = callCommand({
  method: "_cleveragents/registry/action/list",
  params: ({ values }) => ({ namespace: values.text("namespace"), ...pageParams(values) }),
  text: ({ actions }, page) =>
    actions.length === 0
      ? "No actions. agents action add FILE registers one."
      : table(
          actions,
          [
            { head: "NAME", cell: ({ name }) => name },
            { head: "STATE", cell: ({ state }) => state },
            { head: "STRATEGY", cell: ({ strategy_actor }) => strategy_actor ?? "", shrinkTo: 10 },
            { head: "EXECUTION", cell: ({ execution_actor }) => execution_actor ?? "", shrinkTo: 10 },
            { head: "DESCRIPTION", cell: ({ description }) => description, shrinkTo: 12 },
          ],
          page,
        ),
  names: ({ actions }) => actions.map(({ name }) => name),
  note: moreNote,
});
