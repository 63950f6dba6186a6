import { readFileSync } from "node:fs";
import type { CommandLimits } from "@cleveragents/application";
import { findProgram } from "../bubblewrap/find-program.ts";

/** What a command may use unless its request says otherwise. */
export const DEFAULT_LIMITS = {
  memoryMiB: 8192,
  processes: 2048,
  openFiles: 8192,
  fileSizeMiB: 8192,
} as const satisfies CommandLimits;

const MIB = 1024 * 1024;
const PROGRAM_FOLDERS = "/usr/local/bin:/usr/bin:/bin";

/**
 * The words before a command that set its limits, none where `prlimit` is missing. They hold for each process: memory
 * is what it can write to (address space that is only reserved does not count, or no JavaScript or Java would run).
 */
export class LimitWords {
  #program: Promise<string | undefined> | undefined;

  async available(): Promise<boolean> {
    return (await this.#find()) !== undefined;
  }

  async before(asked: CommandLimits = {}): Promise<string[]> {
    const program = await this.#find();
    if (program === undefined) return [];
    const limits: CommandLimits = { ...DEFAULT_LIMITS, ...asked };
    const words = [program, "--core=0"];
    const add = (option: string, resource: string, amount: number | undefined): void => {
      if (amount !== undefined) words.push(`--${option}=${Math.min(Math.ceil(amount), hardLimit(resource))}`);
    };
    add("data", "Max data size", times(limits.memoryMiB));
    add("fsize", "Max file size", times(limits.fileSizeMiB));
    add("nofile", "Max open files", limits.openFiles);
    add("cpu", "Max cpu time", limits.cpuSeconds);
    return words;
  }

  #find(): Promise<string | undefined> {
    this.#program ??=
      process.platform === "linux" ? findProgram("prlimit", PROGRAM_FOLDERS) : Promise.resolve(undefined);
    return this.#program;
  }
}

const times = (amount: number | undefined): number | undefined =>
  amount === undefined ? undefined : amount * MIB;

/** What this process itself may have at most: nobody can ask for more, and asking fails. */
function hardLimit(resource: string): number {
  try {
    const line = readFileSync("/proc/self/limits", "utf8")
      .split("\n")
      .find((one) => one.startsWith(resource));
    const hard = line?.slice(resource.length).trim().split(/\s+/)[1];
    return hard === undefined || hard === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(hard);
  } catch {
    return Number.MAX_SAFE_INTEGER;
  }
}
