import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProcessTree } from "../process/command-launcher.ts";
import { countDescendants } from "../process/descendants.ts";
import { ProcessGroup } from "../process/process-group.ts";
import type { SandboxStatus } from "./sandbox-status.ts";

/** How long the kernel may take to end the processes of a namespace. */
const KILLED_MS = 5000;
const POLL_MS = 20;
/** How long bubblewrap may take to tell how a command has ended that is over. */
const TOLD_MS = 1000;

/** Everything in a process namespace: it ends with its process 1, which nobody inside can leave. */
export class NamespaceTree implements ProcessTree {
  readonly #pid: number;
  readonly #outside: ProcessGroup;
  readonly #status: SandboxStatus;
  readonly #gone: Promise<void>;
  #isGone = false;

  /** `gone` settles when process 1 has ended, and so everybody else. */
  constructor(pid: number, status: SandboxStatus, gone: Promise<void>) {
    this.#pid = pid;
    this.#outside = new ProcessGroup(pid);
    this.#status = status;
    this.#gone = gone.then(() => {
      this.#isGone = true;
    });
  }

  async end(graceMs: number): Promise<void> {
    const { init } = this.#status;
    // The command is in a session of its own and bubblewrap hands no signal on: each of them is asked.
    if (init !== undefined && !this.#isGone) await this.#ask(init, graceMs);
    await this.kill();
  }

  async #ask(init: number, graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    // As soon as process 1 hears that the command itself is over it ends everybody else: not before these were heard.
    signal(init, "SIGSTOP");
    for (const pid of await livingBelow(init)) signal(pid, "SIGTERM");
    while (performance.now() < deadline && (await livingBelow(init)).length > 0) await sleep(POLL_MS);
    signal(init, "SIGCONT");
    if ((await livingBelow(init)).length === 0) await Promise.race([this.#gone, sleep(TOLD_MS)]);
  }

  async count(atMost: number): Promise<number> {
    return await countDescendants(this.#pid, atMost);
  }

  async kill(): Promise<void> {
    if (this.#isGone) return;
    this.#outside.signal("SIGKILL");
    const waited = new AbortController();
    await Promise.race([this.#gone, sleep(100, undefined, { signal: waited.signal }).catch(() => undefined)]);
    if (!this.#isGone && this.#status.init !== undefined) signal(this.#status.init, "SIGKILL");
    await Promise.race([
      this.#gone,
      sleep(KILLED_MS, undefined, { signal: waited.signal }).catch(() => undefined),
    ]);
    waited.abort();
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // gone by itself
  }
}

/**
 * Everybody in the namespace of a process 1 who still does anything. Orphans there are its children, so nobody is
 * missed.
 */
async function livingBelow(init: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  const dead = new Set<number>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const text = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    // Fields 3 and 4; the name in field 2 may hold spaces and brackets.
    const [state = "", parent] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(name)]);
    if (state === "Z" || state === "X") dead.add(Number(name));
  }
  const found: number[] = [];
  for (const queue = [init]; queue.length > 0; ) {
    const next = children.get(queue.pop() as number) ?? [];
    found.push(...next);
    queue.push(...next);
  }
  return found.filter((pid) => !dead.has(pid));
}
