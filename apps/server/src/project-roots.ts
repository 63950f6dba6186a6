import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, resolve } from "node:path";
import { ConfigError } from "./config-error.ts";

const NAME = "CLEVERAGENTS_PROJECT_ROOTS";

/** Folders below which callers who may not trust programs may have projects. Throws {@link ConfigError}. */
export function projectRoots(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const folders = (env[NAME] ?? "").split(delimiter).filter((folder) => folder.trim() !== "");
  const relative = folders.find((folder) => !isAbsolute(folder));
  if (relative !== undefined)
    throw new ConfigError(`${NAME} has "${relative}": use absolute paths, with "${delimiter}" between them`);
  return folders.map((folder) => resolve(folder));
}

/** As projects are known, without links. A folder that is not there may be made later. */
export function realRoots(folders: readonly string[]): readonly string[] {
  return folders.map((folder) => {
    try {
      return realpathSync(folder);
    } catch {
      return folder;
    }
  });
}
