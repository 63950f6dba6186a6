import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@cleveragents/application";
import { confine } from "../tools/confine.ts";
import { readContent } from "../tools/file-content.ts";

/** Of one skill; what is larger is no skill. */
export const MOST_FILES = 512;
export const MOST_BYTES = 16 * 1024 * 1024;
const DEEPEST = 8;
const LEFT_OUT: ReadonlySet<string> = new Set([".git", "node_modules", "__pycache__", ".DS_Store"]);

/** The names under which the format knows its file, the usual one first. */
export const SKILL_FILES = ["SKILL.md", "skill.md"] as const;

export interface SkillFile {
  /** With / between its parts. */
  readonly path: string;
  readonly size: number;
}

/**
 * The files of a skill, by path. What a link leads out of the folder for is not one of them, and links to folders are
 * not followed. Throws {@link ToolError} SKILL_TOO_LARGE.
 */
export async function skillFiles(folder: string): Promise<readonly SkillFile[]> {
  const root = await realpath(folder);
  const files: SkillFile[] = [];
  let bytes = 0;
  const look = async (relative: string, depth: number): Promise<void> => {
    const entries = await readdir(path.join(root, relative), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (LEFT_OUT.has(entry.name)) continue;
      const inner = relative === "" ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory()) {
        if (depth < DEEPEST) await look(inner, depth + 1);
        continue;
      }
      const size = await fileSize(root, inner);
      if (size === undefined) continue;
      bytes += size;
      files.push({ path: inner, size });
      if (files.length > MOST_FILES || bytes > MOST_BYTES)
        throw new ToolError(
          "SKILL_TOO_LARGE",
          `the skill has more than ${MOST_FILES} files or ${MOST_BYTES} bytes`,
        );
    }
  };
  await look("", 0);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function fileSize(root: string, relative: string): Promise<number | undefined> {
  try {
    const { absolute } = await confine({ root, projectRoot: root }, relative, "read");
    const found = await stat(absolute);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined; // it leads outside, or nowhere
  }
}

/** A file of a skill, and of nothing else. Throws {@link ToolError}. */
export async function readSkillFile(
  folder: string,
  relative: string,
  atMost: number,
): Promise<{ readonly bytes: Buffer; readonly text: string | undefined; readonly path: string }> {
  if (path.isAbsolute(relative))
    throw new ToolError("PATH_ESCAPE", "paths of a skill are relative to its folder");
  const place = await confine({ root: folder, projectRoot: folder }, relative, "read");
  return { ...(await readContent(place, atMost)), path: place.relative };
}
