import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const placeOf = (directory: string): string => join(directory, "brought");

/**
 * Notes, in a plan's own directory, folders that were copied into its copy of the project for its commands. They are no
 * part of what the plan changes, also when it changes the rules by which they are ignored.
 */
export async function noteBrought(directory: string, folders: readonly string[]): Promise<void> {
  const fresh = `${placeOf(directory)}.new`;
  const all = new Set([...(await broughtFolders(directory)), ...folders]);
  try {
    // As a whole or not at all: a name that was cut off would be another one.
    await writeFile(fresh, [...all].map((folder) => `${folder}\0`).join(""));
    await rename(fresh, placeOf(directory));
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => undefined);
    throw error;
  }
}

export async function broughtFolders(directory: string): Promise<readonly string[]> {
  const text = await readFile(placeOf(directory), "utf8").catch(() => "");
  return text.split("\0").filter(Boolean);
}
