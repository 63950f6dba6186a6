import type { JsonObject } from "@cleveragents/domain";
import { z } from "zod";

/** What a model is told of arguments: what may be given, without what is filled in when it is absent. */
export function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return described as JsonObject;
}
