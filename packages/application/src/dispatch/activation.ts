import {
  APPROVAL_EXTENSION,
  HITL_EXTENSION,
  type MethodRow,
  PLATFORM_EXTENSION,
  parseExtensions,
  RESUME_EXTENSION,
} from "@cleveragents/protocol";

const KNOWN: ReadonlySet<string> = new Set([
  PLATFORM_EXTENSION,
  RESUME_EXTENSION,
  APPROVAL_EXTENSION,
  HITL_EXTENSION,
]);

/** What we know of what was asked for; calling a method of the platform's activates its extension (A2A §4.6). */
export function activatedBy(row: MethodRow, requested: readonly string[]): readonly string[] {
  const known = requested.filter((uri) => KNOWN.has(uri));
  return row.family === "cleveragents" && !known.includes(PLATFORM_EXTENSION)
    ? [...known, PLATFORM_EXTENSION]
    : known;
}

const PARAMETER = "A2A-Extensions";
/** The name of the same parameter before A2A 1.0. */
const OLD_PARAMETER = "X-A2A-Extensions";

/** What a request asks for, and the name to answer under. The old name is read where the version is old. */
export function requestedExtensions(
  parameters: Readonly<Record<string, string>>,
  version: "1.0" | "0.3",
): { readonly requested: readonly string[]; readonly answerAs: string } {
  const old = version === "0.3" ? parameters[OLD_PARAMETER.toLowerCase()] : undefined;
  const present = parameters[PARAMETER.toLowerCase()];
  return present === undefined && old !== undefined
    ? { requested: parseExtensions(old), answerAs: OLD_PARAMETER }
    : { requested: parseExtensions(present), answerAs: PARAMETER };
}

/** How an answer says what is activated. */
export function activatedParameters(
  activated: readonly string[],
  answerAs: string = PARAMETER,
): Readonly<Record<string, string>> {
  return activated.length === 0 ? {} : { [answerAs]: activated.join(",") };
}
