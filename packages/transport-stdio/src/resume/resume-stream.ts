import {
  formatCursor,
  type JsonRpcRequest,
  methods,
  parseExtensions,
  RESUME_EXTENSION,
  resolveMethod,
  type ServiceParameters,
} from "@cleveragents/protocol";
import { isSubscribed, isSubscription, parameterOf, positionOf, record, taskIn } from "./stream-position.ts";

/** The last element of a stream that its reader has. */
export interface LastElement {
  readonly seq: number;
  readonly result: unknown;
  /** Of an element that is a notification of its own: its method, and its cursor. */
  readonly event?: string | undefined;
  readonly cursor?: string | undefined;
}

/**
 * The request that goes on with a stream that broke off after `last`: a subscription to its task by cursor. Whoever
 * sends it has asked for the resume extension himself, so the stream's reader must see nothing of it
 * (`isRepetition`, `withoutResume`). A stream of notifications is asked for again, with the cursor. Undefined when the
 * stream is none of either.
 */
export function resumingRequest(request: JsonRpcRequest, last: LastElement): JsonRpcRequest | undefined {
  if (last.event !== undefined && last.cursor !== undefined)
    return { ...request, a2a: { ...parametersBut(request, "last-event-id"), "Last-Event-ID": last.cursor } };
  const { taskId } = positionOf(last.result);
  if (taskId === undefined || !Number.isSafeInteger(last.seq)) return undefined;
  const asked = parseExtensions(parameterOf(request, "A2A-Extensions"));
  const tenant = record(request.params)["tenant"];
  return {
    ...request,
    // The version goes with it, and says which of its names the method has.
    method: (parameterOf(request, "A2A-Version") ?? "").startsWith("1.")
      ? "SubscribeToTask"
      : "tasks/resubscribe",
    params: { id: taskId, ...(tenant === undefined ? {} : { tenant }) },
    a2a: {
      ...parametersBut(request, "a2a-extensions", "last-event-id"),
      "A2A-Extensions": [...new Set([...asked, RESUME_EXTENSION])].join(","),
      "Last-Event-ID": formatCursor(taskId, last.seq),
    },
  };
}

function parametersBut({ a2a = {} }: JsonRpcRequest, ...names: readonly string[]): ServiceParameters {
  return Object.fromEntries(Object.entries(a2a).filter(([name]) => !names.includes(name.toLowerCase())));
}

/** Whether a stream that gave nothing yet may simply be asked for once more: it only reads. */
export function isReadingStream(method: string): boolean {
  if (isSubscription(method)) return true;
  const name = resolveMethod(method);
  return name !== undefined && methods[name].kind === "stream" && methods[name].scope.endsWith(":read");
}

/** What opens a resumed stream: its reader has that already, unless it is a Task before which events are missing. */
export function isRepetition(result: unknown): boolean {
  if (isSubscribed(result)) return true;
  const task = taskIn(result);
  return task !== undefined && record(resumeMetadata(task))["gap"] !== true;
}

/** The element without what the extension added to it, for a reader who has not asked for the extension. */
export function withoutResume(request: JsonRpcRequest, result: unknown): unknown {
  const task = taskIn(result);
  if (resumeMetadata(task) === undefined || asksForResume(request)) return result;
  const { [RESUME_EXTENSION]: _, ...others } = record(task?.["metadata"]);
  const { metadata: __, ...rest } = task ?? {};
  const shown = Object.keys(others).length === 0 ? rest : { ...rest, metadata: others };
  return task === result ? shown : { ...record(result), task: shown };
}

/** The element that a stream ends with before A2A 1.0, which says so. */
export function asFinal(result: unknown): unknown {
  return record(result)["kind"] === "status-update" ? { ...record(result), final: true } : result;
}

/** What the owner says is active, as far as the stream's reader has asked for it. */
export function shownParameters(request: JsonRpcRequest, activated: ServiceParameters): ServiceParameters {
  if (asksForResume(request)) return activated;
  return Object.fromEntries(
    Object.entries(activated).flatMap(([name, value]) => {
      if (name.toLowerCase() !== "a2a-extensions") return [[name, value]];
      const rest = parseExtensions(value).filter((uri) => uri !== RESUME_EXTENSION);
      return rest.length === 0 ? [] : [[name, rest.join(",")]];
    }),
  );
}

function asksForResume(request: JsonRpcRequest): boolean {
  return parseExtensions(parameterOf(request, "A2A-Extensions")).includes(RESUME_EXTENSION);
}

function resumeMetadata(task: unknown): unknown {
  return record(record(task)["metadata"])[RESUME_EXTENSION];
}
