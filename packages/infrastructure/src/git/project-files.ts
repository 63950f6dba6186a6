import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { GitCommand } from "./git-command.ts";
import { decodePath, hasOddBytes, shownPath } from "./native-paths.ts";
import { hasGitName, splitNul } from "./project-paths.ts";
import { lstatOrNull, walkFiles } from "./tree-walk.ts";
import { gitFailure } from "./workspace-failure.ts";

/** Folders of a plain project that can be made again; a git project says itself what it ignores. */
const LEFT_OUT = new Set(["node_modules", ".venv", ".cleveragents"]);

export function isLeftOut(name: string, isDirectory: boolean): boolean {
  return LEFT_OUT.has(name) || (name === "target" && isDirectory);
}

/** The same rules as {@link isLeftOut}, as git reads them. */
export const LEFT_OUT_PATTERNS = [...LEFT_OUT, "target/"];

export interface ProjectFiles {
  /** Candidates, relative to the root; some may be missing on disk. */
  readonly paths: string[];
  /** Folders with a repository of their own: submodules, and clones inside the project. */
  readonly nested: string[];
  readonly warnings: string[];
  /** Contents that the repository holds for tracked files. */
  readonly tracked: Set<string>;
  /** How many submodules the repository itself has. */
  readonly submodules: number;
}

/** The tag of `ls-files -t` for a file that the repository does not know: `?`. */
const UNTRACKED = 0x3f;

interface RepositoryPlace {
  readonly root: string;
  readonly gitDir: string;
}

/** Tracked and untracked files of a repository, less the ignored, including those of repositories inside it. */
export async function listRepository(
  git: GitCommand,
  place: RepositoryPlace,
  leaveOut: string | null,
): Promise<ProjectFiles> {
  const files = { paths: [], nested: [], warnings: [], tracked: new Set<string>() };
  const submodules = await addRepository(git, place, "", leaveOut, files);
  return { ...files, submodules };
}

/** How many submodules a repository has. */
export async function countSubmodules(git: GitCommand, place: RepositoryPlace): Promise<number> {
  const env = { ...git.userEnvironment(), GIT_DIR: place.gitDir, GIT_WORK_TREE: place.root };
  const answer = await git.run({
    args: ["ls-files", "-s", "-z"],
    cwd: place.root,
    env,
    accept: [0, 1, 128],
  });
  return splitNul(answer.stdout).filter((record) => record.toString("latin1", 0, 7) === "160000 ").length;
}

async function addRepository(
  git: GitCommand,
  place: RepositoryPlace,
  prefix: string,
  leaveOut: string | null,
  files: Omit<ProjectFiles, "submodules">,
): Promise<number> {
  const env = { ...git.userEnvironment(), GIT_DIR: place.gitDir, GIT_WORK_TREE: place.root };
  const exclude = leaveOut === null ? [] : [`--exclude=/${escapePattern(leaveOut)}/`];
  // `-t` tells tracked and untracked files apart, so that one call finds both.
  const args = ["ls-files", "-z", "-t", "-s", "-o", "--exclude-standard", ...exclude];
  const { stdout, stderr } = await git.run({ args, cwd: place.root, env });
  if (/could not open directory/.test(stderr)) throw gitFailure(["ls-files"], 0, stderr);
  const submodules: string[] = [];
  const nested: string[] = [];
  const add = (path: string) => {
    if (leaveOut !== null && (path === leaveOut || path.startsWith(`${leaveOut}/`))) return;
    if (hasGitName(path))
      files.warnings.push(
        `${shownPath(prefix + path)} is left out: no file system lets it stand beside .git safely`,
      );
    else files.paths.push(prefix + path);
  };
  let previous = "";
  for (const record of splitNul(stdout)) {
    if (record[0] === UNTRACKED) {
      const path = decodePath(record.subarray(2));
      if (path.endsWith("/")) nested.push(path.slice(0, -1));
      else add(path);
      continue;
    }
    // `H <mode> <object> <stage>\t<path>`; an unmerged path comes once per stage.
    const path = decodePath(record.subarray(record.indexOf(9) + 1));
    const [, mode, object] = record.toString("latin1", 0, 64 + 16).split(" ");
    if (object !== undefined) files.tracked.add(object);
    if (path === previous) continue;
    previous = path;
    if (mode === "160000") submodules.push(path);
    else add(path);
  }
  for (const path of submodules) await addNested(git, place, path, prefix, files, "submodule");
  for (const path of nested) await addNested(git, place, path, prefix, files, "repository");
  return submodules.length;
}

async function addNested(
  git: GitCommand,
  parent: RepositoryPlace,
  path: string,
  prefix: string,
  files: Omit<ProjectFiles, "submodules">,
  kind: "submodule" | "repository",
): Promise<void> {
  const root = join(parent.root, path);
  const folder = await lstatOrNull(root);
  files.nested.push(prefix + path);
  const inner = folder?.isDirectory() ? await placeOf(git, root) : null;
  if (inner !== null) {
    files.warnings.push(
      `${shownPath(prefix + path)} is a ${kind} of its own: its files are copied, and changes are applied to its working files only`,
    );
    await addRepository(git, inner, `${prefix}${path}/`, null, files);
    return;
  }
  if (folder?.isDirectory()) {
    const { files: found } = await walkFiles(root, () => false);
    for (const file of found) files.paths.push(`${prefix}${path}/${file}`);
  }
  files.warnings.push(
    `${shownPath(prefix + path)} is a ${kind} that is not checked out: the plan sees it as it is on disk`,
  );
}

/** The repository whose work tree is exactly this folder, or null. */
async function placeOf(git: GitCommand, root: string): Promise<RepositoryPlace | null> {
  // git cannot be run in a folder whose name is no text; its files are then taken as they are.
  if (hasOddBytes(root) || (await lstatOrNull(join(root, ".git"))) === null) return null;
  const env = { ...git.userEnvironment(await realpath(root)), GIT_CEILING_DIRECTORIES: dirname(root) };
  const answer = await git.run({
    args: ["rev-parse", "--absolute-git-dir"],
    cwd: root,
    env,
    accept: [0, 128],
  });
  return answer.code === 0 ? { root, gitDir: answer.stdout.toString("utf8").replace(/\n$/, "") } : null;
}

/** All files of a folder without version control, less what can be made again and the data directory. */
export async function listFolder(root: string, leaveOut: string | null): Promise<ProjectFiles> {
  const { files, gitEntries, special } = await walkFiles(
    root,
    (name, path, isDirectory) => path === leaveOut || isLeftOut(name, isDirectory),
  );
  const nested = gitEntries.map((path) => dirname(path)).filter((path) => path !== ".");
  const warnings = nested.map(
    (path) => `${shownPath(path)} is a repository of its own: its files are copied, its .git is not`,
  );
  return {
    paths: files,
    nested,
    warnings: [...warnings, ...special.map(leftOutNote)],
    tracked: new Set(),
    submodules: 0,
  };
}

/** What cannot be copied: reading a pipe would wait for ever. */
export function leftOutNote(path: string): string {
  return `${shownPath(path)} is left out: it is neither a file, a link nor a folder`;
}

/** A literal path as an ignore pattern. */
export function escapePattern(path: string): string {
  return path.replace(/[\\*?[\] #!]/g, "\\$&");
}
