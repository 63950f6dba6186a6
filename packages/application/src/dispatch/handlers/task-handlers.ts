import { type JsonObject, PlanStateError, TaskNotCancelableError } from "@cleveragents/domain";
import { type ParamsOf, ProtocolError, parseCursor, RESUME_EXTENSION } from "@cleveragents/protocol";
import type { TaskSnapshot } from "../../ports/task-store.ts";
import type { MessageService } from "../../services/message-service.ts";
import { decodeCursor, encodeCursor } from "../../services/page-token.ts";
import type { InlinePush } from "../../services/push-service.ts";
import type { TaskService } from "../../services/task-service.ts";
import { compact, fromWireMessage, toWireMessage } from "../../wire/message.ts";
import { fromWirePushConfig } from "../../wire/push.ts";
import { fromWireTaskState, toWireTask, type WireTask } from "../../wire/task.ts";
import type { HandlerContext, HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

type TaskMethod =
  | "SendMessage"
  | "SendStreamingMessage"
  | "GetTask"
  | "ListTasks"
  | "CancelTask"
  | "SubscribeToTask";
const DEFAULT_PAGE = 50;

export function taskHandlers(
  service: TaskService | undefined,
  messageService: MessageService | undefined,
): HandlersOf<TaskMethod> {
  return {
    async SendMessage(params, context) {
      const tasks = wired(service, "task");
      const outcome = await wired(messageService, "message").send(context.principal, {
        message: fromWireMessage(params.message),
        acceptedOutputModes: params.configuration?.acceptedOutputModes,
        push: pushOf(params, context),
        returnImmediately: params.configuration?.returnImmediately ?? false,
        signal: context.signal,
      });
      if ("message" in outcome) return { message: toWireMessage(outcome.message) };
      return {
        task: toWireTask(
          await tasks.get(context.principal, outcome.taskId, params.configuration?.historyLength),
        ),
      };
    },

    SendStreamingMessage(params, context) {
      return wired(messageService, "message").stream(context.principal, {
        message: fromWireMessage(params.message),
        acceptedOutputModes: params.configuration?.acceptedOutputModes,
        push: pushOf(params, context),
        historyLength: params.configuration?.historyLength,
        signal: context.signal,
      });
    },

    async GetTask(params, context) {
      const tasks = wired(service, "task");
      // In process the result is the caller's own.
      if (params.historyLength !== undefined || context.binding === "in-process")
        return toWireTask(await tasks.get(context.principal, params.id, params.historyLength));
      const { snapshot, same } = await tasks.poll(context.principal, params.id);
      return same ? constantTask(snapshot) : toWireTask(snapshot);
    },

    async ListTasks(params, context) {
      const pageSize = params.pageSize ?? DEFAULT_PAGE;
      const parts = { history: (params.historyLength ?? 0) > 0, artifacts: params.includeArtifacts ?? false };
      const list: JsonObject = {
        method: "ListTasks",
        principal: context.principal.id,
        ...compact({
          contextId: params.contextId,
          status: params.status,
          since: params.statusTimestampAfter,
        }),
      };
      const page = await wired(service, "task").list(context.principal, {
        contextId: params.contextId === "" ? undefined : params.contextId,
        state: params.status === undefined ? undefined : fromWireTaskState(params.status),
        statusSince:
          params.statusTimestampAfter === undefined ? undefined : Date.parse(params.statusTimestampAfter),
        limit: pageSize,
        cursor: decodeCursor(params.pageToken, "pageToken", list),
        historyLength: params.historyLength ?? 0,
        artifacts: parts.artifacts,
      });
      return {
        tasks: page.snapshots.map((snapshot) => toWireTask(snapshot, parts)),
        nextPageToken: encodeCursor(page.next, list),
        pageSize,
        totalSize: page.total,
      };
    },

    async CancelTask(params, context) {
      try {
        return toWireTask(await wired(service, "task").cancel(context.principal, params.id, undefined));
      } catch (error) {
        if (error instanceof PlanStateError) throw new TaskNotCancelableError(params.id, stateWord(error));
        throw error;
      }
    },

    SubscribeToTask(params, context) {
      const resumable = context.extensions.includes(RESUME_EXTENSION);
      const given = resumable ? context.lastEventId : undefined;
      const after = given === undefined || given === "" ? undefined : parseCursor(given);
      if (given !== undefined && given !== "" && after?.taskId !== params.id) {
        throw new ProtocolError("InvalidParams", {
          violations: [{ field: "Last-Event-ID", description: "not an event id of this task" }],
        });
      }
      return wired(service, "task").subscribe(context.principal, {
        taskId: params.id,
        resumable,
        after,
        signal: context.signal,
      });
    },
  };
}

const constants = new WeakMap<TaskSnapshot, WireTask>();

/** The task of a snapshot that is answered more than once; frozen, so that transports keep its text. */
function constantTask(snapshot: TaskSnapshot): WireTask {
  let task = constants.get(snapshot);
  if (task === undefined) {
    task = Object.freeze(toWireTask(snapshot));
    constants.set(snapshot, task);
  }
  return task;
}

function pushOf(
  { configuration }: ParamsOf<"SendMessage">,
  { version }: HandlerContext,
): InlinePush | undefined {
  const given = configuration?.taskPushNotificationConfig;
  return given && { ...fromWirePushConfig(given, version), taskId: given.taskId };
}

function stateWord(error: PlanStateError): TaskNotCancelableError["state"] {
  const words = {
    applied: "completed",
    cancelled: "canceled",
    rejected: "rejected",
    failed: "failed",
  } as const;
  const state = error.stage.state;
  return state in words ? words[state as keyof typeof words] : "working";
}
