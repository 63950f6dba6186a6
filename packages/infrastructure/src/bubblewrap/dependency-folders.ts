import { readdir } from "node:fs/promises";
import path from "node:path";
import { GitCommand } from "../git/git-command.ts";
import { isLeftOut } from "../git/project-files.ts";
import { splitPaths } from "../git/project-paths.ts";

/** What package managers fill and projects ignore. */
export const DEPENDENCY_FOLDERS: readonly string[] = [
  "node_modules",
  ".venv",
  "venv",
  "target",
  "vendor",
  ".tox",
  ".gradle",
  ".bundle",
];
/** In a folder without version control nobody says what is ignored: they are looked for down to here. */
const DEPTH = 3;
/** Paths that can be written in the options of a mount. */
const PLAIN = /^[\w@+. /=~-]+$/;

/**
 * Folders of these names that a project ignores as a whole, so that no copy of it has them; relative to it. What is
 * ignored is asked of the user's own repository and not of the copy, in which commands could plant anything.
 */
export async function dependencyFolders(
  project: string,
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const wanted = new Set(names);
  const found = (await ignoredIn(project, env)) ?? (await leftOutOf(project, "", DEPTH));
  return found.filter(
    (folder) => wanted.has(path.basename(folder)) && PLAIN.test(path.join(project, folder)),
  );
}

/** Undefined if that is no repository. */
async function ignoredIn(
  project: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string[] | undefined> {
  const git = new GitCommand({ env });
  try {
    const answer = await git.run({
      args: ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"],
      cwd: project,
      env: { ...git.userEnvironment(project), GIT_CEILING_DIRECTORIES: path.dirname(project) },
      accept: [0, 128],
    });
    if (answer.code !== 0) return undefined;
    return splitPaths(answer.stdout).flatMap((one) => (one.endsWith("/") ? [one.slice(0, -1)] : []));
  } catch {
    return undefined; // no git, no folder: looking for them answers
  }
}

async function leftOutOf(project: string, at: string, depth: number): Promise<string[]> {
  const entries = await readdir(path.join(project, at), { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== ".git");
  const found: string[] = [];
  for (const { name } of folders) {
    const folder = path.join(at, name);
    if (isLeftOut(name, true)) found.push(folder);
    else if (depth > 1) found.push(...(await leftOutOf(project, folder, depth - 1)));
  }
  return found;
}
