import type { ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Duplex } from "node:stream";
import { CommandNotStartedError } from "@cleveragents/application";
import { spawned } from "../process/spawned.ts";
import { NamespaceTree } from "./namespace-tree.ts";
import { ALIVE_FD, ARGUMENTS_FD, STATUS_FD } from "./sandbox-arguments.ts";
import { SandboxStatus } from "./sandbox-status.ts";

export interface Bubblewrap {
  /** Absolute path of the program. */
  readonly program: string;
  /** Descriptors that it would inherit, and hand on. */
  readonly inherited: readonly number[];
}

/** Starts a command inside, by way of programs that end in it (`before`); what becomes of it stands in the status. Throws `CommandNotStartedError`. */
export async function startBubblewrap(
  { program, inherited }: Bubblewrap,
  options: readonly string[],
  command: readonly string[],
  began: (pid: number) => void,
  before: readonly string[] = [],
  stdin: "ignore" | "pipe" = "ignore",
): Promise<{ child: ChildProcess; status: SandboxStatus; tree: NamespaceTree }> {
  // The pipe separates by NUL: one in a value would make options of what follows it.
  if (options.some((option) => option.includes("\0")))
    throw new CommandNotStartedError("a path or a variable of the environment holds a NUL character");
  const nothing = openSync("/dev/null", "r");
  let child: ChildProcess;
  try {
    child = await spawned(
      before[0] ?? program,
      [...[...before, program].slice(1), "--args", String(ARGUMENTS_FD), "--", ...command],
      {
        cwd: "/",
        // Process 1 inside keeps what bubblewrap is started with, for everybody there to read.
        env: {},
        stdio: descriptors(stdin, inherited, nothing),
      },
      began,
      program,
    );
  } finally {
    closeSync(nothing);
  }
  const pipes = child.stdio as unknown as readonly Duplex[]; // the types know of five
  const [status, alive, input] = [STATUS_FD, ALIVE_FD, ARGUMENTS_FD].map((fd) => pipes[fd] as Duplex) as [
    Duplex,
    Duplex,
    Duplex,
  ];
  const told = new SandboxStatus(status);
  alive.on("error", () => undefined).resume();
  const gone = new Promise<void>((resolve) => alive.once("close", resolve));
  input
    .on("error", () => undefined)
    .resume()
    .end(options.map((option) => `${option}\0`).join(""));
  return { child, status: told, tree: new NamespaceTree(child.pid as number, told, gone) };
}

type Descriptor = "ignore" | "pipe" | number;

/** Ours, and /dev/null in the place of every other descriptor that would be inherited: "ignore" leaves those as they are. */
function descriptors(stdin: "ignore" | "pipe", inherited: readonly number[], nothing: number): Descriptor[] {
  const all: Descriptor[] = [stdin, "pipe", "pipe", "pipe", "pipe", "pipe"];
  for (const fd of inherited) {
    if (fd <= ARGUMENTS_FD) continue;
    while (all.length < fd) all.push("ignore");
    all[fd] = nothing;
  }
  return all;
}
