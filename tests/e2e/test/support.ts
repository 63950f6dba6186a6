import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** The programs as a build leaves them; `npm test` builds first. */
export const AGENTS = join(root, "packages/cli/bin/agents.mjs");
export const SERVER = join(root, "apps/server/bin/cleveragents-server.mjs");

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of its own for one test: a home, a data directory, and what is started in it ends with it. */
export class Place implements AsyncDisposable {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), "agents-e2e-")));
  readonly dataDir = join(this.dir, ".cleveragents");
  readonly #children: ChildProcess[] = [];
  readonly env: Record<string, string>;

  constructor(env: Record<string, string> = {}) {
    const { PATH = "", NODE_COMPILE_CACHE } = process.env;
    this.env = {
      PATH,
      HOME: join(this.dir, "home"),
      LANG: "C.UTF-8",
      TMPDIR: join(this.dir, "tmp"),
      // Each place has a TMPDIR of its own, where every program would be compiled anew.
      ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
      CLEVERAGENTS_IDLE_SECONDS: "2",
      NO_COLOR: "1",
      ...env,
    };
    for (const folder of ["home", "tmp"]) mkdirSync(join(this.dir, folder));
  }

  /** Runs `agents` to its end. */
  agents(
    args: readonly string[],
    options: { readonly cwd?: string; readonly env?: Record<string, string> } = {},
  ): Promise<Ran> {
    return this.run(process.execPath, [AGENTS, ...args], options);
  }

  run(
    command: string,
    args: readonly string[],
    options: { readonly cwd?: string; readonly env?: Record<string, string> } = {},
  ): Promise<Ran> {
    const child = this.start(command, args, options);
    return finished(child);
  }

  start(
    command: string,
    args: readonly string[],
    {
      cwd = this.dir,
      env = {},
      detached = false,
    }: {
      readonly cwd?: string;
      readonly env?: Record<string, string>;
      /** In a process group of its own. */
      readonly detached?: boolean;
    } = {},
  ): ChildProcess {
    const child = spawn(command, args, {
      cwd,
      env: { ...this.env, ...env },
      stdio: ["pipe", "pipe", "pipe"],
      detached,
    });
    this.#children.push(child);
    return child;
  }

  /** Starts a server and waits for its ready line. */
  async server(
    args: readonly string[] = [],
    options: { readonly cwd?: string; readonly env?: Record<string, string> } = {},
  ): Promise<RunningServer> {
    return this.ready([SERVER, "start", "--port", String(await freePort()), ...args], options);
  }

  /** Starts a program that says at which address it is ready, and waits until it does. */
  async ready(
    args: readonly string[],
    options: { readonly cwd?: string; readonly env?: Record<string, string> } = {},
  ): Promise<RunningServer> {
    const child = this.start(process.execPath, args, options);
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    let errors = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    await until(() => {
      if (child.exitCode !== null) throw new Error(`the server ended: ${output}${errors}`);
      return output.includes("is ready at");
    }, 60_000);
    const url = /is ready at (\S+)/.exec(output)?.[1] ?? "";
    return {
      url,
      child,
      output: () => output,
      stop: async () => {
        const ended = finished(child);
        child.kill("SIGTERM");
        return (await ended).code;
      },
    };
  }

  discovery(dataDir = this.dataDir): {
    readonly pid: number;
    readonly socket: string;
    readonly token: string;
  } {
    return JSON.parse(readFileSync(join(dataDir, "owner.json"), "utf8")) as {
      pid: number;
      socket: string;
      token: string;
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) child.kill("SIGKILL");
    // Owners that were started in the background leave when their directory does.
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

export interface RunningServer {
  readonly url: string;
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly stop: () => Promise<number | null>;
}

export function finished(child: ChildProcess): Promise<Ran> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin?.end();
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));
}

export async function until(holds: () => boolean | Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export function git(cwd: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=T", "-c", "user.email=t@example.test", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8" });
}

/** A repository of a few hundred files, with a test command of its own and things to change. */
export function makeRepository(dir: string): string {
  const files: Record<string, string> = {
    "package.json": `${JSON.stringify({ name: "lib", version: "1.0.0", type: "module", scripts: { test: "node --test" } }, null, 2)}\n`,
    "src/index.js": 'export { total } from "./total.js";\nexport const NAME = "lib";\n',
    "src/total.js":
      "export function total(items) {\n  return items.reduce((sum, item) => sum + item, 0);\n}\n",
    "test/total.test.js":
      'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { NAME, total } from "../src/index.js";\ntest("adds", () => assert.equal(total([1, 2]), 3));\ntest("is named", () => assert.equal(NAME, process.env.EXPECTED_NAME ?? NAME));\n',
    "scripts/run.sh": "#!/bin/sh\necho run\n",
    "docs/old.md": "old\n",
    "docs/names ü.md": "names\n",
    ".gitignore": "ignored/\n",
  };
  for (let n = 0; n < 300; n++) files[`data/${n % 10}/item-${n}.txt`] = `item ${n}\n${"x".repeat(n)}\n`;
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  chmodSync(join(dir, "scripts/run.sh"), 0o644);
  git(dir, "init", "-q", "-b", "main");
  git(dir, "add", "-A");
  git(dir, "commit", "-q", "-m", "start");
  // A dirty tree: something staged, something not, something untracked, something ignored.
  writeFileSync(join(dir, "data/0/item-0.txt"), "staged\n");
  git(dir, "add", "data/0/item-0.txt");
  writeFileSync(join(dir, "data/1/item-1.txt"), "not staged\n");
  writeFileSync(join(dir, "notes.txt"), "mine\n");
  mkdirSync(join(dir, "ignored"));
  writeFileSync(join(dir, "ignored/out.bin"), "built\n");
  return dir;
}

/** The main job: several files edited, one created, deleted, renamed, a mode, a binary, the project's own tests. */
export const MAIN_JOB = `name: rename-lib
description: Rename the library
definition_of_done: It has its new name everywhere and its tests pass
arguments:
  - { name: to, required: true }
script:
  decisions:
    - id: style
      question: How is {{ args.to }} written?
      alternatives: [{ id: lower }, { id: as_given }]
      choose:
        - { when: 'args.to.matches("^[a-z]+$")', choice: lower, confidence: 0.9 }
        - { choice: as_given, confidence: 0.6 }
  steps:
    - edit: { path: package.json, find: '"lib"', replace: '"{{ args.to }}"' }
    - edit: { path: src/index.js, find: '"lib"', replace: '"{{ args.to }}"' }
    - write: { path: src/new file.js, content: "export const added = '$& $1';\\n" }
    - delete: { path: docs/old.md }
    - rename: { from: "docs/names ü.md", to: "docs/renamed ü.md" }
    - chmod: { path: scripts/run.sh, mode: "755" }
    - write: { path: logo.bin, content: AAECAwT/, encoding: base64 }
    - name: shell
      run: { command: "printf 'from a shell\\n' > shell.txt && rm data/9/item-9.txt" }
    - name: tests
      run: { command: npm test, env: { EXPECTED_NAME: "{{ args.to }}" } }
`;
