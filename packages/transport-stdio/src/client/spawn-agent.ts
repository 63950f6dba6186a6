import type { ChildProcess, ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { TransportError } from "@cleveragents/protocol";
import { settlesWithin } from "../settles-within.ts";
import { createStreamTransport, type StreamTransport } from "./stream-transport.ts";
import { TextTail } from "./text-tail.ts";

export interface SpawnAgentOptions {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** All of the child's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string | undefined;
  /** What the agent writes to stderr, as it comes. */
  readonly onStderr?: ((text: string) => void) | undefined;
  /** Milliseconds that it has to end after its stdin did, and again after SIGTERM; 2,000 by default. */
  readonly graceMs?: number | undefined;
}

const TAIL_CHARACTERS = 4000;
/** A grandchild may hold the agent's stdout open; what the agent itself wrote has arrived by then. */
const AFTER_EXIT_MS = 500;

/**
 * Starts an agent and speaks to it over its stdin and stdout. Closing ends its stdin, then sends SIGTERM, then SIGKILL.
 * `TransportError` NOT_CONNECTED when it cannot be started; when it dies, the error quotes the end of its stderr.
 */
export async function spawnAgent(options: SpawnAgentOptions): Promise<StreamTransport> {
  const { command, args = [], env, cwd, graceMs = 2000 } = options;
  const { spawn } = await import("node:child_process");
  const child = spawn(command, [...args], {
    env,
    stdio: ["pipe", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
  });
  const tail = drainStderr(child, options.onStderr);
  await started(child, command);
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => {
      setTimeout(() => child.stdout.destroy(), AFTER_EXIT_MS).unref();
      resolve();
    });
  });

  return createStreamTransport({
    input: child.stdout,
    output: child.stdin,
    async describeEnd() {
      await settlesWithin(graceMs, exited);
      await settlesWithin(AFTER_EXIT_MS, tail.complete);
      const said = tail.text.trim();
      return `${describeExit(child)}${said === "" ? "" : `; it said:\n${said}`}`;
    },
    async close() {
      child.stdin.end();
      if (!(await settlesWithin(graceMs, exited))) child.kill("SIGTERM");
      if (!(await settlesWithin(graceMs, exited))) child.kill("SIGKILL");
      await exited;
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    },
  });
}

function started(child: ChildProcess, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    // Stays, so that a signal that cannot be sent later ends nothing.
    child.on("error", (cause) =>
      reject(
        new TransportError("NOT_CONNECTED", `${command} cannot be started: ${cause.message}`, { cause }),
      ),
    );
  });
}

function drainStderr(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  onStderr: ((text: string) => void) | undefined,
): TextTail & { readonly complete: Promise<void> } {
  const tail = new TextTail(TAIL_CHARACTERS);
  const complete = new Promise<void>((resolve) => child.stderr.once("close", resolve));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    tail.push(text);
    onStderr?.(text);
  });
  return Object.assign(tail, { complete });
}

function describeExit({ exitCode, signalCode }: ChildProcess): string {
  if (signalCode !== null) return `the agent was ended by ${signalCode}`;
  return exitCode === null ? "the agent closed its output" : `the agent exited with code ${exitCode}`;
}
