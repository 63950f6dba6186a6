import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { defineTool } from "./builtin-tool.ts";
import { confine } from "./confine.ts";
import { onFile } from "./file-failure.ts";
import { isProtected } from "./protected-path.ts";

export const listFilesTool = defineTool({
  name: "builtin/list_files",
  description:
    "Lists a directory, or with `recursive` all below it, nearest first. Links are named, not followed.",
  input: z.strictObject({
    path: z.string().min(1).default("."),
    recursive: z.boolean().default(false),
    limit: z.number().int().min(1).max(10_000).default(1000),
  }),
  readOnly: true,
  idempotent: true,
  effect: "none",
  async run({ path: given, recursive, limit }, { sandbox, signal }) {
    const place = await confine(sandbox, given, "read");
    const entries: { path: string; type: string }[] = [];
    const queue = [""];
    for (
      let below = queue.shift();
      below !== undefined && entries.length <= limit && !signal.aborted;
      below = queue.shift()
    ) {
      const directory = path.join(place.absolute, below);
      for (const entry of await onFile(path.join(place.relative, below), () => sorted(directory))) {
        const name = path.join(below, entry.name);
        if (recursive && entry.isDirectory()) queue.push(name);
        entries.push({ path: path.join(place.relative, name), type: typeOf(entry) });
      }
    }
    const truncated = entries.length > limit;
    return {
      value: { path: place.relative, entries: entries.slice(0, limit), truncated },
      summary: `listed ${place.relative} (${truncated ? `the first ${limit}` : entries.length} entries)`,
    };
  },
});

async function sorted(directory: string): Promise<Dirent[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  // By code unit: the same order on every host.
  return entries.filter((entry) => !isProtected(entry.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function typeOf(entry: Dirent): string {
  if (entry.isDirectory()) return "directory";
  if (entry.isSymbolicLink()) return "link";
  return entry.isFile() ? "file" : "other";
}
