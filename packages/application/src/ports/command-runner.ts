import type { EnforcementLevel } from "@cleveragents/domain";

export interface CommandRequest {
  /** A string runs under `sh -c`; a list is run as it stands. */
  readonly command: string | readonly string[];
  /** Directory of the sandbox; the command can write nowhere else where the level enforces it. */
  readonly root: string;
  /** Where the command sees the sandbox, if the level can move it: the project's own path. */
  readonly projectRoot: string;
  /** Relative to the root. */
  readonly cwd?: string;
  /** Added to a small allow-list of the host's environment (PATH, HOME, LANG, TERM…). */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly network: boolean;
  readonly signal: AbortSignal;
  /** Called with output as it comes, both streams. */
  readonly onOutput?: (chunk: string, stream: "stdout" | "stderr") => void;
}

export interface CommandResult {
  /** Null when a signal ended it; where the runner hears of that from inside only, 128 and its number, as shells say. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  /** Head and tail of the output, at most 64 KiB a stream, with a line that says how much was cut. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

export class CommandNotStartedError extends Error {
  override readonly name = "CommandNotStartedError";
}

/** Runs commands of plans. The whole process tree ends with the command, its time-out or its cancellation. */
export interface CommandRunner {
  /** What this host can enforce; probed once. */
  probe(): Promise<{ readonly level: EnforcementLevel; readonly why: string }>;
  /** Throws {@link CommandNotStartedError} when nothing was started; every other outcome is a result. */
  run(request: CommandRequest): Promise<CommandResult>;
}
