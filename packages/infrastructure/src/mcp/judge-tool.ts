import type { JsonObject, McpHints, McpTool } from "@cleveragents/domain";
import { JsonSchemaError, jsonSchemaInput } from "../tools/json-schema-input.ts";
import { LooseTool } from "./loose-schemas.ts";

const LONGEST_DESCRIPTION = 8192;
const LARGEST_SCHEMA = 256 * 1024;
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

export type JudgedTool =
  | { readonly tool: McpTool }
  | { readonly refused: { readonly name: string; readonly why: string } };

/** Takes a tool as a server lists it, or says why nobody could use it. */
export function judgeTool(listed: unknown): JudgedTool {
  const parsed = LooseTool.safeParse(listed);
  if (!parsed.success) {
    const why = parsed.error.issues
      .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
      .join("; ");
    return { refused: { name: nameIn(listed), why } };
  }
  const { name, title, description, inputSchema, outputSchema, annotations, execution } = parsed.data;
  const refused = (why: string): JudgedTool => ({ refused: { name, why } });
  if (execution?.taskSupport === "required")
    return refused("it can only be called as a task of the server's, which is not part of MCP any more");
  const schema = inputSchema as JsonObject; // it came as JSON
  if (JSON.stringify(schema).length > LARGEST_SCHEMA) return refused("its schema is too large");
  try {
    jsonSchemaInput(schema);
  } catch (error) {
    if (!(error instanceof JsonSchemaError)) throw error;
    return refused(error.message);
  }
  const text = description ?? title ?? "";
  return {
    tool: {
      name,
      description: text.length <= LONGEST_DESCRIPTION ? text : `${text.slice(0, LONGEST_DESCRIPTION)}…`,
      inputSchema: schema,
      ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as JsonObject }),
      hints: hintsOf(title, annotations),
    },
  };
}

function hintsOf(title: string | undefined, annotations: Record<string, unknown> | undefined): McpHints {
  const named = annotations?.["title"] ?? title;
  const said = HINTS.flatMap((hint) => {
    const value = annotations?.[hint];
    return typeof value === "boolean" ? [[hint, value]] : [];
  });
  return { ...(typeof named === "string" ? { title: named } : {}), ...Object.fromEntries(said) };
}

function nameIn(listed: unknown): string {
  const name = (listed as { name?: unknown } | null)?.name;
  return typeof name === "string" ? name.slice(0, 256) : "(no name)";
}
