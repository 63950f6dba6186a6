import * as metaModule from "@open-rpc/meta-schema";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { methods } from "../methods/method-table.ts";
import { buildOpenRpc } from "./build-openrpc.ts";
import { describePlatform } from "./describe-platform.ts";

const document = buildOpenRpc({ version: "1.2.3" });
const byName = new Map(document.methods.map((method) => [method.name, method]));

const DRAFT_7 = "http://json-schema.org/draft-07/schema#";

/** OpenRPC's own schema; what it takes from elsewhere is JSON Schema of draft 7, which Ajv has. */
function metaSchema(): object {
  // Its types speak of documents alone, not of the schema that it exports.
  const text = JSON.stringify((metaModule as unknown as { openrpcDocument: object }).openrpcDocument);
  const { $schema: _, ...schema } = JSON.parse(text, (_key, value) => {
    if (value?.["$ref"] === "https://meta.json-schema.tools") return { $ref: DRAFT_7 };
    return String(value?.["$ref"]).endsWith("/properties/$ref") ? { type: "string" } : value;
  });
  return schema;
}

describe("the OpenRPC document", () => {
  test("is valid against the meta schema of OpenRPC, and every schema in it against that of JSON Schema", () => {
    const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(
      metaSchema(),
    );
    validate(JSON.parse(JSON.stringify(document)));
    expect(validate.errors ?? []).toEqual([]);
    const [first, ...others] = document.methods;
    expect(validate({ ...document, methods: [{ ...first, name: undefined }, ...others] })).toBe(false);
    const result = { name: "result", schema: { type: "no type" } };
    expect(validate({ ...document, methods: [{ ...first, result }, ...others] })).toBe(false);
  });

  test("has every method of the table once, with its kind, scope and other names", () => {
    expect(document.methods.map(({ name }) => name)).toEqual(Object.keys(methods));
    expect(byName.get("SubscribeToTask")).toMatchObject({
      "x-kind": "stream",
      "x-scope": "task:read",
      "x-family": "a2a",
      paramStructure: "by-name",
      result: { name: "element" },
    });
    expect(byName.get("_cleveragents/health/check")).toMatchObject({
      "x-aliases": ["_cleveragents/health"],
      params: [],
    });
  });

  test("has a parameter for each member, the required ones first", () => {
    expect(byName.get("GetTask")?.params).toEqual([
      { name: "id", required: true, schema: { type: "string", minLength: 1, maxLength: 256 } },
      { name: "tenant", required: false, schema: { type: ["string", "null"] } },
      { name: "historyLength", required: false, schema: expect.anything() },
    ]);
    for (const { name, params } of document.methods) {
      const required = params.map((param) => param.required);
      expect(required, name).toEqual([...required].sort((a, b) => Number(b) - Number(a)));
    }
  });

  test("has what many methods speak of once, by its name, and no reference that leads nowhere", () => {
    expect(Object.keys(document.components.schemas)).toEqual([
      "AgentCard",
      "Artifact",
      "DecisionNode",
      "Json",
      "JsonObject",
      "Message",
      "Part",
      "ResourceNode",
      "Task",
      "TaskPushNotificationConfig",
      "TaskStatus",
    ]);
    expect(byName.get("GetTask")?.result.schema).toEqual({ $ref: "#/components/schemas/Task" });
    const { schemas, errors } = document.components;
    const there = [
      ...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
      ...Object.keys(errors).map((name) => `#/components/errors/${name}`),
    ];
    const named = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref);
    expect(named.filter((ref) => !there.includes(ref ?? ""))).toEqual([]);
  });

  test("names the errors of a method by their names in the catalogue", () => {
    expect(byName.get("CancelTask")?.errors).toContainEqual({
      $ref: "#/components/errors/TaskNotCancelable",
    });
    expect(document.components.errors["TaskNotCancelable"]).toEqual({
      code: -32002,
      message: "Task cannot be canceled",
      data: { reason: "TASK_NOT_CANCELABLE", retryable: false },
    });
  });
});

test("the specification of the platform's extension has a line for each of its methods, and for no other", () => {
  const lines = describePlatform()
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  const own = Object.values(methods).filter(({ family }) => family === "cleveragents");
  expect(lines.map((line) => /`([^`]+)`/.exec(line)?.[1])).toEqual(own.map(({ name }) => name));
});
