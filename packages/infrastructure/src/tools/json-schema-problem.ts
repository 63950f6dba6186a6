import type { JsonObject } from "@cleveragents/domain";

/** Why no values can be checked against a JSON Schema; undefined if they can. */
export async function jsonSchemaProblem(schema: JsonObject): Promise<string | undefined> {
  const { JsonSchemaError, jsonSchemaInput } = await import("./json-schema-input.ts");
  try {
    jsonSchemaInput(schema);
    return undefined;
  } catch (error) {
    if (error instanceof JsonSchemaError) return error.message;
    throw error;
  }
}
