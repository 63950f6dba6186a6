import fs from "node:fs";
import { dirname } from "node:path";

/** What fits into an address on every system (104 with the final zero on macOS and the BSDs, 108 on Linux). */
const MAX_SOCKET_PATH_BYTES = 103;

export function checkSocketPath(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes > MAX_SOCKET_PATH_BYTES) {
    throw new Error(
      `a socket's path may have at most ${MAX_SOCKET_PATH_BYTES} bytes; this one has ${bytes}: ${path}`,
    );
  }
}

/** Makes the folder of a socket, or sees to it that nobody but its owner can enter the one that is there. */
export async function ensurePrivateFolder(folder: string, owner?: number): Promise<void> {
  await fs.promises.mkdir(dirname(folder), { recursive: true });
  await fs.promises.mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  const stats = await fs.promises.lstat(folder);
  if (!stats.isDirectory()) throw new Error(`${folder} must be a folder: a socket is to be made in it`);
  if (owner !== undefined && stats.uid !== owner) {
    throw new Error(`${folder} belongs to user ${stats.uid}, not to user ${owner}: no socket is made there`);
  }
  if ((stats.mode & 0o077) !== 0) {
    const mode = (stats.mode & 0o777).toString(8);
    throw new Error(
      `${folder} must be open to its owner alone (chmod 700), but has mode ${mode}: no socket is made there`,
    );
  }
}
