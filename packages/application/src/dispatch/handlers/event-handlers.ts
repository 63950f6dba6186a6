import { ProtocolError } from "@cleveragents/protocol";
import type { EventService } from "../../services/event-service.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

export function eventHandlers(
  service: EventService | undefined,
): HandlersOf<"_cleveragents/event/subscribe"> {
  return {
    "_cleveragents/event/subscribe"(params, context) {
      const { plan_id: planId, task_id: taskId, session_id: sessionId, afterSeq } = params;
      const [, second] = Object.entries({ plan_id: planId, task_id: taskId, session_id: sessionId }).filter(
        ([, id]) => id !== undefined,
      );
      if (second !== undefined) throw invalid(second[0], "only one of plan_id, task_id and session_id");
      if (afterSeq !== undefined && planId === undefined && taskId === undefined)
        throw invalid("afterSeq", "counts the events of one task: name a plan or a task, or use a cursor");
      if (afterSeq !== undefined && params.cursor !== undefined)
        throw invalid("cursor", "either afterSeq or a cursor");
      return wired(service, "event").subscribe(
        context.principal,
        { planId, taskId, sessionId },
        startOf(params, context.lastEventId),
        context.signal,
      );
    },
  };
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
