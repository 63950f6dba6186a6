import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";

const placeOf = (directory: string): string => join(directory, "brought");

/**
 * Notes, in a plan's own directory, folders that were copied into its copy of the project for its commands. They are no
 * part of what the plan changes, also when it changes the rules by which they are ignored.
 */
export async function noteBrought(directory: string, folders: readonly string[]): Promise<void> {
  await appendFile(placeOf(directory), folders.map((folder) => `${folder}\0`).join(""));
}

export async function broughtFolders(directory: string): Promise<readonly string[]> {
  const text = await readFile(placeOf(directory), "utf8").catch(() => "");
  return [...new Set(text.split("\0").filter(Boolean))];
}
