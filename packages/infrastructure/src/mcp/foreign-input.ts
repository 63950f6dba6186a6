import type { JsonObject } from "@cleveragents/domain";
import { z } from "zod";
import { jsonSchemaInput } from "../tools/json-schema-input.ts";

/**
 * The checker of a foreign tool's arguments: compiled when it is first used, since most tools of a registry never are.
 * Models say null for what they leave out; where the schema has no use for that it is taken as left out. Nothing else is
 * changed: `"007"` stays a text.
 */
export function foreignInput(schema: JsonObject): z.ZodType<JsonObject> {
  let checker: z.ZodType<JsonObject> | undefined;
  return z.preprocess(
    (value) => withoutNulls(value, schema),
    z.custom<JsonObject>().superRefine((value, context) => {
      checker ??= jsonSchemaInput(schema);
      const result = checker.safeParse(value);
      for (const { path, message } of result.error?.issues ?? [])
        context.addIssue({ code: "custom", path: [...path], message });
    }),
  ) as unknown as z.ZodType<JsonObject>; // what goes in is checked, whatever its type
}

function withoutNulls(value: unknown, schema: JsonObject): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const properties = (schema["properties"] ?? {}) as Record<string, JsonObject>;
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.fromEntries(
    Object.entries(value).filter(
      ([key, item]) => item !== null || required.includes(key) || takesNull(properties[key]),
    ),
  );
}

function takesNull(property: JsonObject | undefined): boolean {
  const type = property?.["type"];
  return type === undefined || type === "null" || (Array.isArray(type) && type.includes("null"));
}
