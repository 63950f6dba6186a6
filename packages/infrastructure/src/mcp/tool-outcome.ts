import { ToolError, type ToolResult } from "@cleveragents/application";
import type { JsonObject, JsonValue, McpTool, Part } from "@cleveragents/domain";
import { JsonSchemaError, jsonSchemaInput } from "../tools/json-schema-input.ts";
import type { LooseResult } from "./loose-schemas.ts";

/** Of all texts of a result together, in what is kept in the plan; the whole goes with the output. */
const KEPT_CHARACTERS = 64 * 1024;
/** Of content that is no text, whole as an artifact. */
const KEPT_BYTES = 4 * 1024 * 1024;

/** What a result is to us. Throws `ToolError` for one that says it is a failure. */
export function toolOutcome(
  server: string,
  { name: tool, outputSchema }: Pick<McpTool, "name" | "outputSchema">,
  result: LooseResult,
  tell: ((text: string) => void) | undefined,
): ToolResult {
  const texts: string[] = [];
  const content: JsonObject[] = [];
  const parts: Part[] = [];
  for (const item of result.content as unknown as readonly JsonObject[]) {
    const { text, part, said } = contentOf(item);
    if (text !== undefined) texts.push(text);
    if (part !== undefined) parts.push(part);
    if (said !== undefined) content.push(said);
  }
  const whole = texts.join("\n");
  if (whole !== "") tell?.(whole.endsWith("\n") ? whole : `${whole}\n`);
  const text = cut(whole);
  if (result.isError === true)
    throw new ToolError("MCP_TOOL_FAILED", `${tool} of ${server} failed: ${firstLine(whole)}`, {
      text,
      ...(content.length === 0 ? {} : { content }),
    });
  return {
    value: {
      text,
      ...(content.length === 0 ? {} : { content }),
      ...structured(result.structuredContent, outputSchema),
    },
    summary: `called ${tool} of ${server} (${described(texts, content)})`,
    ...(parts.length === 0 ? {} : { parts }),
  };
}

/** `text` is for reading, `part` goes into an artifact, `said` is what the result says of it. */
function contentOf(item: JsonObject): { text?: string; part?: Part; said?: JsonObject } {
  const { type } = item;
  if (type === "text" && typeof item["text"] === "string") return { text: item["text"] };
  if ((type === "image" || type === "audio") && typeof item["data"] === "string")
    return binary(String(type), item["data"], item["mimeType"], undefined);
  const resource = item["resource"];
  if (type === "resource" && typeof resource === "object" && resource !== null && !Array.isArray(resource)) {
    const { uri, mimeType, text, blob } = resource as JsonObject;
    if (typeof text === "string")
      return { text, said: { type, uri: uri ?? null, mimeType: mimeType ?? null } };
    if (typeof blob === "string") return binary("resource", blob, mimeType, uri);
  }
  // Links, and kinds that came after us: kept as they are.
  const size = JSON.stringify(item).length;
  if (size > KEPT_CHARACTERS) return { said: { type: type ?? null, cut: true, size } };
  return { said: item, part: { kind: "data", data: item } };
}

function binary(
  type: string,
  base64: string,
  mimeType: JsonValue | undefined,
  uri: JsonValue | undefined,
): { part?: Part; said: JsonObject } {
  const bytes = Math.floor((base64.length * 3) / 4);
  const mediaType = typeof mimeType === "string" ? mimeType : "application/octet-stream";
  const said = { type, mimeType: mediaType, bytes, ...(typeof uri === "string" ? { uri } : {}) };
  if (bytes > KEPT_BYTES) return { said: { ...said, cut: true } };
  return {
    said,
    part: { kind: "bytes", bytes: base64, mediaType, ...(typeof uri === "string" ? { filename: uri } : {}) },
  };
}

/** With what is wrong with it, if it is not what the tool has promised: a reader is not to rely on it. */
function structured(value: unknown, schema: JsonObject | undefined): JsonObject {
  if (value === undefined) return {};
  const problem = schema === undefined ? undefined : problemOf(value, schema);
  return { ...kept(value), ...(problem === undefined ? {} : { structured_problem: problem }) };
}

function problemOf(value: unknown, schema: JsonObject): string | undefined {
  try {
    const { error } = jsonSchemaInput(schema).safeParse(value);
    return error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  } catch (error) {
    if (error instanceof JsonSchemaError) return error.message;
    throw error;
  }
}

function kept(value: unknown): JsonObject {
  const json = value as JsonValue; // it came as JSON
  const size = JSON.stringify(json).length;
  return size <= KEPT_CHARACTERS ? { structured: json } : { structured: { cut: true, size } };
}

function cut(text: string): string {
  if (text.length <= KEPT_CHARACTERS) return text;
  const half = KEPT_CHARACTERS / 2;
  const gone = text.length - KEPT_CHARACTERS;
  return `${text.slice(0, half)}\n[… ${gone} characters cut …]\n${text.slice(-half)}`.toWellFormed();
}

function firstLine(text: string): string {
  const line = text.split("\n", 1)[0]?.trim() ?? "";
  if (line === "") return "it says nothing about it";
  return line.length <= 300 ? line : `${line.slice(0, 300).toWellFormed()}…`;
}

function described(texts: readonly string[], content: readonly JsonObject[]): string {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const others = content.map(({ type }) => String(type));
  return [`${length} characters`, ...others].join(", ");
}
