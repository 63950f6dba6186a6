import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { nativePath } from "./native-paths.ts";
import type { ProjectStore } from "./project-store.ts";
import type { RawChange } from "./tree-comparison.ts";

/** A patch is one text, kept and sent as a whole: in bytes, of a file's two contents and of all of them. */
export interface PatchLimits {
  readonly file: number;
  readonly total: number;
}
export const PATCH_LIMITS: PatchLimits = { file: 16 * 1024 * 1024, total: 64 * 1024 * 1024 };

/** What a patch cannot hold: files that are too large, and the largest of the others until the rest fits. */
export function tooLarge<T>(
  changes: readonly T[],
  weightOf: (change: T) => number,
  limits: PatchLimits,
): Set<T> {
  const weighed = changes
    .map((change) => ({ change, weight: weightOf(change) }))
    .sort((a, b) => b.weight - a.weight);
  let left = weighed.reduce((sum, { weight }) => sum + weight, 0);
  const large = new Set<T>();
  for (const { change, weight } of weighed) {
    if (weight <= limits.file && left <= limits.total) break;
    large.add(change);
    left -= weight;
  }
  return large;
}

/** A patch that `git apply` takes, of all changes but some. Text that is not UTF-8 goes in as binary, since a string cannot hold its bytes. */
export async function patchBetween(
  store: ProjectStore,
  from: string,
  to: string,
  except: ReadonlySet<RawChange>,
): Promise<string> {
  const target = except.size === 0 ? to : await treeWithout(store, to, except);
  const args = [
    // Names that are not UTF-8 are then quoted, and git apply reads them.
    "-c",
    "core.quotePath=on",
    "diff-tree",
    "-r",
    "-p",
    "-M",
    "--binary",
    "--full-index",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    from,
    target,
  ];
  const patch = (await store.call(args)).stdout;
  const text = strictText(patch);
  if (text !== null) return text;
  const binary = splitPatch((await store.call(args, { env: store.binaryView })).stdout);
  return splitPatch(patch)
    .map((part, at) => strictText(part) ?? (binary[at] ?? part).toString("utf8"))
    .join("");
}

/** The tree in which some changes have not happened. */
async function treeWithout(store: ProjectStore, to: string, except: ReadonlySet<RawChange>): Promise<string> {
  const index = join(store.directory, `project-index.${randomBytes(6).toString("hex")}`);
  const lines: (string | Buffer)[] = [];
  for (const { modes, objects, path, previousPath } of except) {
    const old = previousPath ?? path;
    if (old !== path || modes[0] === "000000") lines.push(`0 ${"0".repeat(40)}\t`, nativePath(path), "\0");
    if (modes[0] !== "000000") lines.push(`${modes[0]} ${objects[0]}\t`, nativePath(old), "\0");
  }
  try {
    await store.call(["read-tree", to], { index });
    const input = Buffer.concat(lines.map((part) => Buffer.from(part)));
    await store.call(["update-index", "-z", "--index-info"], { index, input });
    return await store.writeTree(index);
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}

function strictText(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** One part per file. No line inside a hunk or a binary patch can begin like a header. */
function splitPatch(patch: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let start = 0;
  for (
    let next = patch.indexOf("\ndiff --git ", start);
    next !== -1;
    next = patch.indexOf("\ndiff --git ", start)
  ) {
    parts.push(patch.subarray(start, next + 1));
    start = next + 1;
  }
  parts.push(patch.subarray(start));
  return parts;
}
