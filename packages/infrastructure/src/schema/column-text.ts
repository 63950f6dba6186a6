const ESCAPED = "\u0001";

/**
 * A string as a text column takes it. UTF-8 has no lone surrogates (SQLite would store all of them as the same
 * character, and two keys would become one) and PostgreSQL takes no NUL: a string with either is stored as its JSON
 * behind U+0001. JSON text itself never needs it.
 */
export function toColumnText(text: string): string {
  return text.isWellFormed() && !text.includes("\0") && !text.startsWith(ESCAPED)
    ? text
    : ESCAPED + JSON.stringify(text);
}

export function fromColumnText(text: string): string {
  return text.startsWith(ESCAPED) ? (JSON.parse(text.slice(1)) as string) : text;
}
