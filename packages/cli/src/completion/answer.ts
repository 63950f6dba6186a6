import type { CommandRow } from "../command/command-row.ts";
import { isWholeId } from "../command/partial-id.ts";
import { complete } from "./candidates.ts";
import { FILES } from "./scripts.ts";

/** Ids or names that the agent has of a noun; none where nobody answers soon. */
export type List = (noun: readonly string[]) => Promise<readonly string[]>;

/** The lines that a shell's script reads; the words may have `--` before them. */
export async function completionLines(
  given: readonly string[],
  rows: readonly CommandRow[],
  list: List = async () => [],
): Promise<string> {
  const words = given[0] === "--" ? given.slice(1) : given;
  const { candidates, files, listed } = complete(words, rows);
  const lines = candidates.map(({ text, about }) => (about === undefined ? text : `${text}\t${about}`));
  const things = listed === undefined ? [] : fitting(await list(listed), words.at(-1) ?? "");
  return [...lines, ...things, ...(files ? [FILES] : [])].map((line) => `${line}\n`).join("");
}

/** An id as tables show it, by its last eight characters, unless somebody has begun with its first. */
function fitting(things: readonly string[], current: string): string[] {
  return things.flatMap((thing) => {
    if (!isWholeId(thing)) {
      if (thing.startsWith(current)) return [thing];
      // As it may be typed, too.
      const short = thing.replace(/^local\//, "");
      return short.startsWith(current) ? [short] : [];
    }
    const begun = current.toUpperCase();
    const end = thing.slice(-8);
    if (end.startsWith(begun)) return [end];
    return thing.startsWith(begun) ? [thing] : [];
  });
}
