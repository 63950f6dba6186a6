import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { type ProjectInspection, WorkspaceError } from "@cleveragents/application";
import type { GitCommand } from "./git-command.ts";
import { isInside } from "./project-paths.ts";
import { lstatOrNull } from "./tree-walk.ts";
import { isAbsence } from "./workspace-failure.ts";

/** What we know of a project before its files are listed. */
export interface FoundProject {
  readonly root: string;
  /** Undefined for a plain folder. */
  readonly repository?: FoundRepository;
  readonly warnings: readonly string[];
}

export interface FoundRepository {
  readonly root: string;
  /** Absolute, as is `commonDir`: where objects, references and `info` are, also for a worktree. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** `sha1` or `sha256`. */
  readonly format: string;
  /** Commit id; undefined in a repository without commits. */
  readonly head: string | undefined;
  readonly shallow: boolean;
  readonly foreign: boolean;
}

interface Deps {
  readonly git: GitCommand;
  readonly home: string | undefined;
  readonly dataDir: string;
}

/** Finds the project that a folder belongs to. Throws `WorkspaceError` if it cannot be one. */
export async function findProject(deps: Deps, path: string): Promise<FoundProject> {
  await deps.git.assertUsable();
  const folder = await realFolder(path);
  const repository = (await mayBeRepository(folder)) ? await findRepository(deps.git, folder) : null;
  const root = repository?.root ?? folder;
  await assertAllowed(deps, folder);
  await assertAllowed(deps, root);
  if (repository === null) return { root, warnings: [] };
  const warnings =
    folder === root ? [] : [`${folder} is a folder of a repository: the project is the whole of it, ${root}`];
  return { root, repository, warnings };
}

/** What the port shows of it; `submodules` is their number. */
export async function inspectionOf(
  git: GitCommand,
  { root, repository, warnings }: FoundProject,
  submodules: () => Promise<number>,
): Promise<ProjectInspection> {
  if (repository === undefined) return { root, kind: "plain", warnings };
  const inspection = await describe(git, repository, submodules);
  return { ...inspection, warnings: [...warnings, ...inspection.warnings] };
}

/** Of a project that plans were made for: it may have been moved since. Throws `WorkspaceError` unless it is there. */
export async function assertProjectThere(root: string): Promise<void> {
  const found = await lstatOrNull(root);
  if (found?.isDirectory() === true) return;
  const what = found === null ? "is not there any more" : "is no folder any more";
  throw new WorkspaceError(
    found === null ? "PATH_NOT_FOUND" : "NOT_A_DIRECTORY",
    `the project's folder ${root} ${what}`,
    "move it back there: plans are for the place at which they were made",
  );
}

async function realFolder(path: string): Promise<string> {
  let folder: string;
  try {
    folder = await realpath(path);
  } catch (error) {
    if (isAbsence(error)) throw new WorkspaceError("PATH_NOT_FOUND", `${path} does not exist`);
    throw error;
  }
  if (!(await stat(folder)).isDirectory())
    throw new WorkspaceError(
      "NOT_A_DIRECTORY",
      `${path} is not a directory`,
      "name the folder that it is in",
    );
  return folder;
}

async function assertAllowed(deps: Deps, root: string): Promise<void> {
  const real = async (path: string) => await realpath(path).catch(() => path);
  const forbidden = (what: string) =>
    new WorkspaceError("FORBIDDEN_PATH", `${root} is ${what}`, "choose a folder that holds one project");
  if (root === "/") throw forbidden("the root of the file system");
  if (deps.home !== undefined && root === (await real(deps.home))) throw forbidden("your home directory");
  const dataDir = await real(deps.dataDir);
  // Projects may lie in the data directory (the demo does), but not among what the workspace itself keeps there.
  const own = ["sandboxes", "stores", "journal"].map((name) => join(dataDir, name));
  if (root === dataDir || own.some((folder) => isInside(folder, root)))
    throw forbidden("inside the data directory");
}

/** Whether git could find anything there: it looks for a `.git`, or for what a bare repository has, all the way up. */
async function mayBeRepository(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    const [own, ...bare] = await Promise.all(
      [".git", "HEAD", "objects"].map((name) => somethingAt(join(at, name))),
    );
    if (own === true || bare.every(Boolean)) return true;
    if (at === dirname(at)) return false;
  }
}

/** In doubt there is: git says what it makes of it. */
async function somethingAt(path: string): Promise<boolean> {
  return await lstatOrNull(path).then(
    (found) => found !== null,
    () => true,
  );
}

