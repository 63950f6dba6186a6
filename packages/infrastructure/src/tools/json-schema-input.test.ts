import { expect, test } from "vitest";
import { z } from "zod";
import { JsonSchemaError, jsonSchemaInput } from "./json-schema-input.ts";
import { jsonSchemaOf } from "./json-schema-of.ts";

const SCHEMA = {
  type: "object",
  properties: { path: { type: "string" }, depth: { enum: [1, 2] } },
  required: ["path"],
  additionalProperties: false,
};

function problems(schema: Parameters<typeof jsonSchemaInput>[0], value: unknown): readonly string[] {
  const result = jsonSchemaInput(schema).safeParse(value);
  return result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

test("arguments that a JSON Schema allows pass unchanged", () => {
  expect(jsonSchemaInput(SCHEMA).parse({ path: "a", depth: 2 })).toEqual({ path: "a", depth: 2 });
});

test("every mistake in arguments is said with its place", () => {
  expect(problems(SCHEMA, { path: 1, depth: 3, more: true })).toEqual([
    ': unknown key "more"',
    "path: must be string",
    "depth: must be equal to one of the allowed values: [1,2]",
  ]);
  expect(problems(SCHEMA, [])).toEqual([": not an object"]);
});

test("a schema that is none is refused when it is read, not when it is used", () => {
  expect(() => jsonSchemaInput({ type: "nothing such" })).toThrow(JsonSchemaError);
  expect(() => jsonSchemaInput({ $ref: "https://example.com/other.json" })).toThrow(JsonSchemaError);
});

test("two schemas with one $id and schemas of draft 7 are taken", () => {
  const one = { $id: "https://example.com/s", type: "object", required: ["a"] };
  expect(problems(one, {})).toHaveLength(1);
  expect(problems({ ...one, required: [] }, {})).toEqual([]);
  expect(problems({ $schema: "http://json-schema.org/draft-07/schema#", type: "object" }, {})).toEqual([]);
});

test("what a model is told of arguments leaves out what is filled in", () => {
  expect(jsonSchemaOf(z.strictObject({ path: z.string(), limit: z.number().default(5) }))).toEqual({
    type: "object",
    properties: { path: { type: "string" }, limit: { type: "number", default: 5 } },
    required: ["path"],
    additionalProperties: false,
  });
});
