import { usageError } from "../cli-error.ts";
import { closest } from "../command/closest.ts";
import { CONFIG_KEYS, type ConfigKey } from "./keys.ts";

/** Throws a usage error with the nearest key for a name that is none; `where` is the file that has it. */
export function keyNamed(name: string, where?: string): ConfigKey {
  const key = CONFIG_KEYS.find((known) => known.name === name);
  if (key !== undefined) return key;
  const near = closest(
    name,
    CONFIG_KEYS.map((known) => known.name),
  );
  throw usageError(
    `${where === undefined ? "" : `${where}: `}unknown key "${name}"`,
    near === undefined ? "agents config list shows the keys" : `did you mean ${near}?`,
  );
}

/** The value as text, which is how variables have it too. Throws a usage error for one that the key does not take. */
export function checkedValue(key: ConfigKey, value: unknown, where: string): string {
  const wrong = (expected: string) =>
    usageError(`${where}: ${key.name} is ${expected}${key.secret === true ? "" : `, not ${shown(value)}`}`);
  if (key.type === "number") {
    const number = typeof value === "string" ? Number(value) : value;
    if (value === "" || typeof number !== "number" || !(number > 0 && Number.isFinite(number)))
      throw wrong("a positive number");
    return String(number);
  }
  if (key.type === "boolean") {
    if (value !== true && value !== false && value !== "true" && value !== "false")
      throw wrong("true or false");
    return String(value);
  }
  if (typeof value !== "string" || value === "") throw wrong("a text");
  if (key.choices !== undefined && !key.choices.includes(value))
    throw wrong(`one of ${key.choices.join(", ")}`);
  return value;
}

function shown(value: unknown): string {
  return typeof value === "object" ? "a table or list" : JSON.stringify(value);
}
