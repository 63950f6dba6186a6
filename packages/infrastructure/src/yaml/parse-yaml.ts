import { type Document, type LineCounter, parseDocument } from "yaml";
import type { ProblemList } from "./problem-list.ts";

const MAX_LENGTH = 1024 * 1024;

/** Errors of the syntax in our words, where the library's need some knowledge of YAML. */
const WORDS: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: "a tab where only spaces may indent",
  MULTIPLE_DOCS: "a second document begins here: a file holds one, so `---` can only be at its beginning",
  NON_STRING_KEY: "a key must be plain text",
  TAG_RESOLVE_FAILED: "tags (`!…`) are not allowed",
  BAD_ALIAS: "an alias (`*…`) is incomplete",
};

/**
 * Reads the syntax, and nothing that YAML would let a document do beyond data: no tags but the plain ones, keys are
 * text. Undefined if problems make the rest worthless.
 */
export function parseYaml(
  text: string,
  lines: LineCounter,
  problems: ProblemList,
): Document.Parsed | undefined {
  if (text.length > MAX_LENGTH) {
    problems.add([], `the file is larger than ${MAX_LENGTH} characters`);
    return undefined;
  }
  const document = parseDocument(text, {
    schema: "core",
    resolveKnownTags: false,
    stringKeys: true,
    uniqueKeys: false, // we look for them ourselves, and say where the first one is
    prettyErrors: false,
    lineCounter: lines,
    logLevel: "error", // "silent" would read the first of several documents and say nothing
  });
  const exhausted = document.errors.find((error) => error.code === "RESOURCE_EXHAUSTION");
  if (exhausted !== undefined) {
    problems.add([], "the file is nested too deeply", exhausted.pos[0]); // errors that follow from it are noise
    return undefined;
  }
  for (const problem of [...document.errors, ...document.warnings]) {
    problems.add([], WORDS[problem.code] ?? `not valid YAML: ${problem.message}`, problem.pos[0]);
  }
  return document.errors.length > 0 ? undefined : document;
}
