import type { Asker } from "../dialect.ts";
import { isAbsent, type Json } from "../json.ts";

const PREFIX = "task_";

/**
 * The documents answer a task by naming it in `contextId`, with or without `task_` before its id. An id without the
 * prefix may as well be a context's, so it is a task only if the caller has one of that id.
 */
export async function withTaskOfContext(message: Json, asker: Asker): Promise<Json> {
  const { contextId, ...rest } = message;
  if (typeof contextId !== "string" || contextId === "" || !isUnset(message["taskId"])) return message;
  if (contextId.startsWith(PREFIX) && contextId.length > PREFIX.length)
    return { ...rest, taskId: contextId.slice(PREFIX.length) };
  return (await asker.hasTask(contextId)) ? { ...rest, taskId: contextId } : message;
}

function isUnset(value: unknown): boolean {
  return isAbsent(value) || value === "";
}
