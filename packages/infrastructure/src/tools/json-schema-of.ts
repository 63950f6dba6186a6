import type { JsonObject } from "@cleveragents/domain";
import { z } from "zod";

const described = new WeakMap<z.ZodType, JsonObject>();

/**
 * What a model is told of arguments: what may be given, without what is filled in when it is absent. Written once for a
 * schema, when it is first asked for: most processes never tell a model of most tools.
 */
export function jsonSchemaOf(schema: z.ZodType): JsonObject {
  let known = described.get(schema);
  if (known === undefined) {
    const { $schema: _, ...written } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    known = written as JsonObject;
    described.set(schema, known);
  }
  return known;
}
