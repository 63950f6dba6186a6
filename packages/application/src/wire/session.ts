import type { JsonObject, Message } from "@cleveragents/domain";
import type { ResultOf } from "@cleveragents/protocol";
import { planOf } from "../plans/plan-document.ts";
import type { SessionDetails, SessionView } from "../services/session-service.ts";
import { compact, toWireMessage } from "./message.ts";
import { iso } from "./task.ts";

type Item = ResultOf<"_cleveragents/session/list">["sessions"][number];
type Details = ResultOf<"_cleveragents/session/show">;

export function toSessionItem({ session, state }: SessionView): Item {
  return {
    session_id: session.sessionId,
    status: state,
    created_at: iso(session.createdAt),
    updated_at: iso(session.updatedAt),
    ...compact({ name: session.name, actor: session.actor }),
  };
}

export function toSessionDetails(details: SessionDetails): Details {
  const { session, recent, tasks, waiting, plans, record } = details;
  const imported = (record?.["linked_plans"] ?? []) as JsonObject[];
  return {
    ...toSessionItem(details),
    tasks,
    waiting,
    recent_messages: recent.map((message: Message) => toWireMessage(message)),
    linked_plans: [
      ...plans.map((row) => {
        const { planId, stage, action } = planOf(row);
        return { plan_id: planId, phase: stage.phase, state: stage.state, action };
      }),
      ...imported.map(({ plan_id, phase, state, action }) => ({
        plan_id: String(plan_id),
        ...compact({ phase: wordOf(phase), state: wordOf(state), action: wordOf(action) }),
        imported: true as const,
      })),
    ],
    ...compact({
      budget: session.budget,
      metadata: session.metadata,
      imported_from: wordOf(record?.["imported_from"]),
    }),
  };
}

function wordOf(value: JsonObject[string] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
