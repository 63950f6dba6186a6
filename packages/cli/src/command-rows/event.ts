import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";

export const eventRows = {
  "_cleveragents/event/export": {
    path: ["events", "export"],
    aliases: [["event", "export"]],
    summary: "What was logged, as lines of JSON.",
    details:
      "Everything of yours, or what belongs to one plan, task or session, in the order in which it was logged: one\n" +
      "notification a line, whatever -o says. A time is 2026-01-31T12:00:00Z, or how long ago: 30m, 12h, 7d.\n" +
      "agents plan watch follows a plan as it goes on.",
    flags: {
      plan: { type: "string", value: "ID", summary: "one plan" },
      task: { type: "string", value: "ID", summary: "one task, such as a message's" },
      session: { type: "string", value: "ID", summary: "all plans and messages of one session" },
      since: { type: "string", value: "TIME", summary: "what was logged then or later" },
      until: { type: "string", value: "TIME", summary: "what was logged then or before" },
    },
    examples: [
      { command: "agents events export --plan 01K5A9 > plan.jsonl" },
      { command: "agents events export --since 24h | jq .params.event" },
    ],
    seeAlso: ["plan watch", "session export"],
    load: () => import("../commands/events-export.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
