import type { CommandRow } from "../command/command-row.ts";
import { complete } from "./candidates.ts";
import { FILES } from "./scripts.ts";

/** The lines that a shell's script reads; the words may have `--` before them. */
export function completionLines(words: readonly string[], rows: readonly CommandRow[]): string {
  const { candidates, files } = complete(words[0] === "--" ? words.slice(1) : words, rows);
  const lines = candidates.map(({ text, about }) => (about === undefined ? text : `${text}\t${about}`));
  return [...lines, ...(files ? [FILES] : [])].map((line) => `${line}\n`).join("");
}
