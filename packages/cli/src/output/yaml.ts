/** A JSON value as YAML 1.2 (and 1.1, which reads more words as booleans), block style. */
export function toYaml(value: unknown): string {
  return `${block(value, "").replace(/^\n/, "")}\n`;
}

function block(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return value.map((item) => `\n${indent}- ${nested(item, `${indent}  `)}`).join("");
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    if (entries.length === 0) return "{}";
    return entries
      .map(([key, member]) => {
        const text = block(member, `${indent}  `);
        return `\n${indent}${scalar(key)}:${text.startsWith("\n") ? "" : " "}${text}`;
      })
      .join("");
  }
  return typeof value === "string" ? scalar(value) : String(value ?? null);
}

/** An item of a list begins on the line of its dash. */
function nested(value: unknown, indent: string): string {
  return block(value, indent).replace(/^\n\s*/, "");
}

/** Plain only where no reader could take it for anything but a string; else quoted, as in JSON. */
function scalar(text: string): string {
  const plain = /^[A-Za-z_][A-Za-z0-9_./ -]*$/.test(text) && !text.endsWith(" ") && !RESERVED.test(text);
  return plain ? text : JSON.stringify(text);
}

const RESERVED = /^(true|false|yes|no|on|off|y|n|null|nan|inf)$/i;
