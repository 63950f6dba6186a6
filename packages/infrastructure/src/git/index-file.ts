import { randomBytes } from "node:crypto";
import { copyFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { errorCode } from "./workspace-failure.ts";

/**
 * Lets git work on a copy of an index and puts the copy in place afterwards. So a killed git leaves neither a lock nor
 * a half-written index behind, and a failure changes nothing.
 *
 * git takes a file for unchanged if its time is before the index's. Many builds of it compare whole seconds, so a file that is read and
 * then written again within one second would be missed when the index is written in the next. Therefore the index gets
 * the time at which the work began: what was touched since is compared by content the next time.
 */
export async function withIndex<T>(
  file: string,
  work: (copy: string) => Promise<T>,
  quiet = false,
): Promise<T> {
  const copy = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(copy, "");
    const began = Math.floor((await stat(copy)).mtimeMs / 1000);
    await copyWithTime(file, copy);
    const answer = await work(copy);
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
