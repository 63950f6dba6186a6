import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { DEPENDENCY_FOLDERS, dependencyFolders } from "./dependency-folders.ts";
import { findProgram } from "./find-program.ts";
import type { Mount } from "./mounts.ts";

const PROGRAM_FOLDERS = "/usr/local/bin:/usr/bin:/bin";
const AT_MOST_MS = 5000;
/** Pairs of a lower folder and our place for it up to `--`, then what is run where they are mounted. */
const MOUNT = `PATH=/usr/sbin:/usr/bin:/sbin:/bin
while [ "$1" != -- ]; do
  mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work,userxattr" "$2/merged" || exit 125
  shift 2
done
shift
unset PATH
exec "$@"`;

export interface Overlaid {
  /** Words before the program that is to see the folders. */
  readonly before: readonly string[];
  readonly mounts: readonly Mount[];
  /** Options that give a command the user who runs the agent, where making the mounts took another one. */
  readonly identity: readonly string[];
  /** To be called when the command is over. */
  ended(): Promise<void>;
}

/**
 * The user's ignored dependency folders at their places, below a layer that takes all that is written there and goes
 * with the plan's sandbox. It is kept from one command of a plan to the next and is no part of what the plan changes.
 */
export class DependencyOverlays {
  readonly #deps: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly probeIn: string | undefined;
  };
  #words: Promise<readonly string[] | undefined> | undefined;

  /** `probeIn`: a folder on the file system on which sandboxes lie. */
  constructor(deps: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly probeIn: string | undefined;
  }) {
    this.#deps = deps;
  }

  async available(): Promise<boolean> {
    return (await this.#namespace()) !== undefined;
  }

  async prepare(request: {
    readonly root: string;
    readonly projectRoot: string;
    readonly dependencies?: readonly string[];
    /** A layer of its own by this name, thrown away at the end, for what runs beside the plan's commands: the kernel lets two mounts not share one. */
    readonly layer?: string | undefined;
  }): Promise<Overlaid> {
    const none: Overlaid = { before: [], mounts: [], identity: [], ended: async () => undefined };
    const names = request.dependencies ?? DEPENDENCY_FOLDERS;
    const folders =
      names.length === 0 ? [] : await dependencyFolders(request.projectRoot, names, this.#deps.env);
    const namespace = folders.length === 0 ? undefined : await this.#namespace();
    const { layer } = request;
    const kept = path.join(
      path.dirname(request.root),
      layer === undefined ? "overlays" : `overlays.${layer}`,
    );
    if (namespace === undefined || /[,:\\"\n]/.test(kept)) return none;
    const pairs: string[] = [];
    const mounts: Mount[] = [];
    for (const folder of folders) {
      if (!(await isFree(request.root, folder))) continue;
      const place = path.join(kept, createHash("sha256").update(folder).digest("hex").slice(0, 16));
      await makePlace(place);
      pairs.push(path.join(request.projectRoot, folder), place);
      mounts.push({
        kind: "writable",
        at: path.join(request.projectRoot, folder),
        from: path.join(place, "merged"),
      });
    }
    if (pairs.length === 0) return none;
    const places = pairs.filter((_, index) => index % 2 === 1);
    return {
      before: [...namespace, ...mounting(pairs)],
      mounts,
      identity: isRoot() ? [] : ["--uid", String(process.getuid?.()), "--gid", String(process.getgid?.())],
      ended: async () => {
        // The kernel leaves a folder there that nobody may read, over which whoever removes the sandbox would stumble.
        for (const place of places) {
          await chmod(path.join(place, "work", "work"), 0o700).catch(() => undefined);
          await rm(path.join(place, "work"), { recursive: true, force: true }).catch(() => undefined);
        }
        if (layer !== undefined) await rm(kept, { recursive: true, force: true }).catch(() => undefined);
      },
    };
  }

  #namespace(): Promise<readonly string[] | undefined> {
    this.#words ??= probe(this.#deps.probeIn);
    return this.#words;
  }
}

const isRoot = (): boolean => process.getuid?.() === 0;

const mounting = (pairs: readonly string[]): string[] => ["/bin/sh", "-c", MOUNT, "overlays", ...pairs, "--"];

async function makePlace(place: string): Promise<void> {
  for (const part of ["upper", "work", "merged"])
    await mkdir(path.join(place, part), { recursive: true, mode: 0o700 });
}

/** How a namespace is made in which overlays can be mounted; undefined if they cannot be, here. */
async function probe(folder: string | undefined): Promise<readonly string[] | undefined> {
  if (process.platform !== "linux") return undefined;
  const unshare = await findProgram("unshare", PROGRAM_FOLDERS);
  if (unshare === undefined) return undefined;
  const place = await mkdtemp(path.join(folder ?? tmpdir(), "overlay-probe-")).catch(() =>
    mkdtemp(path.join(tmpdir(), "overlay-probe-")),
  );
  const words = isRoot() ? [unshare, "--mount"] : [unshare, "--user", "--map-root-user", "--mount"];
  try {
    const lower = path.join(place, "lower");
    await mkdir(lower);
    await writeFile(path.join(lower, "given"), "given");
    await makePlace(place);
    const [file, ...args] = [
      ...words,
      ...mounting([lower, place]),
      "/bin/sh",
      "-c",
      'cat "$0/given" && echo written > "$0/given"',
      path.join(place, "merged"),
    ] as unknown as [string, ...string[]]; // there are words
    const { stdout } = await promisify(execFile)(file, args, { env: {}, timeout: AT_MOST_MS });
    const unharmed = (await readFile(path.join(lower, "given"), "utf8")) === "given";
    return stdout === "given" && unharmed ? words : undefined;
  } catch {
    return undefined;
  } finally {
    await chmod(path.join(place, "work", "work"), 0o700).catch(() => undefined);
    await rm(place, { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * Whether the copy has room for a mount: the folder is not there, and is made then, or is empty. No link in the copy
 * may lead it elsewhere.
 */
async function isFree(root: string, folder: string): Promise<boolean> {
  const parts = folder.split(path.sep);
  let at = root;
  for (const [index, part] of parts.entries()) {
    at = path.join(at, part);
    const found = await lstat(at).catch(() => undefined);
    if (found === undefined && index === parts.length - 1) {
      await mkdir(at);
      return true;
    }
    if (found?.isDirectory() !== true) return false;
  }
  return (await readdir(at)).length === 0;
}
