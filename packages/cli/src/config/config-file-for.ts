import { usageError } from "../cli-error.ts";
import type { CliContext } from "../context.ts";
import type { ConfigKey } from "./keys.ts";
import { projectConfigFile, userConfigFile } from "./load-config.ts";

/** Where a key is written: the user's file, or the project's if it may have it. */
export async function configFileFor(
  context: Pick<CliContext, "env" | "home" | "cwd" | "fileMode">,
  key: ConfigKey,
  project: boolean,
): Promise<string> {
  if (!project) return userConfigFile(context);
  if (key.userOnly === true)
    throw usageError(`${key.name} may only stand in your own configuration`, "leave out --in-project");
  return (await projectConfigFile(context)).file;
}
