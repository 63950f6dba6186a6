import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { isInside } from "../git/project-paths.ts";
import type { Mount } from "./mounts.ts";

export interface ToolchainPlaces {
  /** The host's PATH. */
  readonly path: string;
  readonly home: string | undefined;
  /** Nothing in or around these is shown. */
  readonly hidden: readonly string[];
}

/** Beside the `bin` that is on the PATH: what belongs to an installation. Never the whole folder, which may hold more. */
const PARTS = [
  "bin",
  "sbin",
  "shims",
  "lib",
  "lib32",
  "lib64",
  "libexec",
  "include",
  "share",
  "node_modules",
  "versions",
  "tools",
  "installs",
  "toolchains",
  "conf",
  "jmods",
  "jre",
  "Cellar",
  "opt",
];
/** Of a Go installation. */
const GO_PARTS = ["src", "pkg", "api", "misc", "VERSION", "go.env"];
const PROGRAM_FOLDERS = new Set(["bin", "sbin", "shims"]);
/** Not installations, whoever has put them on the PATH. */
const NEVER = new Set(["/", "/dev", "/etc", "/home", "/proc", "/root", "/run", "/sys", "/tmp", "/var"]);
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/nix/store", "/gnu/store"];

/**
 * What the user's own toolchains need to run: the installations that folders of the PATH belong to, also where links
 * in them lead, and links for folders that are reached through one.
 */
export async function toolchainMounts(places: ToolchainPlaces): Promise<Mount[]> {
  const mounts = new Map<string, Mount>();
  const show = async (real: string): Promise<void> => {
    for (const part of await partsOf(real, places.home)) {
      if (allowed(part, places)) mounts.set(part, { kind: "read-only", at: part, from: part });
    }
  };
  for (const folder of new Set(places.path.split(path.delimiter))) {
    if (!path.isAbsolute(folder)) continue;
    const real = await realpath(folder).catch(() => undefined);
    if (real === undefined || NEVER.has(real) || !(await stat(real)).isDirectory()) continue;
    if (!isSystem(real)) await show(real);
    const lexical = path.resolve(folder);
    if (lexical !== real) mounts.set(lexical, { kind: "link", at: lexical, to: real });
    for (const target of await linkTargets(real)) {
      const covered = [...mounts.values()].some((m) => m.kind === "read-only" && isInside(m.at, target));
      if (!covered && !isSystem(target)) await showTarget(target, places, mounts, show);
    }
  }
  return [...mounts.values()];
}

/** What a link on the PATH leads to: its installation where it lies in one, else the file alone. */
async function showTarget(
  target: string,
  places: ToolchainPlaces,
  mounts: Map<string, Mount>,
  show: (real: string) => Promise<void>,
): Promise<void> {
  const modules = target.indexOf("/node_modules/");
  const folder = path.dirname(target);
  if (modules !== -1) await show(path.join(target.slice(0, modules), "node_modules", ".bin"));
  else if (PROGRAM_FOLDERS.has(path.basename(folder))) await show(folder);
  else if (allowed(target, places)) mounts.set(target, { kind: "read-only", at: target, from: target });
}

async function partsOf(folder: string, home: string | undefined): Promise<string[]> {
  const around = path.dirname(folder);
  if (path.basename(folder) === ".bin") return [around];
  if (!PROGRAM_FOLDERS.has(path.basename(folder)) || around === home || NEVER.has(around)) return [folder];
  const names = new Set(await readdir(around).catch(() => [] as string[]));
  const parts = names.has("go.env") ? [...PARTS, ...GO_PARTS] : PARTS;
  // Programs keep data there, and keyrings among it.
  const shared = home !== undefined && around === path.join(home, ".local");
  return parts
    .filter((part) => names.has(part) && !(shared && part === "share"))
    .map((part) => path.join(around, part));
}

function allowed(part: string, { home, hidden }: ToolchainPlaces): boolean {
  if (NEVER.has(part)) return false;
  if (home !== undefined && isInside(part, home)) return false;
  return !hidden.some((place) => isInside(place, part) || isInside(part, place));
}

const isSystem = (real: string): boolean => SYSTEM.some((folder) => isInside(folder, real));

async function linkTargets(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const links = entries.filter((entry) => entry.isSymbolicLink());
  const targets = await Promise.all(
    links.map((entry) => realpath(path.join(folder, entry.name)).catch(() => undefined)),
  );
  return targets.filter((target) => target !== undefined);
}
