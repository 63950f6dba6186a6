import type { JsonObject, JsonValue } from "@cleveragents/domain";

/** The same for the same tool with the same arguments, whatever the order of their keys. */
export async function callKey(tool: string, args: JsonObject): Promise<string> {
  return sha256(`${tool}\n${canonical(args)}`);
}

/** SHA-256 of a value's JSON, whatever the order of its keys. */
export async function digestOfJson(value: JsonValue): Promise<string> {
  return sha256(canonical(value));
}

/** As lower-case hex; text as UTF-8. */
export async function sha256(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner as JsonValue)}`).join(",")}}`;
}
