import { type BudgetLimits, type JsonObject, type Message, textOf } from "@cleveragents/domain";
import { type MethodName, type ParamsOf, ProtocolError } from "@cleveragents/protocol";
import type { MessageService } from "../../services/message-service.ts";
import { decodeCursor, encodeCursor } from "../../services/page-token.ts";
import type { SessionService } from "../../services/session-service.ts";
import type { TaskService } from "../../services/task-service.ts";
import { compact, fromWirePart, toWireMessage } from "../../wire/message.ts";
import { toSessionDetails, toSessionItem } from "../../wire/session.ts";
import { iso, toWireTask } from "../../wire/task.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

type SessionMethod = Extract<MethodName, `session.${string}` | `_cleveragents/session/${string}`>;

export function sessionHandlers(
  service: SessionService | undefined,
  messageService: MessageService | undefined,
  taskService: TaskService | undefined,
): HandlersOf<SessionMethod> {
  const sessions = () => wired(service, "session");
  return {
    async "session.create"(params, { principal }) {
      const session = await sessions().create(principal, {
        sessionId: params.session_id,
        actor: params.actor_name ?? params.actor ?? params.agent_id,
        name: params.name,
        budget: params.budget as BudgetLimits | undefined,
        metadata: params.metadata as JsonObject | undefined,
      });
      return {
        session_id: session.sessionId,
        status: "created",
        created_at: iso(session.createdAt),
        ...compact({ actor: session.actor, budget: session.budget }),
      };
    },

    async "session.close"(params, { principal }) {
      const { session, cancelled, detached } = await sessions().close(
        principal,
        params.session_id,
        params.plans,
      );
      const closed = session.status === "closed";
      return {
        session_id: session.sessionId,
        status: closed ? "closed" : "closing",
        ...(closed ? { closed_at: iso(session.updatedAt) } : {}),
        cancelled: [...cancelled],
        detached: [...detached],
      };
    },

    async "_cleveragents/session/list"(params, { principal }) {
      const list: JsonObject = { method: "session/list", principal: principal.id };
      const after = decodeCursor(params.page_token, "page_token", list);
      const {
        sessions: found,
        next,
        total,
      } = await sessions().list(principal, {
        limit: params.page_size ?? 100,
        cursor: after && { createdAt: after.statusAt, sessionId: after.taskId },
      });
      return {
        sessions: found.map(toSessionItem),
        total,
        next_page_token: encodeCursor(next && { statusAt: next.createdAt, taskId: next.sessionId }, list),
      };
    },

    async "_cleveragents/session/show"(params, { principal }) {
      return toSessionDetails(await sessions().show(principal, params.session_id, params.messages));
    },

    async "_cleveragents/session/tell"(params, { principal, signal }) {
      const { session } = await sessions().open(principal, params.session_id);
      const message: Message = {
        messageId: params.message_id ?? sessions().messageId(),
        role: "user",
        contextId: session.sessionId,
        parts: partsOf(params),
        ...compact({ taskId: params.task_id }),
      };
      const outcome = await wired(messageService, "message").send(principal, {
        message,
        project: params.project,
        workingDirectory: params.working_directory,
        returnImmediately: params.wait === false,
        signal,
      });
      const answered = {
        session_id: session.sessionId,
        message_id: message.messageId,
        ...compact({ actor: session.actor }),
      };
      if ("message" in outcome)
        return { ...answered, response: textOf(outcome.message), message: toWireMessage(outcome.message) };
      const snapshot = await wired(taskService, "task").get(principal, outcome.taskId, undefined);
      return { ...answered, response: sessions().answerIn(snapshot), task: toWireTask(snapshot) };
    },

    async "_cleveragents/session/delete"(params, { principal }) {
      const { messages, orphans } = await sessions().delete(
        principal,
        params.session_id,
        params.force ?? false,
      );
      return {
        session_id: params.session_id,
        status: "deleted",
        messages_removed: messages,
        plans_orphaned: [...orphans],
      };
    },

    async "_cleveragents/session/export"(params, { principal }) {
      const document = await sessions().export(principal, params.session_id);
      return {
        session_id: params.session_id,
        document,
        messages: (document["messages"] as unknown[]).length,
        linked_plans: (document["linked_plans"] as unknown[]).length,
        schema_version: String(document["schema_version"]),
        checksum: String(document["checksum"]),
      };
    },

    async "_cleveragents/session/import"(params, { principal }) {
      const imported = await sessions().import(principal, params.document as JsonObject, {
        actor: params.actor_name ?? params.actor ?? params.agent_id,
        name: params.name,
        refuse: params.on_conflict === "refuse",
      });
      const { session } = imported;
      return {
        session_id: session.sessionId,
        imported_from: imported.sessionId,
        schema_version: imported.version,
        checksum: imported.checksum,
        messages: imported.messages,
        linked_plans: imported.plans,
        created_at: iso(session.createdAt),
        ...compact({ actor: session.actor }),
      };
    },
  };
}

function partsOf({ text, parts }: ParamsOf<"_cleveragents/session/tell">): Message["parts"] {
  if ((text === undefined) === (parts === undefined))
    throw new ProtocolError("InvalidParams", {
      violations: [{ field: "text", description: "either a text or parts is needed" }],
    });
  return text === undefined ? (parts ?? []).map(fromWirePart) : [{ kind: "text", text }];
}
