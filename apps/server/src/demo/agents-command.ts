import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Turns the words of a command into one that works when pasted into any terminal of this machine. */
export function agentsCommand(cwd: string, dataDir: string): (words: string) => string {
  const program = findUpwards(cwd) ?? findUpwards(dirname(fileURLToPath(import.meta.url))) ?? "agents";
  return (words) => `${quote(program)} ${words} --data-dir ${quote(dataDir)}`;
}

function findUpwards(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", ".bin", "agents");
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}

function quote(word: string): string {
  return /^[A-Za-z0-9_./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
