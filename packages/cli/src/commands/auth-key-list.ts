import { callCommand } from "../command/call-command.ts";
import { moreNote, pageParams } from "../command/page.ts";
import { table } from "../output/table.ts";
import { age } from "../output/words.ts";

export const command = callCommand({
  method: "_cleveragents/auth/key/list",
  params: ({ values }) => pageParams(values),
  text: ({ keys }, page) =>
    keys.length === 0
      ? "No keys. agents auth key create makes one."
      : table(
          keys,
          [
            { head: "ID", cell: ({ key_id }) => key_id },
            { head: "NAME", cell: ({ name }) => name, shrinkTo: 8 },
            { head: "PRINCIPAL", cell: ({ principal }) => principal, shrinkTo: 8 },
            { head: "SCOPES", cell: ({ scopes }) => scopes.join(" "), shrinkTo: 10 },
            { head: "TENANTS", cell: ({ tenants }) => tenants.join(" "), shrinkTo: 8 },
            { head: "AGE", cell: ({ created_at }) => age(created_at, page.now), align: "right" },
            {
              head: "STATUS",
              cell: ({ revoked_at, expires_at }) =>
                revoked_at !== undefined
                  ? "revoked"
                  : expires_at !== undefined && Date.parse(expires_at) <= page.now
                    ? "expired"
                    : "active",
            },
          ],
          page,
        ),
  names: ({ keys }) => keys.map(({ key_id }) => key_id),
  note: moreNote,
});
