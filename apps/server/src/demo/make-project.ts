import { execFile } from "node:child_process";
import { access, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Environment } from "../config.ts";
import { DEMO_FILES } from "./demo-files.ts";

/** Writes the project's files, and makes them a repository where git is there; a plain folder serves as well. */
export async function makeProject(folder: string, env: Environment): Promise<void> {
  for (const [path, content] of Object.entries(DEMO_FILES)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  if (
    await access(join(folder, ".git")).then(
      () => true,
      () => false,
    )
  )
    return;
  const run = promisify(execFile);
  const identity = [
    "-c",
    "user.name=Demo",
    "-c",
    "user.email=demo@localhost",
    "-c",
    "commit.gpgsign=false",
    "-c",
    "core.hooksPath=/dev/null",
  ];
  const options = {
    cwd: folder,
    env: { ...env, GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined },
  };
  try {
    await run("git", ["init", "-q", "-b", "main"], options);
    await run("git", ["add", "-A"], options);
    await run("git", [...identity, "commit", "-q", "-m", "A greeter"], options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
