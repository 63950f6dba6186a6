import { ProtocolError } from "@cleveragents/protocol";
import type { EventExportService } from "../../services/event-export-service.ts";
import type { EventService } from "../../services/event-service.ts";
import { compact } from "../../wire/message.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

const PAGE_SIZE = 200;

export function eventHandlers(
  service: EventService | undefined,
  exporter: EventExportService | undefined,
): HandlersOf<"_cleveragents/event/subscribe" | "_cleveragents/event/export"> {
  return {
    async "_cleveragents/event/export"(params, { principal, signal }) {
      const target = targetOf(params);
      const [since, until] = [timeOf(params.since), timeOf(params.until)];
      if (since !== undefined && until !== undefined && since > until)
        throw invalid("until", "is before since");
      const { events, total, next } = await wired(exporter, "event").page(
        principal,
        { ...target, since, until, limit: params.page_size ?? PAGE_SIZE, token: params.page_token },
        signal,
      );
      return { events: [...events], ...compact({ total }), next_page_token: next };
    },

    "_cleveragents/event/subscribe"(params, context) {
      const target = targetOf(params);
      const { afterSeq } = params;
      if (afterSeq !== undefined && target.planId === undefined && target.taskId === undefined)
        throw invalid("afterSeq", "counts the events of one task: name a plan or a task, or use a cursor");
      if (afterSeq !== undefined && params.cursor !== undefined)
        throw invalid("cursor", "either afterSeq or a cursor");
      return wired(service, "event").subscribe(
        context.principal,
        target,
        startOf(params, context.lastEventId),
        context.signal,
      );
    },
  };
}

function targetOf({
  plan_id: planId,
  task_id: taskId,
  session_id: sessionId,
}: {
  readonly plan_id?: string | undefined;
  readonly task_id?: string | undefined;
  readonly session_id?: string | undefined;
}) {
  const [, second] = Object.entries({ plan_id: planId, task_id: taskId, session_id: sessionId }).filter(
    ([, id]) => id !== undefined,
  );
  if (second !== undefined) throw invalid(second[0], "only one of plan_id, task_id and session_id");
  return { planId, taskId, sessionId };
}

/** Milliseconds of a timestamp that was checked. */
function timeOf(timestamp: string | undefined): number | undefined {
  return timestamp === undefined ? undefined : Date.parse(timestamp);
}

/** A reader that comes back repeats its request and adds the cursor that it has reached. */
function startOf(
  { afterSeq, cursor }: { readonly afterSeq?: number | undefined; readonly cursor?: string | undefined },
  lastEventId: string | undefined,
) {
  if (lastEventId !== undefined && lastEventId !== "")
    return { cursor: { text: lastEventId, field: "Last-Event-ID" } };
  return cursor === undefined ? { afterSeq } : { cursor: { text: cursor, field: "cursor" } };
}

function invalid(field: string, description: string): ProtocolError {
  return new ProtocolError("InvalidParams", { violations: [{ field, description }] });
}
