import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Fixed, so that the same files always make the same commit. */
const ENVIRONMENT = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
};

/** Files of the project, as they are committed. */
export const PROJECT_FILES = {
  "README.md": "# Demo\n\nSays hello.\n",
  "src/greeting.txt": "Hello, world!\n",
  "src/farewell.txt": "Good bye.\n",
  "docs/old-name.md": "This page has a name that is too old.\nIts text stays as it is.\n",
  "obsolete.txt": "Nobody needs this.\n",
  "bin/greet.sh": "#!/bin/sh\ncat src/greeting.txt\n",
  "check.sh": "grep -q Hello src/greeting.txt && echo checked\n",
} as const;

/** A user's project in a directory of its own, removed with `await using`. */
export interface Repository extends AsyncDisposable {
  /** Real path. */
  readonly root: string;
  git(...args: readonly string[]): Promise<string>;
  read(path: string): Promise<Buffer>;
  write(path: string, content: string | Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
  /** What is in the working tree: path → mode and SHA-256 of the content. */
  tree(): Promise<Readonly<Record<string, string>>>;
  /** Everything of the repository's own that a user could notice: status, HEAD, index, stash, configuration. */
  state(): Promise<Readonly<Record<string, string>>>;
}

/** What git made of the files, by path: starting it is dear, so it is done once and written out again. */
let template: Promise<readonly TemplateFile[]> | undefined;

interface TemplateFile {
  readonly path: string;
  readonly mode: number;
  readonly content: Buffer;
}

/** A repository with one commit of these files; `plain` is a folder without one. */
export async function createRepository(kind: "git" | "plain" = "git"): Promise<Repository> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "cleveragents-project-")));
  template ??= makeTemplate();
  for (const { path, mode, content } of await template) {
    if (kind === "plain" && path.startsWith(".git/")) continue;
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content, { mode });
  }
  const git = (...args: readonly string[]) => gitIn(root, args);
  return {
    root,
    git,
    read: (path) => readFile(join(root, path)),
    async write(path, content) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    },
    remove: (path) => rm(join(root, path), { recursive: true }),
    tree: () => treeOf(root),
    async state() {
      return {
        status: await git("--no-optional-locks", "status", "--porcelain=v2", "--branch"),
        index: sha256(await readFile(join(root, ".git/index"))),
        stash: await git("stash", "list"),
        refs: await git("for-each-ref"),
        configuration: await readFile(join(root, ".git/config"), "utf8"),
      };
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

async function makeTemplate(): Promise<readonly TemplateFile[]> {
  const root = await mkdtemp(join(tmpdir(), "cleveragents-template-"));
  try {
    for (const [path, content] of Object.entries(PROJECT_FILES)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
    await chmod(join(root, "check.sh"), 0o755);
    await gitIn(root, ["init", "--quiet", "--initial-branch=main", "--template="]);
    await gitIn(root, ["add", "--all"]);
    await gitIn(root, ["commit", "--quiet", "--message=Begin"]);
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map(async (entry) => {
          const path = join(entry.parentPath, entry.name);
          return {
            path: relative(root, path),
            mode: (await lstat(path)).mode,
            content: await readFile(path),
          };
        }),
    );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function gitIn(root: string, args: readonly string[]): Promise<string> {
  const env = { ...ENVIRONMENT, PATH: process.env["PATH"] ?? "", HOME: root };
  return (await run("git", [...args], { cwd: root, env })).stdout;
}

/** Files below a directory, `.git` left out: path → mode and SHA-256 of the content. */
export async function treeOf(root: string, below = ""): Promise<Record<string, string>> {
  const entries: Record<string, string> = {};
  for (const name of (await readdir(join(root, below))).sort()) {
    const path = below === "" ? name : `${below}/${name}`;
    if (path === ".git") continue;
    const stat = await lstat(join(root, path));
    if (stat.isDirectory()) Object.assign(entries, await treeOf(root, path));
    else if (stat.isSymbolicLink()) entries[path] = `link ${await readlink(join(root, path))}`;
    else
      entries[path] =
        `${(stat.mode & 0o100) === 0 ? "644" : "755"} ${sha256(await readFile(join(root, path)))}`;
  }
  return entries;
}

export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
