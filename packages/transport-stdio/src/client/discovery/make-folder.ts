import fs from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it that are not there, for this user alone. Throws what the system refuses. Node's own way never ends
 * below a folder in which none can be made (`/proc`), and says of a read-only file system that something is missing.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await make(path);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await make(path);
  }
}

async function make(path: string): Promise<void> {
  try {
    await fs.promises.mkdir(path, { mode: 0o700 });
  } catch (error) {
    const isFolder = (await fs.promises.stat(path).catch(() => undefined))?.isDirectory();
    if (isFolder !== true) throw error;
  }
}
