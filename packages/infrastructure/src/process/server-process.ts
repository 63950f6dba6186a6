import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { CommandRequest } from "@cleveragents/application";
import type { EnforcementLevel } from "@cleveragents/domain";
import type { Ended, LaunchedCommand } from "./command-launcher.ts";
import { drained } from "./drained.ts";

/** A program that is spoken with for as long as it lives. */
export interface ServerRequest
  extends Pick<CommandRequest, "root" | "projectRoot" | "cwd" | "env" | "network" | "readOnly" | "signal"> {
  /** A list is run as it stands: there is no shell. */
  readonly command: readonly [string, ...string[]];
  /** Paths of this host that it may read where it is isolated, besides what every command sees: its own programs. */
  readonly readable?: readonly string[];
  /** False: never isolated. What it does is then as its user could do it. */
  readonly confined: boolean;
}

export interface ServerProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** How much of what it could do is held off. At `none` it sees the sandbox at the sandbox's own path. */
  readonly level: EnforcementLevel;
  /**
   * Settles when it is over, by itself or not: what it has written before can be read, and nobody of its tree is left.
   * `failure` is there where it never ran.
   */
  readonly ended: Promise<Ended & { readonly failure?: Error }>;
  /** How many processes of its tree there are now. */
  count(): Promise<number>;
  /**
   * Closes its input, which is how such programs are told, then asks the whole tree to end, and after the grace makes
   * it. Settles like `ended`.
   */
  stop(graceMs?: number): Promise<void>;
}

/** Starts such programs. */
export interface ServerStarter {
  /** Throws `CommandNotStartedError` when nothing was started. */
  open(request: ServerRequest): Promise<ServerProcess>;
}

const POLITE_MS = 500;
/** A leader that hangs in the kernel although it was killed is given up. */
const KILLED_MS = 5000;

/** Supervises what was launched until nobody of it is left; `over` is called then, once. */
export function serverProcess(
  launched: LaunchedCommand,
  level: EnforcementLevel,
  over: () => Promise<void>,
): ServerProcess {
  const { child, tree } = launched;
  const { stdin, stdout, stderr } = streamsOf(child);
  // Where it has gone away, whoever writes is told by `ended`.
  for (const stream of [stdin, stdout, stderr]) stream.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let byUs = false;
  let gaveUp: (ended: Ended) => void = () => undefined;
  const exited = new Promise<Ended>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    gaveUp = resolve;
  });
  const ended = exited.then(async (how) => {
    await tree.kill();
    await drained(child, closed);
    try {
      return await launched.outcome(how, byUs);
    } catch (error) {
      return { ...how, failure: error as Error };
    } finally {
      stdin.destroy();
      await over();
    }
  });
  let stopping: Promise<void> | undefined;
  const stop = async (graceMs: number): Promise<void> => {
    byUs = true;
    stdin.end();
    if (await settlesWithin(exited, Math.min(POLITE_MS, graceMs))) return void (await ended);
    await tree.end(graceMs);
    if (!(await settlesWithin(exited, KILLED_MS))) gaveUp({ exitCode: null, signal: "SIGKILL" });
    await ended;
  };
  return {
    pid: child.pid as number, // it was spawned, so it has one
    stdin,
    stdout,
    stderr,
    level,
    ended,
    count: () => tree.count(Number.MAX_SAFE_INTEGER),
    stop(graceMs = 2000) {
      stopping ??= stop(graceMs);
      return stopping;
    },
  };
}

function streamsOf(child: ChildProcess): Pick<ServerProcess, "stdin" | "stdout" | "stderr"> {
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null)
    throw new Error("a server was launched without pipes for its streams");
  return { stdin, stdout, stderr };
}

async function settlesWithin(settled: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const answer = await Promise.race([settled.then(() => true), late]);
  clearTimeout(timer);
  return answer;
}
