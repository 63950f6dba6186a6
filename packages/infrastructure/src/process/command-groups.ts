import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { totalmem } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { CommandLimits } from "@cleveragents/application";
import { findProgram } from "../bubblewrap/find-program.ts";
import { CommandGroup, type Controllers, type GroupLimits } from "./command-group.ts";
import { DEFAULT_LIMITS } from "./command-limits.ts";
import { cgroupPlaces } from "./find-cgroup.ts";
import { startOfNow } from "./process-start.ts";

const PREFIX = "cleveragents-";
const PROGRAM_FOLDERS = "/usr/local/bin:/usr/bin:/bin";
const AT_MOST_MS = 5000;
const MIB = 1024 * 1024;
/** Of this machine's memory that a whole command may have, unless it says how much. */
const SHARE = 0.75;
/** Prints the limits of the group that it runs in. */
const LIMITS_HERE =
  'g=/sys/fs/cgroup$(sed -n "s/^0:://p" /proc/self/cgroup); cat "$g/memory.max" "$g/pids.max"';
/** How systemd's manager of the user is found. */
const MANAGER_NAMES = ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"] as const;

/** What a command runs in; to be ended when it is over. */
export interface OpenedGroup {
  readonly before: readonly string[];
  breach(): Promise<"memory" | undefined>;
  end(): Promise<void>;
}

type Way =
  | { readonly kind: "folder"; readonly folder: string; readonly controllers: Controllers }
  | { readonly kind: "scope"; readonly words: readonly string[]; readonly after: readonly string[] }
  | { readonly kind: "none" };

export interface CommandGroupsDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For tests: where groups are made, and how one is removed. */
  readonly places?: readonly string[];
  readonly remove?: (folder: string) => Promise<void>;
  readonly programs?: string;
}

/**
 * Groups that limit a whole command and end it to the last process, where this host lets us make them: in a cgroup that
 * was delegated to us, else as scopes of systemd, else none. Probed once, by doing it.
 */
export class CommandGroups {
  readonly #deps: CommandGroupsDeps;
  #way: Promise<Way> | undefined;

  constructor(deps: CommandGroupsDeps) {
    this.#deps = deps;
  }

  /** What holds, in words, for a whole command. */
  async holds(): Promise<string> {
    const way = await this.#find();
    if (way.kind === "none")
      return "nothing limits the memory of a whole command: no cgroup is delegated to the agent";
    if (way.kind === "scope") return "memory and processes of a whole command are limited by systemd";
    const { memory, processes } = way.controllers;
    const limited = [...(memory ? ["memory"] : []), ...(processes ? ["processes"] : [])].join(" and ");
    return limited === ""
      ? "a whole command is ended by its cgroup, which limits nothing: its controllers are not delegated"
      : `${limited} of a whole command are limited by a cgroup`;
  }

  /** Undefined where there are none, or none can be made now: prlimit counts all the same. */
  async open(asked: CommandLimits = {}): Promise<OpenedGroup | undefined> {
    const way = await this.#find();
    const limits = limitsOf(asked);
    if (way.kind === "none") return undefined;
    if (way.kind === "scope")
      return {
        before: [...way.words, ...properties(limits), "--", ...way.after],
        breach: async () => undefined,
        end: async () => undefined,
      };
    try {
      return await CommandGroup.make(
        path.join(way.folder, nameOfGroup()),
        limits,
        way.controllers,
        this.#deps.remove,
      );
    } catch {
      return undefined;
    }
  }

