import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox } from "@cleveragents/application";
import { GitWorkspace, type GitWorkspaceDeps } from "../src/git/index.ts";

export const never: AbortSignal = new AbortController().signal;
export const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A directory of its own, gone at the end of the block. */
export function temporary(): Disposable & { readonly path: string } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "git-workspace-")));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** The environment of a user without any configuration of git. */
export function userEnv(home: string): Record<string, string> {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  const compiled = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
  return { PATH, HOME: home, GIT_CONFIG_NOSYSTEM: "1", ...compiled };
}

/** What a user would type in `cwd`. */
export function git(cwd: string, ...args: string[]): string {
  const identity = [
    "-c",
    "user.name=u",
    "-c",
    "user.email=u@localhost",
    "-c",
    "protocol.file.allow=always",
    "-c",
    "core.protectNTFS=false",
  ];
  return execFileSync("git", [...identity, ...args], {
    cwd,
    env: userEnv(join(cwd, "..")),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

export interface Fixture extends AsyncDisposable {
  /** Holds the home, the data directory and the project. */
  readonly base: string;
  readonly project: string;
  readonly dataDir: string;
  readonly workspace: GitWorkspace;
  again(deps?: Partial<GitWorkspaceDeps>): GitWorkspace;
  create(planId?: string): Promise<Sandbox>;
  apply(sandbox: Sandbox, workspace?: GitWorkspace): Promise<{ written: number; deleted: number }>;
}

export type Files = Readonly<Record<string, string | Buffer>>;

const ONE_FILE: Files = { "a.txt": "one\n" };

/** What git made of the same files before: starting it three times is longer than many a test. */
const repositories = new WeakMap<Files, readonly RepositoryEntry[]>();

/** A path below the project; a directory has no content. */
interface RepositoryEntry {
  readonly path: string;
  readonly mode: number;
  readonly content?: Buffer;
}

function commitAll(project: string, files: Files): void {
  const known = repositories.get(files);
  for (const { path, mode, content } of known ?? []) {
    if (content === undefined) mkdirSync(join(project, path), { mode });
    else writeFileSync(join(project, path), content, { mode });
  }
  if (known !== undefined) return;
  git(project, "init", "-q", "-b", "main");
  git(project, "add", "-A");
  git(project, "commit", "-q", "--allow-empty", "-m", "start");
  repositories.set(files, entriesOf(project, ".git"));
}

/** A directory and everything below it, parents first. */
function entriesOf(root: string, path: string): RepositoryEntry[] {
  const { mode } = lstatSync(join(root, path));
  const below = readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) return entriesOf(root, inner);
    return [
      { path: inner, mode: lstatSync(join(root, inner)).mode, content: readFileSync(join(root, inner)) },
    ];
  });
  return [{ path, mode }, ...below];
}

/** A project with these files; `git`: committed in a new repository. */
export function fixture(options: {
  git: boolean;
  files?: Files;
  dataDir?: string;
  env?: Record<string, string>;
}): Fixture {
  const place = temporary();
  const project = join(place.path, "project");
  const { files = ONE_FILE } = options;
  mkdirSync(project);
  write(project, files);
  if (options.git) commitAll(project, files);
  const dataDir = options.dataDir === undefined ? join(place.path, "data") : join(project, options.dataDir);
  const env = { ...userEnv(place.path), ...options.env };
  const again = (deps: Partial<GitWorkspaceDeps> = {}) =>
    new GitWorkspace({ dataDir, env, logger: silent, clock: { now: () => 0 }, ...deps });
  const workspace = again();
  return {
    base: place.path,
    project,
    dataDir,
    workspace,
    again,
    create: (planId = "PLAN") => workspace.create(planId, project, never),
    apply: async (sandbox, by = workspace) => {
      const compared = await sandbox.compare();
      return await by.apply(sandbox, { planId: "PLAN", digest: compared.digest, toTree: compared.to });
    },
    [Symbol.asyncDispose]: async () => place[Symbol.dispose](),
  };
}

export function write(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** Every file below, less `.git` at the root: mode and bytes. Empty directories do not count, as for git. */
export function treeOf(root: string, skip: readonly string[] = [".git"]): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (directory: string) => {
    for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      if (skip.includes(path)) continue;
      if (entry.isDirectory()) visit(path);
      else if (entry.isSymbolicLink()) found[path] = `link ${readlinkSync(join(root, path))}`;
      else
        found[path] =
          `${(lstatSync(join(root, path)).mode & 0o100) === 0 ? "644" : "755"} ${readFileSync(join(root, path)).toString("base64")}`;
    }
  };
  visit("");
  return found;
}

/** The same as {@link treeOf} for names that may be any bytes, each byte a character (Latin-1). */
export function rawTreeOf(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (directory: Buffer, prefix: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true, encoding: "buffer" })) {
      const path = prefix + entry.name.toString("latin1");
      const full = Buffer.concat([directory, Buffer.from("/"), entry.name]);
      if (path === ".git") continue;
      if (entry.isDirectory()) visit(full, `${path}/`);
      else if (entry.isSymbolicLink())
        found[path] = `link ${readlinkSync(full, { encoding: "buffer" }).toString("latin1")}`;
      else if (entry.isFile())
        found[path] =
          `${(lstatSync(full).mode & 0o100) === 0 ? "644" : "755"} ${readFileSync(full).toString("base64")}`;
    }
  };
  visit(Buffer.from(root), "");
  return found;
}

/** Everything of the user's that only they may change. */
export function userState(project: string): Record<string, unknown> {
  const index = join(project, ".git/index");
  const bytes = (path: string) => readFileSync(path).toString("base64");
  return {
    index: bytes(index),
    indexTime: lstatSync(index).mtimeMs,
    head: bytes(join(project, ".git/HEAD")),
    config: bytes(join(project, ".git/config")),
    refs: git(project, "for-each-ref"),
    stash: git(project, "stash", "list"),
    worktrees: git(project, "worktree", "list"),
    status: git(project, "--no-optional-locks", "status", "--porcelain"),
    files: treeOf(project),
  };
}

/** A git that behaves in a special way: a shell script in front of the real one. */
export function scriptedGit(directory: string, script: string): string {
  const path = join(directory, "scripted-git");
  writeFileSync(path, `#!/bin/sh\n${script}\nexec git "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}
