import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { WorkspaceError } from "@cleveragents/application";
import { gitFailure, storageFailure } from "./workspace-failure.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface GitRequest {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Complete: nothing is inherited. Made by {@link GitCommand.userEnvironment} or `privateEnvironment`. */
  readonly env: Record<string, string>;
  readonly input?: string | Buffer;
  readonly signal?: AbortSignal | undefined;
  /** Exit codes that are answers rather than failures; 0 alone unless given. */
  readonly accept?: readonly number[];
}

export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const OLDEST = [2, 38] as const;

/** In force for every call: nothing that a repository configures may run, ask, or change how paths are printed. */
const HARDENED = [
  "--no-pager",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.quotepath=off",
  "-c",
  "core.untrackedCache=keep",
  "-c",
  "core.sshCommand=false",
  "-c",
  "credential.helper=",
  "-c",
  "protocol.allow=never",
  "-c",
  "commit.gpgSign=false",
];

const COMMON = {
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_ASKPASS: "/bin/false",
  GIT_AUTHOR_NAME: "CleverAgents",
  GIT_AUTHOR_EMAIL: "agents@localhost",
  GIT_COMMITTER_NAME: "CleverAgents",
  GIT_COMMITTER_EMAIL: "agents@localhost",
};

/**
 * Binaries that were new enough, by file: what a file is does not depend on who asks, and starting one to hear it again for
 * each workspace takes as long as the work.
 */
const usableBinaries = new Set<string>();

/** Runs the git binary: asynchronously, hardened, with an environment that holds only what we put there. */
export class GitCommand {
  readonly #binary: string;
  readonly #inherited: Environment;
  #usable: Promise<void> | undefined;

  constructor(deps: { readonly git?: string | undefined; readonly env: Environment }) {
    this.#binary = deps.git ?? "git";
    this.#inherited = deps.env;
  }

  /** For questions to the user's repository: their configuration counts (ignore rules), inherited GIT_* do not. */
  userEnvironment(trusted?: string): Record<string, string> {
    const env: Record<string, string> = {};
    for (const [name, value] of Object.entries(this.#inherited))
      if (value !== undefined && !name.startsWith("GIT_")) env[name] = value;
    Object.assign(env, COMMON);
    if (trusted !== undefined)
      Object.assign(env, {
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "safe.directory",
        GIT_CONFIG_VALUE_0: trusted,
      });
    return env;
  }

  /** For our own stores: no configuration but the store's, no attributes but the store's. */
  privateEnvironment(): Record<string, string> {
    const keep = ["PATH", "TMPDIR", "LD_LIBRARY_PATH", "SYSTEMROOT"];
    const env: Record<string, string> = {};
    for (const name of keep) {
      const value = this.#inherited[name];
      if (value !== undefined) env[name] = value;
    }
    return {
      ...env,
      ...COMMON,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_ATTR_NOSYSTEM: "1",
    };
  }

  /** Throws GIT_MISSING or GIT_TOO_OLD. Only success is remembered, so that installing git needs no restart. */
  async assertUsable(): Promise<void> {
    this.#usable ??= this.#probe();
    try {
      await this.#usable;
    } catch (error) {
      this.#usable = undefined;
      throw error;
    }
  }

  async #probe(): Promise<void> {
    const identity = await this.#identity();
    if (identity !== undefined && usableBinaries.has(identity)) return;
    const answer = await this.run({ args: ["version"], cwd: "/", env: this.privateEnvironment() });
    const text = answer.stdout.toString("utf8").trim();
    const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
    const known = major !== undefined && minor !== undefined;
    if (!known || Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]))
      throw new WorkspaceError(
        "GIT_TOO_OLD",
        `${text || "git of unknown version"} is too old`,
        `install git ${OLDEST.join(".")} or later`,
      );
    if (identity !== undefined) usableBinaries.add(identity);
  }

  /** Which file would be started: one that is replaced is another. */
  async #identity(): Promise<string | undefined> {
    const folders = this.#binary.includes("/") ? [""] : (this.#inherited["PATH"] ?? "").split(":");
    for (const folder of folders) {
      const path = folder === "" ? this.#binary : join(folder, this.#binary);
      const found = await stat(path).catch(() => null);
      if (found?.isFile() && (found.mode & 0o111) !== 0)
        return `${path} ${found.dev} ${found.ino} ${found.size} ${found.mtimeMs}`;
    }
    return undefined;
  }

  /** Runs to the end. An exit code that is not accepted is a WorkspaceError; an abort rejects with its reason. */
  async run(request: GitRequest): Promise<GitAnswer> {
    request.signal?.throwIfAborted();
    const child = this.start(request);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    const stop = () => child.kill("SIGKILL");
    request.signal?.addEventListener("abort", stop, { once: true });
    try {
      const ended = exitOf(child, request.cwd);
      // A child that ends early closes its input; its exit code says why.
      child.stdin.on("error", () => {});
      child.stdin.end(request.input ?? "");
      const code = await ended;
      request.signal?.throwIfAborted();
      const answer = { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString("utf8") };
      if (!(request.accept ?? [0]).includes(code)) throw gitFailure(request.args, code, answer.stderr);
      return answer;
    } finally {
      request.signal?.removeEventListener("abort", stop);
    }
  }

  /** For conversations (`cat-file --batch`); the caller ends the child and reads {@link exitOf}. */
  start(request: Pick<GitRequest, "args" | "cwd" | "env">): ChildProcessWithoutNullStreams {
    const child = spawn(this.#binary, [...HARDENED, ...request.args], {
      cwd: request.cwd,
      env: request.env,
      stdio: ["pipe", "pipe", "pipe"],
    });
    // Without file handles there are no pipes, whatever the types say; the event that says why would end the process.
    if (child.stdin === undefined) {
      child.once("error", () => {});
      throw Object.assign(new Error("git was given no pipes"), { code: "EMFILE" });
    }
    return child;
  }
}

/** The exit code, once all output has been read. A binary that cannot be started is GIT_MISSING. */
export function exitOf(child: ChildProcessWithoutNullStreams, cwd: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT" && error.code !== "EACCES") return reject(storageFailure(error));
      // Node says the same when the folder to run in is gone.
      if (!existsSync(cwd)) return reject(new WorkspaceError("PATH_NOT_FOUND", `${cwd} does not exist`));
      reject(
        new WorkspaceError(
          "GIT_MISSING",
          "git cannot be started",
          "install git 2.38 or later and put it on the PATH",
          {
            cause: error,
          },
        ),
      );
    });
    child.once("close", (code, signal) => resolve(code ?? (signal === null ? 1 : 137)));
  });
}
