export type JsonObject = { [key: string]: unknown };

/** A document in block style, one key a line, as people write it: every text in quotes, what is empty as JSON. */
export function stringifyYaml(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    return JSON.stringify(value);
  const below = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => `${indent}- ${inline(item, below)}`)
    : Object.entries(value).map(([key, item]) => `${indent}${JSON.stringify(key)}: ${inline(item, below)}`);
  return lines.join("\n");
}

function inline(value: unknown, indent: string): string {
  const isBlock = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  return isBlock ? `\n${stringifyYaml(value, indent)}` : JSON.stringify(value);
}
