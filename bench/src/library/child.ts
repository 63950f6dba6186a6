import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Reply } from "./questions.ts";
import { settings } from "./settings.ts";

export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** What it said of itself when it was ready. */
  readonly ready: string;
  /** Asks over IPC; rejects with what the child threw. */
  ask<T>(question: string, parameters?: unknown): Promise<T>;
}

export interface ProgramOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly execArgv?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** What it prints when it is ready. Without it and `isReady`, its message over IPC counts. */
  readonly readyLine?: RegExp;
  readonly isReady?: () => boolean;
}

const living = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of living) child.kill("SIGKILL");
});
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const) {
  process.on(signal, () => process.exit(code));
}

/** Starts a role of ours (see `roles/`) in a process of its own. */
export function startRole(
  role: string,
  options: unknown = {},
  execArgv: readonly string[] = [],
): Promise<Child> {
  const program = fileURLToPath(new URL("../child.ts", import.meta.url));
  return startProgram({ program, args: [role, JSON.stringify(options)], execArgv });
}

/** Starts a program that answers questions, and waits until it is ready. It is killed with `await using`, or with us. */
export async function startProgram(options: ProgramOptions): Promise<Child> {
  const { program, args, execArgv = [], env = process.env, cwd, readyLine, isReady } = options;
  const child = fork(program, [...args], {
    execArgv: [...profiling(), ...execArgv],
    env: { ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  living.add(child);
  const ended = new Promise<never>((_, reject) => {
    child.once("exit", (code, signal) => {
      living.delete(child);
      reject(new Error(`${program} ${args[0] ?? ""} ended: ${signal ?? code}`));
    });
  });
  ended.catch(() => undefined); // told to whoever waits for an answer
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  const said = Promise.withResolvers<string>();
  child.on("message", (reply: Reply) => {
    if ("ready" in reply) return said.resolve(reply.ready);
    const asked = pending.get(reply.id);
    pending.delete(reply.id);
    if ("error" in reply) asked?.reject(new Error(reply.error));
    else asked?.resolve(reply.answer);
  });
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    const found = readyLine?.exec(output);
    if (found) said.resolve(found[1] ?? found[0]);
  });
  const looking = setInterval(() => {
    if (isReady?.() === true) said.resolve("");
  }, 20);
  const ready = await Promise.race([said.promise, ended]).finally(() => clearInterval(looking));
  let questions = 0;
  return {
    pid: child.pid ?? 0,
    ready,
    ask<T>(question: string, parameters: unknown = {}): Promise<T> {
      const id = ++questions;
      const answer = Promise.withResolvers<unknown>();
      pending.set(id, answer);
      child.send({ id, question, parameters });
      return Promise.race([answer.promise, ended]) as Promise<T>;
    },
    async [Symbol.asyncDispose]() {
      // Without us it ends by itself, and writes its profile; if it hangs, not.
      if (child.connected) child.disconnect();
      const hangs = setTimeout(() => child.kill("SIGKILL"), settings.profiles === undefined ? 500 : 20_000);
      await ended.catch(() => undefined);
      clearTimeout(hangs);
    },
  };
}

function profiling(): readonly string[] {
  return settings.profiles === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${settings.profiles}`];
}
