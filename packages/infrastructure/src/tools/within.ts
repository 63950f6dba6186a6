import path from "node:path";

/** `file` relative to `directory`, "" for itself; undefined if it is not below it. A sibling `x-old` of `x` is not. */
export function within(directory: string, file: string): string | undefined {
  const relative = path.relative(directory, file);
  const outside = relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
  return outside ? undefined : relative;
}
