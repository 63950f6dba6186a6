import { spawn } from "node:child_process";
import type { ProgramInput } from "../context.ts";

/** What shells answer where there is no such program, and where it may not be started. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/**
 * Runs a command line as git runs pagers: by the shell, with its words. It has this process's terminal; a program that ends
 * before it has read everything (a pager that is quit) is no failure.
 */
export function runProgram(
  command: string,
  { input, args = [], env = {} }: ProgramInput,
  inherited: NodeJS.ProcessEnv,
): Promise<number | undefined> {
  const shell = process.platform === "win32";
  const [file, words] = shell
    ? [command, args]
    : ["/bin/sh", ["-c", args.length === 0 ? command : `${command} "$@"`, command, ...args]];
  const child = spawn(file, [...words], {
    shell,
    stdio: [input === undefined ? "inherit" : "pipe", "inherit", "inherit"],
    env: { ...inherited, ...env },
  });
  // Ctrl-C is the program's: a pager stops searching, and this process waits for it.
  const ignore = () => {};
  process.on("SIGINT", ignore);
  child.stdin?.on("error", ignore).end(input);
  return new Promise((resolve, reject) => {
    child.on("error", (error: NodeJS.ErrnoException) => {
      process.off("SIGINT", ignore);
      if (error.code === "ENOENT" || error.code === "EACCES") resolve(undefined);
      else reject(error);
    });
    child.on("close", (code) => {
      process.off("SIGINT", ignore);
      resolve(code === NOT_FOUND || code === NOT_EXECUTABLE ? undefined : (code ?? 1));
    });
  });
}
