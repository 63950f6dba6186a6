import { isAbsent, type Json, misspelt } from "../json.ts";

/** Proto-JSON is written in camelCase and read in snake_case too: a member in either spelling. */
export function member(object: Json, name: string): unknown {
  const value = object[name];
  return value === undefined ? object[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] : value;
}

/** The last id of a resource name, `tasks/{id}` or `tasks/{id}/pushNotificationConfigs/{id}`. */
export function idsOf(
  name: unknown,
  field: string,
): { readonly taskId?: string; readonly configId?: string } {
  if (isAbsent(name) || name === "") return {};
  const match =
    typeof name === "string" ? /^tasks\/([^/]+)(?:\/pushNotificationConfigs\/([^/]*))?$/.exec(name) : null;
  if (match?.[1] === undefined)
    throw misspelt(field, "must be tasks/{id} or tasks/{id}/pushNotificationConfigs/{id}");
  return { taskId: match[1], ...(match[2] ? { configId: match[2] } : {}) };
}
