import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { checkSocketPath, ensurePrivateFolder } from "../../socket/socket-path.ts";

/**
 * Where the owner of a data directory listens: a path that is short however deep the directory lies, the same for
 * every name of it, in a folder that only this user can enter. The folder is made if missing: `cleveragents` in
 * `runtimeDir` (`$XDG_RUNTIME_DIR`) where there is one, else `cleveragents-<uid>` in `tmpDir`. A folder of somebody
 * else is refused.
 */
export async function socketPathFor(
  dataDir: string,
  tmpDir: string,
  uid: number,
  runtimeDir?: string,
): Promise<string> {
  const hash = createHash("sha256")
    .update(await fs.promises.realpath(dataDir))
    .digest("hex")
    .slice(0, 16);
  const folder =
    runtimeDir === undefined ? join(tmpDir, `cleveragents-${uid}`) : join(runtimeDir, "cleveragents");
  const path = join(folder, `${hash}.sock`);
  checkSocketPath(path);
  await ensurePrivateFolder(folder, uid);
  return path;
}
