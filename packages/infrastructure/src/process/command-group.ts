import { mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const MIB = 1024 * 1024;
/** How long the kernel may take to be done with those that were killed. */
const GONE_MS = 5000;
const POLL_MS = 20;
/** Becomes the command, in the group: whoever it starts is there from the beginning. */
const ENTER = 'echo $$ > "$1" 2>/dev/null; shift; exec "$@"';

/** What a whole command may use. */
export interface GroupLimits {
  readonly memoryMiB: number;
  readonly processes: number;
}

export interface Controllers {
  readonly memory: boolean;
  readonly processes: boolean;
}

/** The cgroup (v2) of one command: all that it starts is in it, wherever in sessions and environments, and nobody can leave. */
export class CommandGroup {
  readonly #folder: string;
  readonly #remove: (folder: string) => Promise<void>;

  private constructor(folder: string, remove: (folder: string) => Promise<void>) {
    this.#folder = folder;
    this.#remove = remove;
  }

  /** Throws what the file system throws. */
  static async make(
    folder: string,
    limits: GroupLimits,
    controllers: Controllers,
    remove: (folder: string) => Promise<void> = rmdir,
  ): Promise<CommandGroup> {
    await mkdir(folder);
    const group = new CommandGroup(folder, remove);
    try {
      if (controllers.memory) {
        await group.#write("memory.max", String(limits.memoryMiB * MIB));
        // One of them alone killed would leave the others waiting for it.
        await group.#write("memory.oom.group", "1").catch(() => undefined);
      }
      if (controllers.processes) await group.#write("pids.max", String(limits.processes));
      return group;
    } catch (error) {
      await remove(folder).catch(() => undefined);
      throw error;
    }
  }

  /** One that another process has made. */
  static at(folder: string, remove: (folder: string) => Promise<void> = rmdir): CommandGroup {
    return new CommandGroup(folder, remove);
  }

  get before(): readonly string[] {
    return ["/bin/sh", "-c", ENTER, "group", path.join(this.#folder, "cgroup.procs")];
  }

  /** For which of its limits the kernel has ended something in it. */
  async breach(): Promise<"memory" | undefined> {
    const events = await readFile(path.join(this.#folder, "memory.events"), "utf8").catch(() => "");
    return Number(/^oom_kill (\d+)$/m.exec(events)?.[1] ?? 0) > 0 ? "memory" : undefined;
  }

  /** Kills everybody in it and removes it. Settles when they are gone; what the kernel holds on to is left. */
  async end(): Promise<void> {
    await this.#write("cgroup.kill", "1").catch(() => this.#killEach());
    for (const deadline = performance.now() + GONE_MS; ; await sleep(POLL_MS)) {
      try {
        return await this.#remove(this.#folder);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== "EBUSY" || performance.now() > deadline) return;
      }
    }
  }

  /** Kernels before 5.14 kill no group as a whole. */
  async #killEach(): Promise<void> {
    const members = await readFile(path.join(this.#folder, "cgroup.procs"), "utf8").catch(() => "");
    for (const pid of members.split("\n").filter(Boolean).map(Number)) {
      try {
        if (pid > 1) process.kill(pid, "SIGKILL");
      } catch {
        // gone by itself
      }
    }
  }

  async #write(name: string, value: string): Promise<void> {
    await writeFile(path.join(this.#folder, name), value, { flag: "r+" });
  }
}
