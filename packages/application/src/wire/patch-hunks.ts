import type { FileChange } from "@cleveragents/domain";

/** One hunk of a unified diff; each line begins with a space, `+`, `-`, or `\` (no line feed at the end of the file). */
export interface Hunk {
  old_start: number;
  old_lines: number;
  new_start: number;
  new_lines: number;
  /** What git says the hunk is in, as a function's first line. */
  heading?: string;
  lines: string[];
}

export interface FileHunks {
  hunks: Hunk[];
  /** Whether there are more of them, or longer ones, in the patch. */
  truncated: boolean;
}

/** Characters of hunks of one file and of all of them; a hunk is there whole or not at all. */
export interface HunkLimits {
  readonly file: number;
  readonly total: number;
}
export const HUNK_LIMITS: HunkLimits = { file: 64 * 1024, total: 1024 * 1024 };

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(?: (.*))?$/;

/** The hunks of a patch that git has made, for each of its files; none for binary files and those that are not in it. */
export function hunksOf(
  files: readonly FileChange[],
  patch: string,
  limits: HunkLimits = HUNK_LIMITS,
): FileHunks[] {
  const byName = new Map(files.map((file) => [nameOf(file), { hunks: [], truncated: false } as FileHunks]));
  const reader = new PatchReader(patch);
  let total = 0;
  let current: FileHunks | undefined;
  let used = 0;
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    if (line.startsWith("diff --git ")) current = undefined;
    // A deletion is `+++ /dev/null`: its name is on the line before.
    else if (line.startsWith("--- ") || (line.startsWith("+++ ") && line !== "+++ /dev/null")) {
      current = byName.get(bytesOfName(line.slice(4))) ?? current;
      used = 0;
    }
    const found = HUNK.exec(line);
    if (found === null || current === undefined) continue;
    const hunk = reader.hunk(found);
    const size = hunk.lines.reduce((sum, text) => sum + text.length + 1, 0);
    if (current.truncated || used + size > limits.file || total + size > limits.total) {
      current.truncated = true;
      continue;
    }
    used += size;
    total += size;
    current.hunks.push(hunk);
  }
  return files.map((file) => byName.get(nameOf(file)) ?? { hunks: [], truncated: false });
}

/** Reads a patch line by line; hunks by the counts that they begin with, since their lines can look like anything. */
class PatchReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): string | undefined {
    if (this.#at >= this.#text.length) return undefined;
    const end = this.#text.indexOf("\n", this.#at);
    const line = this.#text.slice(this.#at, end === -1 ? undefined : end);
    this.#at = end === -1 ? this.#text.length : end + 1;
    return line;
  }

  hunk([, oldStart, oldLines = "1", newStart, newLines = "1", heading]: RegExpExecArray): Hunk {
    const lines: string[] = [];
    let [left, right] = [Number(oldLines), Number(newLines)];
    while (left > 0 || right > 0 || this.#text.startsWith("\\", this.#at)) {
      const line = this.next();
      if (line === undefined) break;
      lines.push(line);
      if (line.startsWith("-") || line.startsWith(" ")) left -= 1;
      if (line.startsWith("+") || line.startsWith(" ")) right -= 1;
    }
    return {
      old_start: Number(oldStart),
      old_lines: Number(oldLines),
      new_start: Number(newStart),
      new_lines: Number(newLines),
      ...(heading === undefined || heading === "" ? {} : { heading }),
      lines,
    };
  }
}

const utf8 = new TextEncoder();

/** The bytes of a file's name, each as a character: both a changeset and a patch quote some names, by different rules. */
function nameOf({ path, quoted }: FileChange): string {
  return quoted === true ? unquoted(path) : latin1(utf8.encode(path));
}

/** Of `a/name`, `b/name`, or either in quotes, as it stands behind `---` and `+++`; git ends names with spaces by a tab. */
function bytesOfName(told: string): string {
  const name = told.startsWith('"') ? unquoted(told) : latin1(utf8.encode(told.replace(/\t$/, "")));
  return name.slice("a/".length);
}

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

const LETTERS: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
};

function unquoted(told: string): string {
  return told
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/gs, (_, special: string) =>
      special.length === 3 ? String.fromCharCode(Number.parseInt(special, 8)) : (LETTERS[special] ?? special),
    );
}
