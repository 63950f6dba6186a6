const CONTROL = /[^\P{Cc}\n\t]/gu;

/** Text that cannot move the cursor, ring or recolour: control characters but newline and tab are spelt out. */
export function cleanText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** The same for every string inside a value. What peers and models wrote never reaches a terminal raw. */
export function clean<T>(value: T): T {
  return cleanAny(value) as T; // strings stay strings, and nothing else changes
}

function cleanAny(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanAny);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [cleanText(key), cleanAny(member)]));
}
