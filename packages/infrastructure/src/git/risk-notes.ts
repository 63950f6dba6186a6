import type { FileChange, RiskNote } from "@cleveragents/domain";

const LARGE = 1024 * 1024;

/** What a careful person would want pointed out, in the order of the files. */
export function risksOf(files: readonly FileChange[], nested: readonly string[]): RiskNote[] {
  return files.flatMap((file) => notesOn(file, nested));
}

function notesOn(file: FileChange, nested: readonly string[]): RiskNote[] {
  const { path, before, after } = file;
  const notes: RiskNote[] = [];
  const add = (kind: RiskNote["kind"], note: string) => notes.push({ kind, path, note });
  if (after === null) add("deletion", "the file is deleted");
  if (after?.mode === "120000")
    add("symlink", before?.mode === "120000" ? "the link points elsewhere" : "a symbolic link is made");
  if (after?.mode === "100755" && before?.mode !== "100755") add("executable", "the file becomes executable");
  if (file.binary && after !== null) add("binary", `binary content, ${after.size} bytes`);
  if (after !== null && after.size > LARGE) add("large", `${after.size} bytes`);
  const inside = nested.find((folder) => path === folder || path.startsWith(`${folder}/`));
  if (inside !== undefined) add("submodule", `${inside} is a repository of its own: commit the change there`);
  if (after !== null && path.split("/").some((name) => name.startsWith(".")))
    add("dotfile", "a hidden file is written");
  return notes;
}
