import { ToolError } from "@cleveragents/application";
import { pathsAgainst } from "@cleveragents/domain";
import type { RE2JS } from "re2js";
import { z } from "zod";
import { defineTool } from "./builtin-tool.ts";
import { confine } from "./confine.ts";
import { readContent } from "./file-content.ts";
import { walkFiles } from "./walk-files.ts";

/** What one search reads in all. */
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Of a line that is shown. */
const MAX_LINE = 400;

interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export const searchFilesTool = defineTool({
  name: "builtin/search_files",
  description:
    "Searches files of the sandbox. With `pattern` (RE2 syntax: no look-around, no back-references; a plain text with `fixed`) it gives the lines that match, counted from 1; without one the paths that fit `glob`: * within a folder, ** across folders, a name without a folder anywhere. Links are not followed, binary and very large files are left out. `truncated` says that there is more.",
  input: z
    .strictObject({
      pattern: z.string().min(1).max(1000).optional(),
      glob: z.string().min(1).max(200).optional(),
      path: z.string().min(1).default("."),
      fixed: z.boolean().default(false),
      ignore_case: z.boolean().default(false),
      limit: z.number().int().min(1).max(2000).default(200),
    })
    .refine(({ pattern, glob }) => pattern !== undefined || glob !== undefined, {
      message: "say `pattern`, `glob`, or both",
    }),
  readOnly: true,
  idempotent: true,
  effect: "none",
  async run({ pattern, glob, path: given, fixed, ignore_case, limit }, { sandbox, signal }) {
    const expression = pattern === undefined ? undefined : await compile(pattern, fixed, ignore_case);
    const place = await confine(sandbox, given, "read");
    const walked = await walkFiles(place.absolute, place.relative, signal);
    const paths = glob === undefined ? walked.files : fitting(glob, walked.files);
    if (expression === undefined) {
      const truncated = walked.truncated || paths.length > limit;
      return {
        value: { paths: paths.slice(0, limit), total: paths.length, truncated },
        summary: `found ${paths.length}${truncated ? " or more" : ""} files`,
      };
    }
    const found = await search(paths, expression, limit, (file) => confine(sandbox, file, "read"), signal);
    const truncated = walked.truncated || found.truncated;
    return {
      value: { matches: found.hits.map((hit) => ({ ...hit })), files: found.files, truncated },
      summary: `found ${found.hits.length}${truncated ? " or more" : ""} lines in ${found.files} files`,
    };
  },
});

/** An engine whose time is linear in the text: whoever writes the pattern may mean harm, or not know better. */
async function compile(pattern: string, fixed: boolean, ignoreCase: boolean): Promise<RE2JS> {
  const { RE2JS } = await import("re2js");
  try {
    const source = fixed ? RE2JS.quote(pattern) : pattern;
    return RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "";
    throw new ToolError("INVALID_PATTERN", `the pattern cannot be read: ${why}`, { pattern }, { cause });
  }
}

/** What is denied by a rule for this glob alone is what fits it. */
function fitting(glob: string, files: readonly string[]): readonly string[] {
  return pathsAgainst({ deny: [glob] }, files);
}

async function search(
  paths: readonly string[],
  expression: RE2JS,
  limit: number,
  placeOf: (file: string) => ReturnType<typeof confine>,
  signal: AbortSignal,
): Promise<{ readonly hits: readonly Hit[]; readonly files: number; readonly truncated: boolean }> {
  const hits: Hit[] = [];
  const files = new Set<string>();
  let read = 0;
  for (const file of paths) {
    if (signal.aborted) throw new ToolError("CANCELLED", "the search was cancelled");
    if (read > MAX_BYTES) return { hits, files: files.size, truncated: true };
    const text = await textOf(file, placeOf);
    if (text === undefined) continue;
    read += text.length;
    // Most files have none: they are not cut into lines.
    if (!expression.matcher(text).find()) continue;
    for (const [i, line] of text.split("\n").entries()) {
      if (!expression.matcher(line).find()) continue;
      if (hits.length >= limit) return { hits, files: files.size, truncated: true };
      files.add(file);
      hits.push({ path: file, line: i + 1, text: shortened(line.replace(/\r$/, "")) });
    }
  }
  return { hits, files: files.size, truncated: false };
}

/** Undefined for what is no text, too large, or gone since it was listed. */
async function textOf(
  file: string,
  placeOf: (file: string) => ReturnType<typeof confine>,
): Promise<string | undefined> {
  try {
    return (await readContent(await placeOf(file), MAX_FILE_BYTES)).text;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function shortened(line: string): string {
  return line.length <= MAX_LINE ? line : `${Array.from(line).slice(0, MAX_LINE).join("")}…`;
}
