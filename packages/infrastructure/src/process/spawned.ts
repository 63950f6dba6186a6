import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { CommandNotStartedError } from "@cleveragents/application";
import { ProcessGroup } from "./process-group.ts";

/**
 * Settles once the process is there, leader of a group of its own. Throws `CommandNotStartedError`, which names what was
 * asked for: a program that only sets something up before it is not known to who asked.
 */
export async function spawned(
  file: string,
  args: readonly string[],
  options: Pick<SpawnOptions, "cwd" | "env" | "stdio">,
  began: (pid: number) => void,
  asked: string = file,
): Promise<ChildProcess> {
  try {
    const child = spawn(file, args, { ...options, detached: true });
    if (child.pid !== undefined) recorded(child, child.pid, began);
    await once(child, "spawn");
    child.on("error", () => undefined); // of later signals, which are ours and may come too late
    return child;
  } catch (cause) {
    throw new CommandNotStartedError(whyNotStarted(asked, (cause as NodeJS.ErrnoException).code), { cause });
  }
}

/** A command of which nobody would know (the disk is full) must not run on. */
function recorded(child: ChildProcess, pid: number, began: (pid: number) => void): void {
  try {
    began(pid);
  } catch (error) {
    child.on("error", () => undefined);
    new ProcessGroup(pid).signal("SIGKILL");
    for (const stream of child.stdio) stream?.destroy();
    throw error;
  }
}

/** A command as file and arguments; a text is for `sh -c`. */
export function wordsOf(command: string | readonly string[]): readonly [string, ...string[]] {
  const [file, ...args] = typeof command === "string" ? ["/bin/sh", "-c", command] : command;
  if (file === undefined || file === "" || command === "")
    throw new CommandNotStartedError("the command is empty");
  return [file, ...args];
}

export function whyNotStarted(file: string, code: string | undefined): string {
  if (code === "ENOENT") return `the command ${file} was not found`;
  if (code === "EACCES") return `the command ${file} may not be executed`;
  if (code === "ENOSPC" || code === "EDQUOT") return `the command ${file} was not started: the disk is full`;
  if (code === "EMFILE" || code === "ENFILE")
    return `the command ${file} was not started: too many files are open`;
  if (code === "EAGAIN") return `the command ${file} was not started: there are too many processes`;
  if (code === "E2BIG") return "the command is too long for the operating system";
  return `the command ${file} could not be started${code === undefined ? "" : ` (${code})`}`;
}
