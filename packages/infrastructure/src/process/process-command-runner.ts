import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CommandNotStartedError,
  type CommandRequest,
  type CommandResult,
  type CommandRunner,
} from "@cleveragents/application";
import { allowedEnvironment } from "./allowed-environment.ts";
import { CappedText } from "./capped-text.ts";
import type { CommandLedger } from "./command-ledger.ts";
import { drained } from "./drained.ts";
import { ProcessGroup } from "./process-group.ts";
import { workingDirectory } from "./working-directory.ts";

const MAX_OUTPUT_BYTES = 64 * 1024;
/** setTimeout takes no more; longer ones would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** How long the exit of a killed leader is awaited; one that hangs in the kernel is given up. */
const KILLED_MS = 5000;

export interface ProcessCommandRunnerDeps {
  /** The host's environment; commands see an allow-list of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
  /** Told what runs, so that a successor of this process can end it. */
  readonly ledger?: Pick<CommandLedger, "began" | "ended">;
}

interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/**
 * Commands as plain processes of this host, each the leader of a process group that is killed as a whole when the
 * command ends, whichever way. Nothing else is enforced: not where it writes, not the network, and not a descendant
 * that makes a session of its own.
 */
export class ProcessCommandRunner implements CommandRunner {
  readonly #env: ProcessCommandRunnerDeps["env"];
  readonly #graceMs: number;
  readonly #ledger: ProcessCommandRunnerDeps["ledger"];

  constructor(deps: ProcessCommandRunnerDeps) {
    this.#env = deps.env;
    this.#graceMs = deps.graceMs ?? 2000;
    this.#ledger = deps.ledger;
  }

  async probe(): Promise<{ readonly level: "none"; readonly why: string }> {
    return {
      level: "none",
      why: "commands run as ordinary processes of this host: only the paths of file tools are confined, and neither a command's writes nor its network are",
    };
  }

  async run(request: CommandRequest): Promise<CommandResult> {
    const cwd = await workingDirectory(request.root, request.cwd);
    if (request.signal.aborted) throw new CommandNotStartedError("it was cancelled before it was started");
    const startedAt = performance.now();
    const child = await start(request.command, cwd, await this.#environment(request), this.#ledger);
    const pid = child.pid as number; // it was spawned, so it has one
    const group = new ProcessGroup(pid);
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    const stdout = collect(child, "stdout", request.onOutput);
    const stderr = collect(child, "stderr", request.onOutput);

    const { ended, timedOut, cancelled } = await this.#finish(child, group, request);
    await drained(child, closed);
    this.#ledger?.ended(pid);
    return {
      ...ended,
      timedOut,
      cancelled,
      stdout: stdout(),
      stderr: stderr(),
      durationMs: Math.round(performance.now() - startedAt),
    };
  }

  /**
   * The copy has no repository of its own: without a ceiling git would climb to one that happens to lie around the
   * data directory, and a plan's `git add` would be the user's.
   */
  async #environment({ root, env }: CommandRequest): Promise<Record<string, string>> {
    return { ...allowedEnvironment(this.#env, env), GIT_CEILING_DIRECTORIES: dirname(await realpath(root)) };
  }

  /** Waits until the command is over, and sees to it that nobody of its group is left. */
  async #finish(
    child: ChildProcess,
    group: ProcessGroup,
    request: CommandRequest,
  ): Promise<{ ended: Ended; timedOut: boolean; cancelled: boolean }> {
    const exited = exitOf(child);
    const { promise: stopped, resolve: stop } = Promise.withResolvers<"timeout" | "cancelled">();
    const timer = setTimeout(() => stop("timeout"), Math.min(request.timeoutMs, MAX_TIMEOUT_MS));
    const cancel = (): void => stop("cancelled");
    request.signal.addEventListener("abort", cancel, { once: true });
    if (request.signal.aborted) cancel();
    try {
      const first = await Promise.race([exited, stopped]);
      if (typeof first === "object") {
        group.signal("SIGKILL");
        return { ended: first, timedOut: false, cancelled: false };
      }
      await group.end(this.#graceMs);
      const hung: Ended = { exitCode: null, signal: "SIGKILL" };
      const ended = await Promise.race([exited, sleep(KILLED_MS, hung, { ref: false })]);
      return { ended, timedOut: first === "timeout", cancelled: first === "cancelled" };
    } finally {
      clearTimeout(timer);
      request.signal.removeEventListener("abort", cancel);
    }
  }
}

function exitOf(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

/** Settles once the process is there. Output waits in its pipes until somebody listens. */
async function start(
  command: CommandRequest["command"],
  cwd: string,
  env: Record<string, string>,
  ledger: ProcessCommandRunnerDeps["ledger"],
): Promise<ChildProcess> {
  const [file, ...args] = typeof command === "string" ? ["/bin/sh", "-c", command] : command;
  if (file === undefined || file === "" || command === "")
    throw new CommandNotStartedError("the command is empty");
  try {
    const child = spawn(file, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    if (child.pid !== undefined) ledger?.began(child.pid);
    await once(child, "spawn");
    child.on("error", () => undefined); // of later signals, which are ours and may come too late
    return child;
  } catch (cause) {
    throw new CommandNotStartedError(whyNotStarted(file, (cause as NodeJS.ErrnoException).code), { cause });
  }
}

function whyNotStarted(file: string, code: string | undefined): string {
  if (code === "ENOENT") return `the command ${file} was not found`;
  if (code === "EACCES") return `the command ${file} may not be executed`;
  if (code === "E2BIG") return "the command is too long for the operating system";
  return `the command ${file} could not be started${code === undefined ? "" : ` (${code})`}`;
}

/** Gathers one stream; the answer gives what is there of it. */
function collect(
  child: ChildProcess,
  stream: "stdout" | "stderr",
  onOutput: CommandRequest["onOutput"],
): () => string {
  const text = new CappedText(MAX_OUTPUT_BYTES);
  let listener = onOutput;
  const tell = (chunk: string): void => {
    if (chunk === "" || listener === undefined) return;
    try {
      listener(chunk, stream);
    } catch {
      listener = undefined; // who listens badly loses the stream, not the command its supervision
    }
  };
  child[stream]?.on("data", (chunk: Buffer) => tell(text.push(chunk)));
  child[stream]?.on("error", () => undefined); // destroyed while being read
  return () => {
    tell(text.end());
    return text.text();
  };
}
