import { isInside } from "../git/project-paths.ts";

/** One place in the file system that a command sees. `from` is a path of this host. */
export type Mount =
  | { readonly kind: "read-only" | "writable"; readonly at: string; readonly from: string }
  | { readonly kind: "link"; readonly at: string; readonly to: string }
  /** `hidden` is made only where something else would show what lies there. */
  | { readonly kind: "empty" | "hidden" | "processes" | "devices"; readonly at: string };

/**
 * Puts mounts in the order in which they are made, outer ones first, and leaves out what an outer one shows already.
 * Of two for one place the later counts.
 */
export function ordered(mounts: readonly Mount[]): Mount[] {
  const byPlace = new Map(mounts.map((mount) => [mount.at, mount]));
  const sorted = [...byPlace.values()].sort((a, b) => depth(a.at) - depth(b.at));
  const made: Mount[] = [];
  for (const mount of sorted) {
    const outer = made.findLast((earlier) => isInside(earlier.at, mount.at));
    if (isNeeded(mount, outer)) made.push(mount);
  }
  return made;
}

function isNeeded(mount: Mount, outer: Mount | undefined): boolean {
  if (mount.kind === "hidden") return outer?.kind === "read-only";
  if (mount.kind === "writable" || outer === undefined) return true;
  // In the copy there is nothing but the copy, apart from what was asked for there by name.
  if (outer.kind === "writable") return mount.kind === "read-only";
  const shown = outer.kind === "read-only" && outer.from === outer.at;
  if (mount.kind === "link") return outer.kind === "empty";
  if (mount.kind === "read-only") return !(shown && mount.from === mount.at);
  return true;
}

function depth(path: string): number {
  return path === "/" ? 0 : path.split("/").length;
}

export function argumentsOf(mount: Mount): string[] {
  switch (mount.kind) {
    // What has gone since it was looked for is not there inside either.
    case "read-only":
      return ["--ro-bind-try", mount.from, mount.at];
    case "writable":
      return ["--bind", mount.from, mount.at];
    case "link":
      return ["--symlink", mount.to, mount.at];
    case "empty":
    case "hidden":
      return ["--tmpfs", mount.at];
    case "processes":
      return ["--proc", mount.at];
    case "devices":
      return ["--dev", mount.at];
  }
}
