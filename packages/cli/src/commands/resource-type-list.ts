import { callCommand } from "../command/call-command.ts";
import { moreNote, pageParams } from "../command/page.ts";
import { table } from "../output/table.ts";

export const command = callCommand({
  method: "_cleveragents/registry/resource_type/list",
  params: ({ values }) => ({ namespace: values.text("namespace"), ...pageParams(values) }),
  text: ({ resource_types }, page) =>
    table(
      resource_types,
      [
        { head: "NAME", cell: ({ name }) => name },
        { head: "SOURCE", cell: ({ source }) => source },
        { head: "KIND", cell: ({ physical_virtual }) => physical_virtual },
        { head: "INHERITS", cell: ({ inherits }) => inherits ?? "" },
        { head: "DESCRIPTION", cell: ({ description }) => description, shrinkTo: 12 },
      ],
      page,
    ),
  names: ({ resource_types }) => resource_types.map(({ name }) => name),
  note: moreNote,
});
