import { callCommand } from "../command/call-command.ts";
import { moreNote, pageParams } from "../command/page.ts";
import { table } from "../output/table.ts";

export const command = callCommand({
  method: "_cleveragents/invariant/list",
  params: ({ values }) => ({
    global: values.isSet("global") ? true : undefined,
    project: values.text("project"),
    action: values.text("action"),
    plan_id: values.text("plan"),
    effective: values.isSet("effective") ? true : undefined,
    ...pageParams(values),
  }),
  text: ({ invariants, conflicts_resolved = [] }, page) => {
    if (invariants.length === 0)
      return "No invariants here. agents invariant add TEXT --global registers one.";
    const rows = table(
      invariants,
      [
        { head: "ID", cell: ({ id }) => id },
        { head: "OF", cell: ({ scope, source }) => (scope === "global" ? scope : `${scope} ${source}`) },
        { head: "CHECKED", cell: ({ checkable }) => (checkable ? "yes" : "no") },
        { head: "TEXT", cell: ({ text }) => text, shrinkTo: 12 },
      ],
      page,
    );
    const lost = conflicts_resolved.map(
      ({ overridden, by }) =>
        `Overridden: "${overridden.text}" (${overridden.scope}) by "${by.text}" (${by.scope})`,
    );
    return [rows, ...lost].join("\n");
  },
  names: ({ invariants }) => invariants.map(({ id }) => id),
  note: moreNote,
});