async function findRepository(git: GitCommand, folder: string): Promise<FoundRepository | null> {
  const ask = (trusted?: string) =>
    git.run({
      // The last one fails where there is no work tree; what stands before it is answered all the same. The default
      // comes after them, or not at all where there is no commit.
      args: [
        "rev-parse",
        "--default",
        "HEAD^{commit}",
        "--is-bare-repository",
        "--is-inside-git-dir",
        "--is-shallow-repository",
        "--show-object-format",
        "--path-format=absolute",
        "--absolute-git-dir",
        "--git-common-dir",
        "--show-toplevel",
      ],
      cwd: folder,
      env: git.userEnvironment(trusted),
      accept: [0, 128],
    });
  let answer = await ask();
  let trusted: string | undefined;
  if (answer.code !== 0 && /dubious ownership/.test(answer.stderr)) {
    // Somebody else's repository: trusted for this call and exactly this root, since the user named it.
    trusted = await nearestRepository(folder);
    answer = await ask(trusted);
    if (answer.code !== 0)
      throw new WorkspaceError(
        "DUBIOUS_OWNERSHIP",
        `git does not trust ${trusted}: it belongs to another user`,
        `run: git config --global --add safe.directory ${trusted}`,
      );
  }
  const [bare, insideGitDir, shallow, format, ...rest] = answer.stdout
    .toString("utf8")
    .replace(/\n$/, "")
    .split("\n");
  if (answer.code !== 0 && bare !== "true" && insideGitDir !== "true") {
    if (/not a git repository/.test(answer.stderr)) return null;
    throw new WorkspaceError("GIT_FAILED", answer.stderr.trim(), "run git status in the folder");
  }
  if (bare === "true")
    throw new WorkspaceError(
      "BARE_REPOSITORY",
      `${folder} is a bare repository`,
      "clone it, and name the clone",
    );
  if (insideGitDir === "true" || format === undefined)
    throw new WorkspaceError("FORBIDDEN_PATH", `${folder} is inside a .git directory`, "name the work tree");
  const head = /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(rest.at(-1) ?? "") ? rest.pop() : undefined;
  const [gitDir, commonDir, top] = threePaths(rest);
  const root = await realpath(top);
  return {
    root,
    gitDir,
    commonDir,
    format,
    head,
    shallow: shallow === "true",
    foreign: trusted !== undefined,
  };
}

/** A path may itself hold line breaks: usually each of the three then holds as many. */
function threePaths(lines: readonly string[]): readonly [string, string, string] {
  const each = lines.length / 3;
  const at = (n: number) => lines.slice(n * each, (n + 1) * each).join("\n");
  const paths = [at(0), at(1), at(2)] as const;
  if (each > 0 && Number.isInteger(each) && paths.every(isAbsolute)) return paths;
  throw new WorkspaceError("GIT_FAILED", "the repository's path cannot be read", "rename the folder");
}

async function nearestRepository(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await lstatOrNull(join(at, ".git"))) !== null) return at;
    if (at === dirname(at)) return folder;
  }
}

async function describe(
  git: GitCommand,
  repository: FoundRepository,
  submodulesOf: () => Promise<number>,
): Promise<ProjectInspection> {
  const { root, gitDir, head } = repository;
  const env = { ...git.userEnvironment(), GIT_DIR: gitDir, GIT_WORK_TREE: root };
  const ask = async (...args: string[]) => {
    const answer = await git.run({ args, cwd: root, env, accept: [0, 1, 128] });
    return answer.code === 0 ? answer.stdout.toString("utf8").trim() : "";
  };
  const [branch, sparse, submodules, attributes] = await Promise.all([
    branchOf(gitDir, () => ask("symbolic-ref", "-q", "--short", "HEAD")),
    isSparse(gitDir, () => ask("config", "--type=bool", "core.sparseCheckout")),
    submodulesOf(),
    readFile(join(root, ".gitattributes"), "utf8").catch(() => ""),
  ]);
  const warnings = [
    submodules > 0
      ? `${submodules} submodule(s): their files are copied, and changes are applied to their working files only`
      : "",
    /filter=lfs/.test(attributes) ? "Git LFS: large files are copied as they are on disk" : "",
    sparse ? "sparse checkout: the plan sees only the files that are on disk" : "",
    repository.shallow ? "shallow clone: history is incomplete" : "",
    repository.foreign ? "the repository belongs to another user; it is trusted for this project only" : "",
  ];
  return {
    root,
    kind: "git",
    ...(branch === "" ? {} : { branch }),
    ...(head === undefined ? {} : { head }),
    warnings: warnings.filter(Boolean),
  };
}

/** HEAD is a line of text, unless the repository keeps its references in tables: then git is asked. */
async function branchOf(gitDir: string, asked: () => Promise<string>): Promise<string> {
  const text = await readFile(join(gitDir, "HEAD"), "utf8").catch(() => "");
  if (/^[0-9a-f]{40,64}\n?$/.test(text)) return "";
  const [, branch] = /^ref: refs\/heads\/([^\s]+)\n?$/.exec(text) ?? [];
  return branch === undefined || branch === ".invalid" ? await asked() : branch;
}

/** Git is asked only where somebody has said which part of the tree is wanted. */
async function isSparse(gitDir: string, configured: () => Promise<string>): Promise<boolean> {
  if ((await lstatOrNull(join(gitDir, "info", "sparse-checkout"))) === null) return false;
  return (await configured()) === "true";
}

/** The user's own ignore rules that are not in the tree, weakest first: what git reads as excludesFile, then info/exclude. */
export async function ownIgnoreRules(
  git: GitCommand,
  { root, gitDir, commonDir }: FoundRepository,
  home: string | undefined,
  configHome: string | undefined,
): Promise<string> {
  const env = { ...git.userEnvironment(), GIT_DIR: gitDir, GIT_WORK_TREE: root };
  const args = ["config", "--type=path", "--get", "core.excludesFile"];
  const answer = await git.run({ args, cwd: root, env, accept: [0, 1] });
  const configured = answer.stdout.toString("utf8").replace(/\n$/, "");
  const base = configHome || (home === undefined ? "" : join(home, ".config"));
  const usual = base === "" ? "" : join(base, "git", "ignore");
  const read = async (path: string) => (path === "" ? "" : await readFile(path, "utf8").catch(() => ""));
  return `${await read(configured || usual)}\n${await read(join(commonDir, "info", "exclude"))}\n`;
}
