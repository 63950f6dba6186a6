import type { z } from "zod";
import { type ErrorName, errorCatalog } from "../errors/error-catalog.ts";
import type { MethodRow } from "../methods/define-method.ts";
import { methods } from "../methods/method-table.ts";
import { SchemaWriter } from "./named-schemas.ts";

/** An OpenRPC document (https://spec.open-rpc.org); what a tool does not know of it begins with `x-`. */
export interface OpenRpcDocument {
  readonly openrpc: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly name: string; readonly url: string }[];
  readonly methods: readonly OpenRpcMethod[];
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly errors: Readonly<Record<string, OpenRpcError>>;
  };
}

export interface OpenRpcMethod {
  readonly name: string;
  readonly summary: string;
  readonly tags: readonly { readonly name: string }[];
  readonly paramStructure: "by-name";
  readonly params: readonly { readonly name: string; readonly required: boolean; readonly schema: object }[];
  readonly result: { readonly name: string; readonly schema: object };
  readonly errors: readonly { readonly $ref: string }[];
  readonly "x-kind": MethodRow["kind"];
  readonly "x-scope": MethodRow["scope"];
  readonly "x-family": MethodRow["family"];
  readonly "x-aliases"?: readonly string[];
}

interface OpenRpcError {
  readonly code: number;
  readonly message: string;
  readonly data: { readonly reason: string; readonly retryable: boolean };
}

const DESCRIPTION = [
  "Every method of this agent, with the names and shapes of A2A 1.0.",
  "Methods of the family a2a need the header A2A-Version: 1.0; A2A 0.3 has other names for them.",
  "A method of the kind stream answers with a stream of results.",
  "Any method may also answer the errors of JSON-RPC and those of who is calling.",
].join(" ");

/**
 * The method table as an OpenRPC document. The server's address is relative to the one that the document is read at, so
 * that it is the same behind every proxy.
 */
export function buildOpenRpc(info: { readonly version: string }): OpenRpcDocument {
  const schemas = new SchemaWriter();
  const described = Object.values(methods).map((row) => describe(row, schemas));
  return {
    openrpc: "1.3.2",
    info: { title: "CleverAgents", version: info.version, description: DESCRIPTION },
    servers: [{ name: "JSON-RPC", url: "a2a" }],
    methods: described,
    components: {
      schemas: Object.fromEntries([...schemas.components].sort(([a], [b]) => (a < b ? -1 : 1))),
      errors: Object.fromEntries(
        (Object.keys(errorCatalog) as ErrorName[]).map((name) => [name, toError(name)]),
      ),
    },
  };
}

function describe(row: MethodRow, schemas: SchemaWriter): OpenRpcMethod {
  return {
    name: row.name,
    summary: row.summary,
    tags: [{ name: row.group }],
    paramStructure: "by-name",
    params: toParams(row.params, schemas),
    result: { name: row.kind === "stream" ? "element" : "result", schema: schemas.write(row.result) },
    errors: row.errors.map((name) => ({ $ref: `#/components/errors/${name}` })),
    "x-kind": row.kind,
    "x-scope": row.scope,
    "x-family": row.family,
    ...(row.aliases === undefined ? {} : { "x-aliases": row.aliases }),
  };
}

/** Those that are required come first, as the specification has it. */
function toParams(schema: z.ZodType, schemas: SchemaWriter): OpenRpcMethod["params"] {
  const { properties = {}, required = [] } = schemas.write(schema) as {
    properties?: Record<string, object>;
    required?: readonly string[];
  };
  return Object.entries(properties)
    .map(([name, property]) => ({ name, required: required.includes(name), schema: property }))
    .sort((a, b) => Number(b.required) - Number(a.required));
}

function toError(name: ErrorName): OpenRpcError {
  const { code, message, reason, retryable } = errorCatalog[name];
  return { code, message, data: { reason, retryable } };
}
