import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environmentIn } from "./programs.ts";

/** An action that writes one file. */
export const TOUCH = `
name: touch
description: Writes one file
definition_of_done: the file is there
script:
  steps:
    - write: { path: touched.txt, content: "touched\\n" }
`;

export function git(cwd: string, home: string, ...args: readonly string[]): void {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  const ran = spawnSync("git", [...identity, ...args], {
    cwd,
    env: environmentIn(home),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (ran.status !== 0) throw new Error(`git ${args.join(" ")} failed: ${ran.error?.message ?? ran.stderr}`);
}

/** A repository with so many files of about a kilobyte, a hundred in a folder, committed. */
export function createRepository(root: string, home: string, files: number): void {
  for (let n = 0; n < files; n++) {
    const folder = join(root, `folder-${Math.floor(n / 100)}`);
    if (n % 100 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `file-${n}.txt`),
      `${n}\n${"All work and no play makes Jack a dull boy.\n".repeat(22)}`,
    );
  }
  git(root, home, "init", "--quiet", "--initial-branch=main");
  git(root, home, "add", "--all");
  git(root, home, "commit", "--quiet", "--message=Begin");
}
