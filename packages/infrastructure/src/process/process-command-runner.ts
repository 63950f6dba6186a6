import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { realpath } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CommandNotStartedError,
  type CommandRequest,
  type CommandResult,
  type CommandRunner,
  type EnforcedIsolation,
} from "@cleveragents/application";
import type { PlanEnvironment } from "@cleveragents/domain";
import { CappedText } from "./capped-text.ts";
import type { CommandGroups } from "./command-groups.ts";
import type { CommandLauncher, Ended, LaunchedCommand, ProcessTree } from "./command-launcher.ts";
import type { CommandLedger } from "./command-ledger.ts";
import { DEFAULT_LIMITS, LimitWords } from "./command-limits.ts";
import { DependencyCopies } from "./dependency-copies.ts";
import { drained } from "./drained.ts";
import { PlainLauncher } from "./plain-launcher.ts";
import { SecretRedactor, secretsOf } from "./secret-redactor.ts";
import {
  type ServerProcess,
  type ServerRequest,
  type ServerStarter,
  serverProcess,
} from "./server-process.ts";
import { workingDirectory } from "./working-directory.ts";

const MAX_OUTPUT_BYTES = 64 * 1024;
/** setTimeout takes no more; longer ones would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** How long the exit of a killed leader is awaited; one that hangs in the kernel is given up. */
const KILLED_MS = 5000;
const NO_GROUPS = "nothing limits the memory of a whole command";
/** How often the processes of a command are counted; a short one is never. */
const COUNT_MS = 500;

export interface ProcessCommandRunnerDeps {
  /** The host's environment; commands see an allow-list of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Used where its probe says that it works; without one commands are plain processes. */
  readonly isolation?: CommandLauncher;
  /** For commands that ask for an environment of their own; without it they do not run. */
  readonly environments?: CommandLauncher;
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
  /** Told what runs, so that a successor of this process can end it. */
  readonly ledger?: Pick<CommandLedger, "began" | "ended">;
  /** What limits a whole command; without one its processes are counted, and each of them is limited. */
  readonly groups?: CommandGroups;
  /** Bytes of dependency folders that are copied where a copy takes room of its own. */
  readonly copyAtMost?: number | undefined;
  /** Sees to it that a command finds a repository in a copy of one; never fails. */
  readonly repositories?: {
    prepare(root: string, projectRoot: string, signal: AbortSignal): Promise<void>;
  };
}

/**
 * Supervises commands: time-outs, cancellation, capped output, and that nobody of a command's tree is left when it is
 * over, whichever way. How much a command can do meanwhile is its launcher's to say: the isolating one where it works,
 * else a plain process.
 */
export class ProcessCommandRunner implements CommandRunner, ServerStarter {
  readonly #env: ProcessCommandRunnerDeps["env"];
  readonly #plain: CommandLauncher;
  readonly #isolation: CommandLauncher | undefined;
  readonly #environments: CommandLauncher | undefined;
  readonly #graceMs: number;
  readonly #ledger: ProcessCommandRunnerDeps["ledger"];
  readonly #repositories: ProcessCommandRunnerDeps["repositories"];
  readonly #copies: DependencyCopies;
  readonly #limits: LimitWords;
  readonly #groups: CommandGroups | undefined;

  constructor(deps: ProcessCommandRunnerDeps) {
    this.#env = deps.env;
    this.#limits = new LimitWords();
    this.#groups = deps.groups;
    this.#plain = new PlainLauncher({ env: deps.env, limits: this.#limits });
    this.#isolation = deps.isolation;
    this.#environments = deps.environments;
    this.#graceMs = deps.graceMs ?? 2000;
    this.#ledger = deps.ledger;
    this.#repositories = deps.repositories;
    this.#copies = new DependencyCopies({ env: deps.env, atMost: deps.copyAtMost });
  }

