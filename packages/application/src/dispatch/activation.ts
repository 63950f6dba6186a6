import {
  APPROVAL_EXTENSION,
  type MethodRow,
  PLATFORM_EXTENSION,
  RESUME_EXTENSION,
} from "@cleveragents/protocol";

const KNOWN: ReadonlySet<string> = new Set([PLATFORM_EXTENSION, RESUME_EXTENSION, APPROVAL_EXTENSION]);

/** What we know of what was asked for; calling a method of the platform's activates its extension (A2A §4.6). */
export function activatedBy(row: MethodRow, requested: readonly string[]): readonly string[] {
  const known = requested.filter((uri) => KNOWN.has(uri));
  return row.family === "cleveragents" && !known.includes(PLATFORM_EXTENSION)
    ? [...known, PLATFORM_EXTENSION]
    : known;
}

/** How an answer says what is activated. */
export function activatedParameters(activated: readonly string[]): Readonly<Record<string, string>> {
  return activated.length === 0 ? {} : { "A2A-Extensions": activated.join(",") };
}
