import { callCommand } from "../command/call-command.ts";
import { saidText } from "../output/said-text.ts";
import { fields, when } from "../output/words.ts";
import { sessionIdOf } from "../session/resolve-session-id.ts";

export const command = callCommand({
  method: "_cleveragents/session/show",
  params: async (invocation) => ({
    session_id: await sessionIdOf(invocation),
    messages: invocation.values.number("messages"),
  }),
  text: (session, page) =>
    [
      fields([
        ["Session", session.session_id],
        ["Name", session.name],
        ["Actor", session.actor],
        ["Status", session.status],
        ["Created", when(session.created_at, page)],
        ["Last used", when(session.updated_at, page)],
        ["Budget", amounts(session.budget)],
        ["Imported", session.imported_from === undefined ? undefined : `from ${session.imported_from}`],
        [
          "Messages",
          `${session.tasks}${session.waiting === 0 ? "" : `, ${session.waiting} not answered yet`}`,
        ],
        [
          "Plans",
          session.linked_plans
            .map(({ plan_id, phase, state, imported }) =>
              [plan_id, [phase, state].filter(Boolean).join("/"), imported ? "(elsewhere)" : ""]
                .filter(Boolean)
                .join("  "),
            )
            .join("\n"),
        ],
      ]),
      ...session.recent_messages.map(({ role, parts }) => saidText(role, parts)),
    ].join("\n\n"),
  names: ({ session_id }) => [session_id],
});

function amounts(budget: Readonly<Record<string, number | undefined>> | undefined): string | undefined {
  return (
    budget &&
    Object.entries(budget)
      .map(([kind, amount]) => `${kind}=${amount}`)
      .join("  ")
  );
}
