import { callCommand } from "../command/call-command.ts";
import { moreNote, pageParams } from "../command/page.ts";
import { table } from "../output/table.ts";
import { age } from "../output/words.ts";

export const command = callCommand({
  method: "_cleveragents/session/list",
  params: ({ values }) => pageParams(values),
  text: ({ sessions }, page) =>
    sessions.length === 0
      ? "No sessions. agents session create opens one."
      : table(
          sessions,
          [
            { head: "ID", cell: ({ session_id }) => session_id },
            { head: "NAME", cell: ({ name }) => name ?? "", shrinkTo: 8 },
            { head: "ACTOR", cell: ({ actor }) => actor ?? "", shrinkTo: 8 },
            { head: "STATUS", cell: ({ status }) => status },
            { head: "AGE", cell: ({ created_at }) => age(created_at, page.now), align: "right" },
          ],
          page,
        ),
  names: ({ sessions }) => sessions.map(({ session_id }) => session_id),
  note: moreNote,
});
