import { type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export interface FindDataDirOptions {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders of other users are passed over: who writes there says what is run. */
  readonly uid?: number | undefined;
}

/**
 * The data directory for a folder: `CLEVERAGENTS_DATA_DIR`, else the nearest `.cleveragents` from the folder upwards,
 * else the one in the home folder, which need not be there yet.
 */
export function findDataDir({ cwd, home, env, uid }: FindDataDirOptions): string {
  const given = env["CLEVERAGENTS_DATA_DIR"];
  if (given !== undefined && given !== "") return resolve(cwd, given);
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const candidate = join(folder, ".cleveragents");
    const stats = folderAt(candidate);
    if (stats !== undefined && (uid === undefined || stats.uid === uid)) return candidate;
    if (dirname(folder) === folder) return join(home, ".cleveragents");
  }
}

function folderAt(path: string): Stats | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isDirectory() === true ? stats : undefined;
  } catch {
    return undefined; // not to be entered: as good as not there
  }
}