  #find(): Promise<Way> {
    this.#way ??= this.#probe();
    return this.#way;
  }

  async #probe(): Promise<Way> {
    if (process.platform !== "linux") return { kind: "none" };
    const places = this.#deps.places ?? (await cgroupPlaces(this.#deps.env["CLEVERAGENTS_CGROUP"]));
    let weak: Way = { kind: "none" };
    for (const folder of places) {
      const way = await this.#tryFolder(folder);
      if (way.kind === "folder" && way.controllers.memory) return way;
      if (way.kind === "folder") weak = way;
    }
    const scope = await this.#tryScope();
    return scope.kind === "scope" ? scope : weak;
  }

  async #tryFolder(folder: string): Promise<Way> {
    await enableControllers(folder);
    const enabled = (
      await readFile(path.join(folder, "cgroup.subtree_control"), "utf8").catch(() => "")
    ).split(/\s+/);
    const controllers = { memory: enabled.includes("memory"), processes: enabled.includes("pids") };
    const probe = path.join(folder, nameOfGroup());
    try {
      const group = await CommandGroup.make(probe, limitsOf({}), controllers, this.#deps.remove);
      const [file, ...args] = [...group.before, "/bin/cat", path.join(probe, "cgroup.procs")] as unknown as [
        string,
        ...string[],
      ];
      const { stdout } = await promisify(execFile)(file, args, { env: {}, timeout: AT_MOST_MS });
      await group.end();
      if (!/^\d+\n$/.test(stdout)) return { kind: "none" };
    } catch {
      return { kind: "none" };
    }
    await endLeftovers(folder, this.#deps.remove);
    return { kind: "folder", folder, controllers };
  }

  async #tryScope(): Promise<Way> {
    const programs = this.#deps.programs ?? PROGRAM_FOLDERS;
    const [systemd, env] = await Promise.all([
      findProgram("systemd-run", programs),
      findProgram("env", PROGRAM_FOLDERS),
    ]);
    const manager = MANAGER_NAMES.flatMap((name) => {
      const value = this.#deps.env[name];
      return value === undefined ? [] : [`${name}=${value}`];
    });
    const isRoot = process.getuid?.() === 0;
    if (systemd === undefined || env === undefined || (!isRoot && manager.length === 0))
      return { kind: "none" };
    const words = [
      ...[env, ...(isRoot ? [] : manager), systemd, ...(isRoot ? [] : ["--user"])],
      ...["--scope", "--quiet", "--collect"],
    ];
    // Neither the way to the manager nor what it adds is for commands.
    const after = [
      env,
      ...["INVOCATION_ID", ...(isRoot ? [] : MANAGER_NAMES)].flatMap((name) => ["-u", name]),
    ];
    try {
      const limits = { memoryMiB: 1024, processes: 100 };
      const [file, ...args] = [
        ...words,
        ...properties(limits),
        "--",
        ...after,
        "/bin/sh",
        "-c",
        LIMITS_HERE,
      ] as unknown as [string, ...string[]];
      const { stdout } = await promisify(execFile)(file, args, { env: {}, timeout: AT_MOST_MS });
      return stdout === `${1024 * MIB}\n100\n` ? { kind: "scope", words, after } : { kind: "none" };
    } catch {
      return { kind: "none" };
    }
  }
}

function limitsOf(asked: CommandLimits): GroupLimits {
  return {
    memoryMiB: asked.memoryMiB ?? Math.floor((totalmem() * SHARE) / MIB),
    processes: asked.processes ?? DEFAULT_LIMITS.processes,
  };
}

const properties = ({ memoryMiB, processes }: GroupLimits): string[] => [
  ...["-p", `MemoryMax=${memoryMiB}M`],
  ...["-p", `TasksMax=${processes}`],
];

/** Controllers may be there and not handed down yet; where they cannot be, what is there counts. */
async function enableControllers(folder: string): Promise<void> {
  for (const controller of ["+memory", "+pids"])
    await writeFile(path.join(folder, "cgroup.subtree_control"), controller, { flag: "r+" }).catch(
      () => undefined,
    );
}

/** Named by who makes it, so that whoever comes later knows whether that one still lives. */
const nameOfGroup = (): string =>
  `${PREFIX}${numbersOf()}-${process.pid}-${startOfNow(process.pid) ?? ""}-${randomUUID().slice(0, 8)}`;

/** Which numbers of processes are meant: in another process namespace they are others. */
function numbersOf(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
}

/** Groups of processes that are gone, with whoever is in them. */
async function endLeftovers(
  folder: string,
  remove: ((folder: string) => Promise<void>) | undefined,
): Promise<void> {
  for (const name of await readdir(folder).catch(() => [] as string[])) {
    const [, numbers, pid, start] = /^cleveragents-(\d+)-(\d+)-(\d*)-[0-9a-f]{8}$/.exec(name) ?? [];
    if (pid === undefined || start === undefined || numbers !== numbersOf()) continue;
    if (startOfNow(Number(pid)) === start) continue;
    await CommandGroup.at(path.join(folder, name), remove).end();
  }
}
