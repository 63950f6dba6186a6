import type { EnforcementLevel, PlanEnvironment } from "@cleveragents/domain";
import type { CommandEnvironment } from "./command-environments.ts";
import type { HeldSize } from "./workspace.ts";

/** What a command may use; what is absent is the runner's default. All but `processes` are of each process. */
export interface CommandLimits {
  /** That it can write to; address space that is only reserved does not count. */
  readonly memoryMiB?: number;
  /** At a time, in the whole tree. */
  readonly processes?: number;
  readonly openFiles?: number;
  readonly cpuSeconds?: number;
  /** Of each file that it writes. */
  readonly fileSizeMiB?: number;
}

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
  /** The command must not change the sandbox. Where the level cannot see to it nothing is started. */
  readonly readOnly?: boolean;
  readonly limits?: CommandLimits;
  /** Where it runs instead of on the host; nowhere else, if it cannot run there. */
  readonly environment?: CommandEnvironment;
  /** Names of folders that the project ignores and the command needs, in place of the usual ones. */
  readonly dependencies?: readonly string[];
  /** Folders of this host that it can read besides, where the runner can show them; each variable says where. */
  readonly shown?: readonly { readonly from: string; readonly variable: string }[];
  readonly signal: AbortSignal;
  /** Told what has to be copied before the command can begin, and then nothing, when that is done. */
  readonly onPreparing?: (size?: HeldSize) => void;
  /** Called with output as it comes, both streams. Values of the environment that are secret are taken out before. */
  readonly onOutput?: (chunk: string, stream: "stdout" | "stderr") => void;
}

export interface CommandResult {
  /** Null when a signal ended it; where the runner hears of that from inside only, 128 and its number, as shells say. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  /** The limit for which it was ended, by the runner or by the system. */
  readonly limit?: "processes" | "memory";
  /** Head and tail of the output, at most 64 KiB a stream, with a line that says how much was cut. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

export class CommandNotStartedError extends Error {
  override readonly name = "CommandNotStartedError";
}

/** How much of what commands could do is held off. */
export interface EnforcedIsolation {
  readonly level: EnforcementLevel;
  readonly why: string;
  /** What holds of the limits, in words. */
  readonly limits?: string;
}

/** Runs commands of plans. The whole process tree ends with the command, its time-out or its cancellation. */
export interface CommandRunner {
  /** What this host, or the environment, can enforce; probed once. */
  probe(environment?: PlanEnvironment): Promise<EnforcedIsolation>;
  /** Throws {@link CommandNotStartedError} when nothing was started; every other outcome is a result. */
  run(request: CommandRequest): Promise<CommandResult>;
}
