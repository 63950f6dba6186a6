import type { z } from "zod";

/** What zod keeps about a schema, as far as we look at it. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly getter?: () => z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
}
const definition = (schema: z.core.$ZodType): Definition => schema._zod.def as Definition; // a union that narrows by no common field

/** The schemas that a value at this place may have to satisfy; several where there is a choice. */
export function schemasAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly z.core.$ZodType[] {
  const [key, ...rest] = path;
  const here = alternatives(schema);
  if (key === undefined) return here;
  return here.flatMap((candidate) => {
    const { shape, element, valueType } = definition(candidate);
    const below = shape?.[String(key)] ?? element ?? valueType;
    return below === undefined ? [] : schemasAt(below, rest);
  });
}

/** Keys that a map at this place may have. */
export function knownKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  return [
    ...new Set(
      schemasAt(schema, path).flatMap((candidate) => Object.keys(definition(candidate).shape ?? {})),
    ),
  ];
}

/** What is expected at this place, in words. */
export function describeExpected(schema: z.core.$ZodType, path: readonly PropertyKey[]): string {
  return listed([...new Set(schemasAt(schema, path).flatMap(describe))]);
}

function describe(schema: z.core.$ZodType): readonly string[] {
  const { type, entries, values, element } = definition(schema);
  if (type === "enum") return Object.values(entries ?? {}).map((value) => JSON.stringify(value));
  if (type === "literal") return (values ?? []).map((value) => JSON.stringify(value));
  if (type === "array") {
    const items = new Set(
      element === undefined ? [] : alternatives(element).map((item) => definition(item).type),
    );
    const [only] = items;
    return [(items.size === 1 && only !== undefined && LIST_WORDS[only]) || "a list"];
  }
  return [TYPE_WORDS[type] ?? "something else"];
}

/** Without the wrappers that only say what happens when the value is absent. */
function alternatives(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const { innerType, in: input, getter, options } = definition(schema);
  const inner = innerType ?? input ?? getter?.();
  if (inner !== undefined) return alternatives(inner);
  return options === undefined ? [schema] : options.flatMap(alternatives);
}

/** Names of zod's types for people who write YAML. */
export const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  null: "nothing",
  array: "a list",
  object: "a map",
  record: "a map",
};

const LIST_WORDS: Readonly<Record<string, string>> = {
  string: "a list of texts",
  number: "a list of numbers",
};

/** `a`, `a or b`, `a, b or c`. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "nothing";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}
