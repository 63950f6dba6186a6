import { callCommand } from "../command/call-command.ts";
import { moreNote, pageParams } from "../command/page.ts";
import { table } from "../output/table.ts";
import { age, bytes } from "../output/words.ts";
import { shortId } from "../plan/resolve-plan-id.ts";

export const command = callCommand({
  method: "_cleveragents/sandbox/list",
  params: ({ values }) => pageParams(values),
  text: ({ sandboxes }, page) =>
    sandboxes.length === 0
      ? "No sandboxes."
      : table(
          sandboxes,
          [
            { head: "PLAN", cell: ({ plan_id }) => shortId(plan_id) },
            { head: "PROJECT", cell: ({ project }) => project, shrinkTo: 8 },
            { head: "STATE", cell: ({ state }) => state },
            { head: "WORK", cell: ({ unapplied_work }) => (unapplied_work ? "unapplied" : "") },
            { head: "SIZE", cell: (sandbox) => bytes(sandbox.bytes), align: "right" },
            {
              head: "AGE",
              cell: ({ created_at }) => (created_at === undefined ? "" : age(created_at, page.now)),
              align: "right",
            },
            { head: "UNTIL", cell: ({ kept_until }) => kept_until?.slice(0, "2026-01-01".length) ?? "" },
          ],
          page,
        ),
  names: ({ sandboxes }) => sandboxes.map(({ plan_id }) => plan_id),
  note: moreNote,
});
