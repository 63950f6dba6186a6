import { access, constants, mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes the folder of a data directory, if it is not there. Throws what the system refused. */
export async function makeFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw await refusalBehind(error, dataDir);
  }
}

/**
 * Node tells of a folder that cannot be made on a read-only file system that it is missing. The nearest folder that is
 * there says why; `writable` throws what the system says of one.
 */
export async function refusalBehind(
  error: unknown,
  dataDir: string,
  writable: (folder: string) => Promise<void> = (folder) => access(folder, constants.W_OK),
): Promise<unknown> {
  if (!isMissing(error)) return error;
  for (let folder = dirname(dataDir); ; folder = dirname(folder)) {
    try {
      await writable(folder);
      return error;
    } catch (reason) {
      if (!isMissing(reason) || folder === dirname(folder)) return reason;
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
