import type { ChildProcess } from "node:child_process";
import type { CommandRequest } from "@cleveragents/application";
import type { EnforcementLevel } from "@cleveragents/domain";

/** A command and everything that it has started. */
export interface ProcessTree {
  /** Asks all of it to end, and after the grace makes it. Settles when nobody is left, or everybody was killed. */
  end(graceMs: number): Promise<void>;
  /** Kills all of it; settles like {@link end}. */
  kill(): Promise<void>;
  /** How many there are now; counting may stop beyond a number. */
  count(atMost: number): Promise<number>;
}

export interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface LaunchedCommand {
  /** With pipes for both streams, in which output waits until somebody listens. */
  readonly child: ChildProcess;
  readonly tree: ProcessTree;
  /** How the launcher's own words on stderr begin, where it says why it has started nothing. */
  readonly ownWords?: string;
  /**
   * What the end of the child means for the command. Throws `CommandNotStartedError` if it never ran, unless we have
   * ended it ourselves.
   */
  outcome(ended: Ended, byUs: boolean): Promise<Ended>;
}

export interface LaunchRequest extends CommandRequest {
  /** Real path of the directory of the sandbox that the command begins in. */
  readonly directory: string;
  /** Told the process id at once, so that it is written down before anything waits. */
  readonly began: (pid: number) => void;
  /** Words in front of all others, which put the command into its group. */
  readonly before?: readonly string[];
  /** Paths of this host that it may read besides what every command sees, where the level shows a choice. */
  readonly readable?: readonly string[];
  /** A pipe for its input too; it has none otherwise. */
  readonly stdin?: "pipe";
  /** Unique to this command: goes into the environment of plain ones, by which their descendants are found. */
  readonly mark: string;
}

/** How a command becomes a process. Throws `CommandNotStartedError` when it does not. */
export interface CommandLauncher {
  /** Answers the same for as long as the process lives. */
  probe(): Promise<{ readonly level: EnforcementLevel; readonly why: string }>;
  /** Whether commands see the project's ignored dependency folders by themselves; where it is false they are copied. */
  showsDependencies?(): Promise<boolean>;
  launch(request: LaunchRequest): Promise<LaunchedCommand>;
}
