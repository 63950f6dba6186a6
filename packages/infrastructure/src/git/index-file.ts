import { randomBytes } from "node:crypto";
import { copyFile, open, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { errorCode } from "./workspace-failure.ts";

/**
 * Lets git work on a copy of an index and puts the copy in place afterwards, unless the work says that the index may stay. So a killed git leaves neither a lock nor
 * a half-written index behind, and a failure changes nothing.
 *
 * git takes a file for unchanged if its time is before the index's. Many builds of it compare whole seconds, so a file that is read and
 * then written again within one second would be missed when the index is written in the next. Therefore the index gets
 * the time at which the work began: what was touched since is compared by content the next time.
 */
export async function withIndex<T>(
  file: string,
  work: (copy: string, keep: () => void) => Promise<T>,
  quiet = false,
): Promise<T> {
  const copy = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(copy, "");
    const began = Math.floor((await stat(copy)).mtimeMs / 1000);
    await copyWithTime(file, copy);
    let stays = false;
    const answer = await work(copy, () => {
      stays = true;
    });
    if (stays) return answer;
    const written = await stat(copy).catch(() => null);
    if (written !== null) {
      // `quiet`: nobody else can have written to the files meanwhile, as when a sandbox is filled.
      if (!quiet && written.mtimeMs / 1000 > began) await utimes(copy, began, began);
      await rename(copy, file);
    }
    return answer;
  } finally {
    await rm(copy, { force: true });
    await rm(`${copy}.lock`, { force: true });
  }
}

/** How many files an index holds, as its header says (gitformat-index: a signature, a version, and that). */
export async function entriesIn(file: string): Promise<number> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(12), 0, 12, 0);
  return bytesRead < 12 ? 0 : buffer.readUInt32BE(8);
}

async function copyWithTime(file: string, copy: string): Promise<void> {
  try {
    await copyFile(file, copy);
    const seconds = Math.floor((await stat(file)).mtimeMs / 1000);
    await utimes(copy, seconds, seconds);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    // No index yet; an empty file would not be one.
    await rm(copy, { force: true });
  }
}
