import { z } from "zod";
import { lspFailure } from "../lsp-failure.ts";
import type { OpenDocument } from "../open-documents.ts";
import type { Place } from "../positions.ts";

export const PathArgument = z.string().min(1).describe("file, relative to the project");

/** Where something is meant: a line and a character, or a name that is looked for. */
export const PLACE_ARGUMENTS = {
  path: PathArgument,
  line: z.number().int().min(1).optional().describe("line, counted from 1"),
  character: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe("character within the line, counted from 1; leave it out and give `symbol` instead"),
  symbol: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe("text to be found on the line, or in the whole file where it is there once"),
} as const;

interface PlaceArguments {
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly symbol?: string | undefined;
}

/** The place that is meant. Throws `ToolError` INVALID_ARGUMENTS, which says what is there instead. */
export function placeIn({ file, lines }: OpenDocument, { line, character, symbol }: PlaceArguments): Place {
  if (line !== undefined && line > lines.count)
    throw lspFailure("INVALID_ARGUMENTS", `line: ${file} has ${lines.count} lines`);
  if (symbol !== undefined) return found(file, lines, symbol, line);
  if (line === undefined)
    throw lspFailure("INVALID_ARGUMENTS", "say where: `line` and `character`, or `symbol`");
  const length = Array.from(lines.line(line - 1)).length;
  if (character === undefined)
    throw lspFailure("INVALID_ARGUMENTS", `say where on line ${line}: \`character\`, or \`symbol\``);
  if (character > length + 1)
    throw lspFailure("INVALID_ARGUMENTS", `character: line ${line} of ${file} has ${length} characters`);
  return { line, character };
}

function found(file: string, lines: OpenDocument["lines"], symbol: string, line: number | undefined): Place {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_$])${literally(symbol)}(?![\\p{L}\\p{N}_$])`, "gu");
  const places: Place[] = [];
  const [from, to] = line === undefined ? [0, lines.count] : [line - 1, line];
  for (let index = from; index < to; index += 1) {
    const text = lines.line(index);
    for (const match of text.matchAll(pattern))
      places.push({ line: index + 1, character: Array.from(text.slice(0, match.index)).length + 1 });
  }
  const [first] = places;
  if (first === undefined)
    throw lspFailure(
      "INVALID_ARGUMENTS",
      `symbol: ${JSON.stringify(symbol)} is not ${
        line === undefined
          ? `in ${file}`
          : `on line ${line} of ${file}: ${lines
              .line(line - 1)
              .trim()
              .slice(0, 200)}`
      }`,
    );
  if (line === undefined && places.length > 1) {
    const at = [...new Set(places.map((place) => place.line))].slice(0, 10).join(", ");
    throw lspFailure(
      "INVALID_ARGUMENTS",
      `symbol: ${JSON.stringify(symbol)} is in ${file} more than once; say which line: ${at}`,
    );
  }
  return first;
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
