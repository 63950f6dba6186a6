import type { JsonObject } from "@cleveragents/domain";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";

/** A JSON Schema that no arguments can be checked against. */
export class JsonSchemaError extends Error {
  override readonly name = "JsonSchemaError";
}

/**
 * The checker of a tool that describes its arguments in JSON Schema (draft 2020-12 unless it names draft 7). Keys that
 * the schema does not know are let through, as JSON Schema says. Throws {@link JsonSchemaError}.
 */
export function jsonSchemaInput(schema: JsonObject): z.ZodType<JsonObject> {
  const validate = compile(schema);
  return z.custom<JsonObject>().superRefine((value, context) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      context.addIssue({ code: "custom", message: "not an object" });
    } else if (!validate(value)) {
      for (const error of validate.errors ?? [])
        context.addIssue({ code: "custom", path: pathOf(error), message: messageOf(error) });
    }
  });
}

// Formats are notes here, and strictness is for authors.
const OPTIONS = {
  strict: false,
  allErrors: true,
  validateFormats: false,
  logger: false,
  addUsedSchema: false,
} as const;
/** Reading the schema of schemas takes longer than reading a schema: it is done once. Nothing that is read is kept. */
class SharedReaders {
  #draft7: Ajv | undefined;
  #draft2020: Ajv2020 | undefined;

  of(draft7: boolean): Ajv {
    if (draft7) this.#draft7 ??= new Ajv(OPTIONS);
    else this.#draft2020 ??= new Ajv2020(OPTIONS);
    return (draft7 ? this.#draft7 : this.#draft2020) as Ajv;
  }
}
const readers = new SharedReaders();

function compile(schema: JsonObject): ValidateFunction {
  const draft7 = typeof schema["$schema"] === "string" && /draft-0[67]/.test(schema["$schema"]);
  const { $schema: _, ...body } = schema;
  try {
    // Two schemas of one `$id` must not meet, wherever in them it stands.
    const hasIds = JSON.stringify(body).includes('"$id"');
    const reader = (hasIds ? new SharedReaders() : readers).of(draft7);
    try {
      return reader.compile(body);
    } finally {
      reader.removeSchema(body);
    }
  } catch (cause) {
    throw new JsonSchemaError(`not a usable JSON Schema: ${cause instanceof Error ? cause.message : ""}`, {
      cause,
    });
  }
}

function pathOf({ instancePath }: ErrorObject): string[] {
  const unescaped = (part: string) => part.replaceAll("~1", "/").replaceAll("~0", "~");
  return instancePath.split("/").slice(1).map(unescaped);
}

function messageOf({ keyword, message = "not allowed", params }: ErrorObject): string {
  if (keyword === "additionalProperties") return `unknown key "${String(params["additionalProperty"])}"`;
  if (keyword === "enum") return `${message}: ${JSON.stringify(params["allowedValues"])}`;
  return message;
}
