import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ProjectInspection, WorkspaceError } from "@cleveragents/application";
import type { GitCommand } from "./git-command.ts";
import { isInside } from "./project-paths.ts";
import { lstatOrNull } from "./tree-walk.ts";
import { isAbsence } from "./workspace-failure.ts";

/** What we know of a project: what the port shows, and how to reach its repository. */
export interface ProbedProject {
  readonly inspection: ProjectInspection;
  /** Absolute; undefined for a plain folder. */
  readonly gitDir?: string;
}

interface Deps {
  readonly git: GitCommand;
  readonly home: string | undefined;
  readonly dataDir: string;
}

export async function probeProject(deps: Deps, path: string): Promise<ProbedProject> {
  await deps.git.assertUsable();
  const folder = await realFolder(path);
  const found = await findRepository(deps.git, folder);
  const root = found?.root ?? folder;
  await assertAllowed(deps, folder);
  await assertAllowed(deps, root);
  if (found === null) return { inspection: { root, kind: "plain", warnings: [] } };
  const inspection = await describe(deps.git, found);
  const inner =
    folder === root ? [] : [`${folder} is a folder of a repository: the project is the whole of it, ${root}`];
  return {
    inspection: { ...inspection, warnings: [...inner, ...inspection.warnings] },
    gitDir: found.gitDir,
  };
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

interface Repository {
  readonly root: string;
  readonly gitDir: string;
  readonly shallow: boolean;
  readonly foreign: boolean;
}

async function findRepository(git: GitCommand, folder: string): Promise<Repository | null> {
  const ask = (trusted?: string) =>
    git.run({
      // The last one fails where there is no work tree; what stands before it is answered all the same.
      args: [
        "rev-parse",
        "--is-bare-repository",
        "--is-inside-git-dir",
        "--absolute-git-dir",
        "--is-shallow-repository",
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
  const lines = answer.stdout.toString("utf8").replace(/\n$/, "").split("\n");
  const [bare, insideGitDir, gitDir, shallow] = lines;
  // The path is the last answer and may itself hold line breaks.
  const top = lines.slice(4).join("\n");
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
  if (insideGitDir === "true" || gitDir === undefined)
    throw new WorkspaceError("FORBIDDEN_PATH", `${folder} is inside a .git directory`, "name the work tree");
  return { root: await realpath(top), gitDir, shallow: shallow === "true", foreign: trusted !== undefined };
}

async function nearestRepository(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await lstatOrNull(join(at, ".git"))) !== null) return at;
    if (at === dirname(at)) return folder;
  }
}

async function describe(git: GitCommand, repository: Repository): Promise<ProjectInspection> {
  const { root, gitDir } = repository;
  const env = { ...git.userEnvironment(), GIT_DIR: gitDir, GIT_WORK_TREE: root };
  const ask = async (...args: string[]) => {
    const answer = await git.run({ args, cwd: root, env, accept: [0, 1, 128] });
    return answer.code === 0 ? answer.stdout.toString("utf8").trim() : "";
  };
  const [branch, head, sparse, staged, attributes] = await Promise.all([
    ask("symbolic-ref", "-q", "--short", "HEAD"),
    ask("rev-parse", "-q", "--verify", "HEAD^{commit}"),
    isSparse(gitDir, () => ask("config", "--type=bool", "core.sparseCheckout")),
    ask("ls-files", "-s", "-z"),
    readFile(join(root, ".gitattributes"), "utf8").catch(() => ""),
  ]);
  const submodules = staged.split("\0").filter((record) => record.startsWith("160000 ")).length;
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
    ...(head === "" ? {} : { head }),
    warnings: warnings.filter(Boolean),
  };
}

/** Git is asked only where somebody has said which part of the tree is wanted. */
async function isSparse(gitDir: string, configured: () => Promise<string>): Promise<boolean> {
  if ((await lstatOrNull(join(gitDir, "info", "sparse-checkout"))) === null) return false;
  return (await configured()) === "true";
}

/** The user's own ignore rules that are not in the tree, weakest first: what git reads as excludesFile, then info/exclude. */
export async function ownIgnoreRules(
  git: GitCommand,
  place: { readonly root: string; readonly gitDir: string },
  home: string | undefined,
  configHome: string | undefined,
): Promise<string> {
  const env = { ...git.userEnvironment(), GIT_DIR: place.gitDir, GIT_WORK_TREE: place.root };
  const ask = async (...args: string[]) =>
    (await git.run({ args, cwd: place.root, env, accept: [0, 1] })).stdout
      .toString("utf8")
      .replace(/\n$/, "");
  const [configured, exclude] = await Promise.all([
    ask("config", "--type=path", "--get", "core.excludesFile"),
    ask("rev-parse", "--path-format=absolute", "--git-path", "info/exclude"),
  ]);
  const base = configHome || (home === undefined ? "" : join(home, ".config"));
  const usual = base === "" ? "" : join(base, "git", "ignore");
  const read = async (path: string) => (path === "" ? "" : await readFile(path, "utf8").catch(() => ""));
  return `${await read(configured || usual)}\n${await read(exclude)}\n`;
}