  async probe(environment?: PlanEnvironment): Promise<EnforcedIsolation> {
    if (environment !== undefined) return this.#environmentsOf().probe();
    const limits = await this.#limitsInWords();
    const isolated = await this.#isolation?.probe();
    if (isolated !== undefined && isolated.level !== "none") return { ...isolated, limits };
    const plain = await this.#plain.probe();
    return { ...plain, why: isolated === undefined ? plain.why : `${isolated.why}; ${plain.why}`, limits };
  }

  async #limitsInWords(): Promise<string> {
    const each = (await this.#limits.available())
      ? "memory, open files and sizes of files of each process are limited by prlimit"
      : "no process is limited by itself: prlimit is not installed";
    return `${(await this.#groups?.holds()) ?? NO_GROUPS}; ${each}`;
  }

  async run(request: CommandRequest): Promise<CommandResult> {
    const cwd = await workingDirectory(request.root, request.cwd);
    const launcher = await this.#launcher(request);
    await this.#prepare(launcher, { ...request, root: await realpath(request.root) });
    if (request.signal.aborted) throw new CommandNotStartedError("it was cancelled before it was started");
    const startedAt = performance.now();
    const mark = randomUUID();
    const redact = () => new SecretRedactor(secretsOf(this.#env, request.env ?? {}));
    // An environment of its own has limits of its own.
    const group = launcher === this.#environments ? undefined : await this.#groups?.open(request.limits);
    let pid: number | undefined;
    const began = (started: number): void => {
      pid = started;
      this.#ledger?.began(started, request.root, mark);
    };
    try {
      const before = group?.before ?? [];
      const launched = await launcher.launch({ ...request, directory: cwd, began, mark, before });
      const { child, ownWords } = launched;
      const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
      const stdout = collect(child, "stdout", redact(), request.onOutput);
      const stderr = collect(child, "stderr", redact(), request.onOutput, ownWords);
      const { ended, first } = await this.#finish(launched, request);
      const timedOut = first === "timeout";
      const cancelled = first === "cancelled";
      const breach = first === undefined ? await group?.breach() : undefined;
      await group?.end();
      await drained(child, closed);
      // Before the rest of the output is told: it may be the launcher's and not the command's.
      const outcome = await launched.outcome(ended, first !== undefined || breach !== undefined);
      const limit = first === "processes" ? first : breach;
      return {
        ...outcome,
        timedOut,
        cancelled,
        ...(limit === undefined ? {} : { limit }),
        stdout: stdout(),
        stderr: stderr(),
        durationMs: Math.round(performance.now() - startedAt),
      };
    } finally {
      await group?.end();
      if (pid !== undefined) this.#ledger?.ended(pid);
    }
  }

  /** Like {@link run}, for a program that goes on until it is stopped. Its output is whoever's who asked for it. */
  async open(asked: ServerRequest): Promise<ServerProcess> {
    const request: CommandRequest = { ...asked, timeoutMs: MAX_TIMEOUT_MS };
    const cwd = await workingDirectory(request.root, request.cwd);
    const launcher = asked.confined ? await this.#launcher(request) : this.#plain;
    if (asked.confined) await this.#prepare(launcher, { ...request, root: await realpath(request.root) });
    if (request.signal.aborted) throw new CommandNotStartedError("it was cancelled before it was started");
    const group = await this.#groups?.open(request.limits);
    let pid: number | undefined;
    const over = async (): Promise<void> => {
      await group?.end();
      if (pid !== undefined) this.#ledger?.ended(pid);
    };
    const mark = randomUUID();
    const began = (started: number): void => {
      pid = started;
      this.#ledger?.began(started, request.root, mark);
    };
    try {
      const before = group?.before ?? [];
      const launched = await launcher.launch({
        ...{ ...request, directory: cwd, began, mark, before },
        stdin: "pipe",
        ...(asked.readable === undefined ? {} : { readable: asked.readable }),
      });
      return serverProcess(launched, (await launcher.probe()).level, over);
    } catch (error) {
      await over();
      throw error;
    }
  }

  async #launcher({ environment }: CommandRequest): Promise<CommandLauncher> {
    if (environment !== undefined) return this.#environmentsOf();
    const isolated = (await this.#isolation?.probe())?.level ?? "none";
    return isolated === "none" ? this.#plain : (this.#isolation as CommandLauncher);
  }

  #environmentsOf(): CommandLauncher {
    if (this.#environments !== undefined) return this.#environments;
    throw new CommandNotStartedError("this agent runs no commands in environments of their own");
  }

  /** Puts into the copy what commands find there and the project does not track. */
  async #prepare(launcher: CommandLauncher, request: CommandRequest): Promise<void> {
    if (request.signal.aborted || (launcher === this.#plain && request.readOnly === true)) return;
    await this.#repositories?.prepare(request.root, request.projectRoot, request.signal);
    if ((await launcher.showsDependencies?.()) === false)
      await this.#copies.prepare(request, launcher === this.#plain);
  }

  /** Waits until the command is over, and sees to it that nobody of its group is left. */
  async #finish(
    { child, tree }: LaunchedCommand,
    request: CommandRequest,
  ): Promise<{ ended: Ended; first: Stop | undefined }> {
    const exited = exitOf(child);
    const { promise: stopped, resolve: stop } = Promise.withResolvers<Stop>();
    const timer = setTimeout(() => stop("timeout"), Math.min(request.timeoutMs, MAX_TIMEOUT_MS));
    const counting = countAgainst(tree, request.limits?.processes ?? DEFAULT_LIMITS.processes, () =>
      stop("processes"),
    );
    const cancel = (): void => stop("cancelled");
    request.signal.addEventListener("abort", cancel, { once: true });
    if (request.signal.aborted) cancel();
    try {
      const first = await Promise.race([exited, stopped]);
      if (typeof first === "object") {
        await tree.kill();
        return { ended: first, first: undefined };
      }
      await (first === "processes" ? tree.kill() : tree.end(this.#graceMs));
      const hung: Ended = { exitCode: null, signal: "SIGKILL" };
      const ended = await Promise.race([exited, sleep(KILLED_MS, hung, { ref: false })]);
      return { ended, first };
    } finally {
      clearTimeout(timer);
      counting();
      request.signal.removeEventListener("abort", cancel);
    }
  }
}

/** Why we end a command. */
type Stop = "timeout" | "cancelled" | "processes";

/**
 * Counts a command's processes now and then, since the limit that the system has for them is of a user, and none for
 * root. Answers how to stop.
 */
function countAgainst(tree: ProcessTree, limit: number, beyond: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const again = (): void => {
    timer = setTimeout(async () => {
      const count = await tree.count(limit).catch(() => 0);
      if (stopped) return;
      if (count > limit) beyond();
      else again();
    }, COUNT_MS);
  };
  again();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

function exitOf(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

/** Gathers one stream; the answer gives what is there of it. Text that begins with `held` is told at the end only. */
function collect(
  child: ChildProcess,
  stream: "stdout" | "stderr",
  redactor: SecretRedactor,
  onOutput: CommandRequest["onOutput"],
  held?: string,
): () => string {
  const decoder = new StringDecoder("utf8");
  const text = new CappedText(MAX_OUTPUT_BYTES);
  const keep = (told: string): string => text.push(Buffer.from(told, "utf8"));
  let listener = onOutput;
  let first = true;
  let holding = false;
  const tell = (chunk: string): void => {
    if (chunk === "" || listener === undefined) return;
    try {
      listener(chunk, stream);
    } catch {
      listener = undefined; // who listens badly loses the stream, not the command its supervision
    }
  };
  child[stream]?.on("data", (chunk: Buffer) => {
    const told = keep(redactor.push(decoder.write(chunk)));
    if (told === "") return;
    if (first) holding = held !== undefined && told.startsWith(held);
    first = false;
    if (!holding) tell(told);
  });
  child[stream]?.on("error", () => undefined); // destroyed while being read
  return () => {
    const rest = keep(redactor.push(decoder.end()) + redactor.end()) + text.end();
    tell(holding ? text.text() : rest);
    return text.text();
  };
}
