import { setTimeout as sleep } from "node:timers/promises";
import type { ProcessTree } from "../process/command-launcher.ts";
import { MARK } from "../process/marked-processes.ts";
import { ProcessGroup } from "../process/process-group.ts";
import type { ContainerPrograms } from "./engine.ts";

const ASK_MS = 10_000;
/** How long killing is tried; an engine that does not answer keeps what it has. */
const KILL_MS = 30_000;
const POLL_MS = 200;

/** Sends the signal $2 to whoever has the mark $1 in its environment, and says how many there were. */
const SIGNAL_MARKED = `n=0
for f in $(grep -lF "$1" /proc/[0-9]*/environ 2> /dev/null); do
  p=\${f#/proc/}; kill -"$2" "\${p%/environ}" 2> /dev/null && n=$((n+1))
done
echo "$n"`;

/** A command in a container: ending the program that brought it there ends nothing inside. */
export class ContainerTree implements ProcessTree {
  readonly #programs: ContainerPrograms;
  readonly #containerId: string;
  readonly #mark: string;
  readonly #client: ProcessGroup;

  constructor(programs: ContainerPrograms, containerId: string, mark: string, clientPid: number) {
    this.#programs = programs;
    this.#containerId = containerId;
    this.#mark = mark;
    this.#client = new ProcessGroup(clientPid);
  }

  async end(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    let left = await this.#signal("TERM");
    while (left !== 0 && performance.now() < deadline) {
      await sleep(POLL_MS);
      left = await this.#signal("0");
    }
    await this.kill();
  }

  async kill(): Promise<void> {
    const deadline = performance.now() + KILL_MS;
    while ((await this.#signal("KILL")) !== 0 && performance.now() < deadline) await sleep(POLL_MS);
    await this.#client.kill();
  }

  /** Containers are not counted: asking for it costs more than it saves. */
  async count(): Promise<number> {
    return 0;
  }

  /** How many there were; undefined when the engine does not say. */
  async #signal(signal: string): Promise<number | undefined> {
    const args = ["exec", "--user", "0", this.#containerId, "/bin/sh", "-c", SIGNAL_MARKED, "sh"];
    const said = await this.#programs
      .askDocker([...args, `${MARK}=${this.#mark}`, signal], AbortSignal.timeout(ASK_MS))
      .catch(() => undefined);
    return /^\d+\s*$/.test(said?.stdout ?? "") ? Number(said?.stdout) : undefined;
  }
}
