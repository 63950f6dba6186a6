import { dirname } from "node:path";
import { open, rename } from "./native-fs.ts";
import { errorCode } from "./workspace-failure.ts";

/** Replaces a file so that after a crash it holds either the old text or the new one. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const fresh = `${file}.new`;
  {
    await using handle = await open(fresh, "w", 0o600);
    await handle.writeFile(text);
    await handle.sync();
  }
  await rename(fresh, file);
  await syncDirectory(dirname(file));
}

/** Makes names in a directory durable. Some file systems cannot, and say so. */
export async function syncDirectory(directory: string): Promise<void> {
  try {
    await using handle = await open(directory, "r");
    await handle.sync();
  } catch (error) {
    const code = errorCode(error);
    if (
      code !== "EINVAL" &&
      code !== "ENOTSUP" &&
      code !== "EISDIR" &&
      code !== "ENOENT" &&
      code !== "ENOTDIR"
    )
      throw error;
  }
}
