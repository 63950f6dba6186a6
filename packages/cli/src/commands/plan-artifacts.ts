import { callCommand } from "../command/call-command.ts";
import { moreNote } from "../command/page.ts";
import { table } from "../output/table.ts";
import { bytes } from "../output/words.ts";
import { planIdOf } from "../plan/resolve-plan-id.ts";

export const command = callCommand({
  method: "_cleveragents/plan/artifacts",
  params: async (invocation) => ({ plan_id: await planIdOf(invocation) }),
  text: ({ artifacts }, page) =>
    artifacts.length === 0
      ? "No artifacts yet."
      : table(
          artifacts,
          [
            { head: "TYPE", cell: ({ type }) => type },
            { head: "PATH", cell: ({ path }) => path },
            { head: "SIZE", cell: ({ size }) => (size === undefined ? "" : bytes(size)), align: "right" },
            { head: "CHANGE", cell: ({ change }) => change, shrinkTo: 10 },
          ],
          page,
        ),
  names: ({ artifacts }) => artifacts.map(({ path }) => path),
  note: moreNote,
});
