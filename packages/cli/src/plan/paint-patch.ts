import { type Paint, PLAIN } from "../output/paint.ts";

/** A unified diff in git's colours. Lines of a hunk are counted, since `---` may be one that was deleted. */
export function paintPatch(patch: string, paint: Paint): string {
  if (paint === PLAIN) return patch;
  let [before, after] = [0, 0];
  return patch
    .split("\n")
    .map((line) => {
      if (before > 0 || after > 0) {
        if (line.startsWith("-")) [before] = [before - 1];
        else if (line.startsWith("+")) [after] = [after - 1];
        else if (!line.startsWith("\\")) [before, after] = [before - 1, after - 1];
        return line.startsWith("-") ? paint.red(line) : line.startsWith("+") ? paint.green(line) : line;
      }
      const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
      if (hunk === null) return line.startsWith("\\") ? line : paint.bold(line);
      [before, after] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
      return paint.cyan(hunk[0]) + line.slice(hunk[0].length);
    })
    .join("\n");
}
