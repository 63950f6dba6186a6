/** A hunk of a unified diff; `oldStart` counts lines from 1. */
interface Hunk {
  readonly oldStart: number;
  readonly lines: readonly string[];
}

export interface PatchedFile {
  readonly oldPath: string | undefined;
  readonly newPath: string | undefined;
  /** It is there as bytes, which this does not read. */
  readonly binary: boolean;
  readonly hunks: readonly Hunk[];
}

/** The files of a patch that git has made. Names with unusual bytes are in quotes and stay so. */
export function filesOfPatch(patch: string): PatchedFile[] {
  // No line inside a hunk can begin like this: there it has a space, + or - before it.
  return patch
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith("diff --git "))
    .map(fileOf);
}

function fileOf(part: string): PatchedFile {
  const lines = part.split("\n");
  const first = lines.findIndex((line) => line.startsWith("@@ "));
  const head = first === -1 ? lines : lines.slice(0, first);
  const after = (prefix: string) => head.find((line) => line.startsWith(prefix))?.slice(prefix.length);
  const [fromHead, toHead] = namesOf(head[0] ?? "");
  const isNew = after("new file mode ") !== undefined;
  const isGone = after("deleted file mode ") !== undefined;
  return {
    oldPath: isNew ? undefined : (after("rename from ") ?? nameIn(after("--- "), "a/") ?? fromHead),
    newPath: isGone ? undefined : (after("rename to ") ?? nameIn(after("+++ "), "b/") ?? toHead),
    binary: head.some((line) => line.startsWith("GIT binary patch") || line.startsWith("Binary files ")),
    hunks: first === -1 ? [] : hunksOf(lines.slice(first)),
  };
}

function nameIn(name: string | undefined, prefix: string): string | undefined {
  const plain = name?.replace(/\t$/, "");
  return plain?.startsWith(prefix) ? plain.slice(prefix.length) : undefined;
}

/** Both names are the same where there is nothing else to tell them by, so that they are equally long. */
function namesOf(line: string): readonly [string | undefined, string | undefined] {
  const names = line.slice("diff --git ".length);
  const half = (names.length - 1) / 2;
  return [nameIn(names.slice(0, half), "a/"), nameIn(names.slice(half + 1), "b/")];
}

function hunksOf(lines: readonly string[]): Hunk[] {
  const hunks: { oldStart: number; lines: string[] }[] = [];
  for (const line of lines) {
    const start = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/.exec(line);
    if (start !== null) hunks.push({ oldStart: Number(start[1]), lines: [] });
    else if (line !== "") hunks.at(-1)?.lines.push(line);
  }
  return hunks;
}

/** The two sides of the hunks alone: where the whole file is not at hand. */
export function sidesOf({ hunks }: Pick<PatchedFile, "hunks">): { before: string; after: string } {
  const side = (drop: string) => hunks.map(({ lines }) => textOf(lines, drop)).join("");
  return { before: side("+"), after: side("-") };
}

/** What a file becomes by its hunks. */
export function patched(before: string, { hunks }: Pick<PatchedFile, "hunks">): string {
  const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let out = "";
  let at = 0;
  for (const { oldStart, lines: changed } of hunks) {
    const old = changed.filter((line) => line.startsWith(" ") || line.startsWith("-")).length;
    // A hunk that takes nothing away stands behind the line that it names.
    const begin = old === 0 ? oldStart : oldStart - 1;
    out += lines.slice(at, begin).join("") + textOf(changed, "-");
    at = begin + old;
  }
  return out + lines.slice(at).join("");
}

/** The lines of one side; `\` says that the line before has no end. */
function textOf(lines: readonly string[], drop: string): string {
  let out = "";
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("\\") || line.startsWith(drop)) continue;
    out += line.slice(1) + (lines[index + 1]?.startsWith("\\") ? "" : "\n");
  }
  return out;
}
