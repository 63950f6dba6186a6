import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CommandNotStartedError,
  type CommandRequest,
  type CommandResult,
  type CommandRunner,
} from "@cleveragents/application";
import type { EnforcementLevel } from "@cleveragents/domain";
import { CappedText } from "./capped-text.ts";
import type { CommandLauncher, Ended, LaunchedCommand, ProcessTree } from "./command-launcher.ts";
import type { CommandLedger } from "./command-ledger.ts";
import { DEFAULT_LIMITS, LimitWords } from "./command-limits.ts";
import { drained } from "./drained.ts";
import { PlainLauncher } from "./plain-launcher.ts";
import { SecretRedactor, secretsOf } from "./secret-redactor.ts";
import { workingDirectory } from "./working-directory.ts";

const MAX_OUTPUT_BYTES = 64 * 1024;
/** setTimeout takes no more; longer ones would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** How long the exit of a killed leader is awaited; one that hangs in the kernel is given up. */
const KILLED_MS = 5000;
/** How often the processes of a command are counted; a short one is never. */
const COUNT_MS = 500;

export interface ProcessCommandRunnerDeps {
  /** The host's environment; commands see an allow-list of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Used where its probe says that it works; without one commands are plain processes. */
  readonly isolation?: CommandLauncher;
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
  /** Told what runs, so that a successor of this process can end it. */
  readonly ledger?: Pick<CommandLedger, "began" | "ended">;
}

/**
 * Supervises commands: time-outs, cancellation, capped output, and that nobody of a command's tree is left when it is
 * over, whichever way. How much a command can do meanwhile is its launcher's to say: the isolating one where it works,
 * else a plain process.
 */
export class ProcessCommandRunner implements CommandRunner {
  readonly #env: ProcessCommandRunnerDeps["env"];
  readonly #plain: CommandLauncher;
  readonly #isolation: CommandLauncher | undefined;
  readonly #graceMs: number;
  readonly #ledger: ProcessCommandRunnerDeps["ledger"];

  constructor(deps: ProcessCommandRunnerDeps) {
    this.#env = deps.env;
    this.#plain = new PlainLauncher({ env: deps.env, limits: new LimitWords() });
    this.#isolation = deps.isolation;
    this.#graceMs = deps.graceMs ?? 2000;
    this.#ledger = deps.ledger;
  }

  async probe(): Promise<{ readonly level: EnforcementLevel; readonly why: string }> {
    const isolated = await this.#isolation?.probe();
    if (isolated === undefined || isolated.level !== "none") return isolated ?? this.#plain.probe();
    return { level: "none", why: `${isolated.why}; ${(await this.#plain.probe()).why}` };
  }

  async run(request: CommandRequest): Promise<CommandResult> {
    const cwd = await workingDirectory(request.root, request.cwd);
    if (request.signal.aborted) throw new CommandNotStartedError("it was cancelled before it was started");
    const startedAt = performance.now();
    const launcher = await this.#launcher();
    const mark = randomUUID();
    const redact = () => new SecretRedactor(secretsOf(this.#env, request.env ?? {}));
    let pid: number | undefined;
    const began = (started: number): void => {
      pid = started;
      this.#ledger?.began(started, request.root, mark);
    };
    try {
      const launched = await launcher.launch({ ...request, directory: cwd, began, mark });
      const { child, ownWords } = launched;
      const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
      const stdout = collect(child, "stdout", redact(), request.onOutput);
      const stderr = collect(child, "stderr", redact(), request.onOutput, ownWords);
      const { ended, first } = await this.#finish(launched, request);
      const timedOut = first === "timeout";
      const cancelled = first === "cancelled";
      await drained(child, closed);
      // Before the rest of the output is told: it may be the launcher's and not the command's.
      const outcome = await launched.outcome(ended, first !== undefined);
      return {
        ...outcome,
        timedOut,
        cancelled,
        ...(first === "processes" ? { limit: first } : {}),
        stdout: stdout(),
        stderr: stderr(),
        durationMs: Math.round(performance.now() - startedAt),
      };
    } finally {
      if (pid !== undefined) this.#ledger?.ended(pid);
    }
  }

  async #launcher(): Promise<CommandLauncher> {
    const isolated = (await this.#isolation?.probe())?.level ?? "none";
    return isolated === "none" ? this.#plain : (this.#isolation as CommandLauncher);
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
