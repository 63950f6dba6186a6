import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import path from "node:path";

/** Absolute real path of a program on the PATH; undefined if there is none. */
export async function findProgram(name: string, searched: string): Promise<string | undefined> {
  for (const folder of searched.split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    try {
      const file = await realpath(path.join(folder, name));
      await access(file, constants.X_OK);
      return file;
    } catch {
      // not in this one
    }
  }
  return undefined;
}
