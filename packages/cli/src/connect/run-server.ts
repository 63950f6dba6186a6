import { execFile, spawn } from "node:child_process";
import { CliError } from "../cli-error.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { ServerCommand } from "./server-command.ts";

const AT_MOST = 16 * 1024 * 1024;

export interface ProgramAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the server's program on this terminal until it ends. Signals that come here are its own. */
export function serveHere(
  { command, args }: ServerCommand,
  more: readonly string[],
  signals: Pick<NodeJS.Process, "on" | "off">,
): Promise<ExitCode> {
  const child = spawn(command, [...args, ...more], { stdio: "inherit" });
  // Ctrl-C goes to both; a process that is told alone hands it on, and waits.
  const handOn = (signal: NodeJS.Signals) => void child.kill(signal);
  const wait = () => {};
  signals.on("SIGINT", wait).on("SIGTERM", handOn).on("SIGHUP", handOn);
  return new Promise((resolve, reject) => {
    const settle = () => signals.off("SIGINT", wait).off("SIGTERM", handOn).off("SIGHUP", handOn);
    child.on("error", (cause) => {
      settle();
      reject(notStarted(command, cause));
    });
    child.on("close", (code, signal) => {
      settle();
      resolve((code ?? (signal === "SIGINT" ? EXIT.INTERRUPTED : EXIT.FAILED)) as ExitCode); // the server's own are among them
    });
  });
}

/** Runs the server's program, and answers what it says. */
export function askProgram(
  { command, args }: ServerCommand,
  more: readonly string[],
): Promise<ProgramAnswer> {
  return new Promise((resolve, reject) => {
    execFile(command, [...args, ...more], { maxBuffer: AT_MOST }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === "number") resolve({ code, stdout, stderr });
      else reject(notStarted(command, error as Error)); // without a code there is one
    });
  });
}

function notStarted(command: string, cause: Error): CliError {
  return new CliError("SERVER_NOT_STARTED", `cannot start ${command}: ${cause.message}`, {
    cause,
    hint: "CLEVERAGENTS_AGENT_COMMAND names the program to start",
  });
}
