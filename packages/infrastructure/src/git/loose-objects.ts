import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inflate } from "node:zlib";

const inflated = promisify(inflate);

/** What is larger is streamed by git. */
const LARGEST = { packed: 128 * 1024, content: 4 * 1024 * 1024 };

/**
 * A content as git has just written it: a file of its own, `blob <size>\0<content>` deflated. Null where it is in a pack,
 * large, or anything else but that: git then says what it is. Starting git to read a handful takes longer than all else.
 */
export async function readLooseBlob(objects: string, object: string): Promise<Buffer | null> {
  try {
    const file = join(objects, object.slice(0, 2), object.slice(2));
    if ((await stat(file)).size > LARGEST.packed) return null;
    const bytes = await inflated(await readFile(file), { maxOutputLength: LARGEST.content });
    const end = bytes.indexOf(0);
    const content = bytes.subarray(end + 1);
    return bytes.toString("latin1", 0, end) === `blob ${content.length}` ? content : null;
  } catch {
    return null;
  }
}
