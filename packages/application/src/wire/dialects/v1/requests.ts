import { isObject, type Json } from "../json.ts";

/** Members whose content is the caller's own; and one whose assignment would do something else. */
const FREE = new Set(["metadata", "data", "__proto__"]);
const SNAKE = /^[a-z]+(?:_[a-z0-9]+)+$/;

/**
 * Names are camelCase (A2A §5.5); the names of the proto are read too, as every parser of ProtoJSON does. What is
 * there in both spellings is the camelCase one.
 */
export function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) {
    const read = value.map(camelCased);
    return read.some((element, index) => element !== value[index]) ? read : value;
  }
  return isObject(value) ? membersOf(value) : value;
}

/** The same object where nothing in it is spelt otherwise. */
function membersOf(object: Json): Json {
  let changed: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(object)) {
    const read = FREE.has(name) ? value : camelCased(value);
    const spelt = SNAKE.test(name) ? toCamel(name) : name;
    if (read === value && spelt === name) continue;
    changed ??= { ...object };
    if (spelt !== name) delete changed[name];
    if (spelt === name || object[spelt] === undefined) changed[spelt] = read;
  }
  return changed ?? object;
}

function toCamel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
