import { createHash } from "node:crypto";
import { type TellProgress, WorkspaceError } from "@cleveragents/application";
import {
  type ChangeOp,
  type Changeset,
  canonicalChangeset,
  type FileChange,
  type FileMode,
  type FileSide,
  statsOf,
} from "@cleveragents/domain";
import type { BlobFacts } from "./blob-reader.ts";
import type { EntryChange, TreeEntry } from "./merge-entries.ts";
import { decodePath, hasOddBytes, quotePath } from "./native-paths.ts";
import { byCodeUnit, splitNul } from "./project-paths.ts";
import type { ProjectStore } from "./project-store.ts";
import { risksOf } from "./risk-notes.ts";
import { PATCH_LIMITS, type PatchLimits, patchBetween, tooLarge } from "./tree-patch.ts";

/** What differs between two trees, whatever the project around them. */
export interface TreeDifference {
  readonly files: readonly FileChange[];
  readonly digest: string;
  /** The same changes as the store names them. */
  readonly entries: readonly EntryChange[];
  /** See `ComparedTrees.patch` of the port. */
  patch(): Promise<string>;
}

interface Comparison extends Omit<TreeDifference, "files"> {
  readonly changeset: Changeset;
}

export interface RawChange {
  readonly modes: readonly [string, string];
  readonly objects: readonly [string, string];
  readonly status: string;
  readonly path: string;
  readonly previousPath?: string;
}

// Larger contents count as binary: git would hold both sides in memory to count lines.
const COMPARE = [
  "-c",
  "core.bigFileThreshold=16m",
  "diff-tree",
  "-r",
  "-z",
  "-M",
  "--no-ext-diff",
  "--no-textconv",
];

/** Compares two trees of a store. The same trees always give the same changeset and digest. */
export async function compareTrees(
  store: ProjectStore,
  from: string,
  to: string,
  nested: readonly string[],
  limits: PatchLimits = PATCH_LIMITS,
  progress?: TellProgress,
): Promise<Comparison> {
  const { files, ...rest } = await differenceOf(store, from, to, limits, progress);
  return {
    ...rest,
    changeset: { version: 1, files: [...files], stats: statsOf(files), risks: risksOf(files, nested) },
  };
}

async function differenceOf(
  store: ProjectStore,
  from: string,
  to: string,
  limits: PatchLimits,
  progress: TellProgress | undefined,
): Promise<TreeDifference> {
  // They come from a plan's document; git would take another word for an option, or for a name of its own.
  for (const tree of [from, to])
    if (!/^[0-9a-f]{40}$/.test(tree)) throw new WorkspaceError("GIT_FAILED", `there is no tree ${tree}`);
  const key = [from, to, limits.file, limits.total].join(" ");
  const known = store.comparisons.get(key);
  if (known !== undefined) return known;
  const difference = from === to ? NO_DIFFERENCE : await findDifference(store, from, to, limits, progress);
  store.comparisons.put(key, difference);
  return difference;
}

async function findDifference(
  store: ProjectStore,
  from: string,
  to: string,
  limits: PatchLimits,
  progress: TellProgress | undefined,
): Promise<TreeDifference> {
  const answer = await store.call([...COMPARE, "--raw", "--no-abbrev", "--numstat", from, to]);
  const records = splitNul(answer.stdout);
  const raw = takeRaw(records);
  const lines = takeNumstat(records.slice(raw.consumed));
  const tell = (bytes: number) => progress?.({ stage: "comparing", files: raw.changes.length, bytes });
  tell(0);
  const facts = await store.factsOf(
    raw.changes.flatMap((change) => change.objects.filter(isContent)),
    tell,
  );
  const large = tooLarge(raw.changes, (change) => weightOf(change, facts), limits);
  const files = raw.changes
    .map((change) => fileChange(change, facts, lines.get(change.path), large.has(change)))
    .sort((a, b) => byCodeUnit(a.path, b.path));
  return {
    patch: () => patchBetween(store, from, to, large),
    files,
    digest: digestOf(files),
    entries: raw.changes.map(entryChange),
  };
}

function entryChange({ path, previousPath, modes, objects }: RawChange): EntryChange {
  const side = (at: 0 | 1): TreeEntry | null =>
    isContent(objects[at]) ? { mode: modes[at], object: objects[at] } : null;
  return {
    path,
    ...(previousPath === undefined ? {} : { previousPath }),
    before: side(0),
    after: side(1),
  };
}

/** How many bytes of contents a patch of the change may have to hold. */
function weightOf(change: RawChange, facts: ReadonlyMap<string, BlobFacts>): number {
  const [before, after] = change.objects;
  if (before === after) return 0;
  return (facts.get(before)?.size ?? 0) + (facts.get(after)?.size ?? 0);
}

function digestOf(files: readonly FileChange[]): string {
  return `sha256:${createHash("sha256").update(canonicalChangeset(files)).digest("hex")}`;
}

const NO_DIFFERENCE: TreeDifference = {
  files: [],
  digest: digestOf([]),
  entries: [],
  patch: async () => "",
};

function isContent(object: string): boolean {
  return !/^0+$/.test(object);
}

/** `:<mode> <mode> <object> <object> <status>` NUL path [NUL new path], before the numstat records. */
function takeRaw(records: readonly Buffer[]): { changes: RawChange[]; consumed: number } {
  const changes: RawChange[] = [];
  let at = 0;
  while (records[at]?.[0] === 0x3a) {
    const [oldMode, newMode, before, after, status] = textAt(records, at).slice(1).split(" ");
    if (
      oldMode === undefined ||
      newMode === undefined ||
      before === undefined ||
      after === undefined ||
      status === undefined
    )
      throw new WorkspaceError("GIT_FAILED", "git diff-tree said something unexpected");
    const first = pathAt(records, at + 1);
    const renamed = status.startsWith("R");
    changes.push({
      modes: [oldMode, newMode],
      objects: [before, after],
      status,
      path: renamed ? pathAt(records, at + 2) : first,
      ...(renamed ? { previousPath: first } : {}),
    });
    at += renamed ? 3 : 2;
  }
  return { changes, consumed: at };
}

interface Lines {
  readonly insertions: number;
  readonly deletions: number;
  readonly binary: boolean;
}

/** `<insertions> TAB <deletions> TAB path`, or an empty path and then old and new name as records of their own. */
function takeNumstat(records: readonly Buffer[]): Map<string, Lines> {
  const lines = new Map<string, Lines>();
  for (let at = 0; at < records.length; at++) {
    const record = records[at];
    if (record === undefined) break;
    const first = record.indexOf(9);
    const second = record.indexOf(9, first + 1);
    const insertions = record.toString("latin1", 0, first);
    const deletions = record.toString("latin1", first + 1, second);
    let path = decodePath(record.subarray(second + 1));
    if (path === "") {
      path = pathAt(records, at + 2);
      at += 2;
    }
    const binary = insertions === "-";
    lines.set(path, {
      binary,
      insertions: binary ? 0 : Number(insertions),
      deletions: binary ? 0 : Number(deletions),
    });
  }
  return lines;
}

function textAt(records: readonly Buffer[], at: number): string {
  return (records[at] ?? Buffer.alloc(0)).toString("latin1");
}

function pathAt(records: readonly Buffer[], at: number): string {
  return decodePath(records[at] ?? Buffer.alloc(0));
}

const OPS: Readonly<Record<string, ChangeOp>> = {
  A: "create",
  D: "delete",
  M: "modify",
  T: "modify",
  R: "rename",
};

function fileChange(
  change: RawChange,
  facts: ReadonlyMap<string, BlobFacts>,
  lines: Lines | undefined,
  leftOut: boolean,
): FileChange {
  const op = OPS[change.status.charAt(0)];
  if (op === undefined)
    throw new WorkspaceError("GIT_FAILED", `git diff-tree gave the status ${change.status}`);
  return {
    ...namesOf(change),
    op,
    before: sideOf(change.modes[0], change.objects[0], facts),
    after: sideOf(change.modes[1], change.objects[1], facts),
    binary: lines?.binary ?? false,
    ...(leftOut ? { leftOut } : {}),
    insertions: lines?.insertions ?? 0,
    deletions: lines?.deletions ?? 0,
  };
}

/** Both names are quoted where one of them has to be. */
function namesOf({ path, previousPath }: RawChange): Pick<FileChange, "path" | "previousPath" | "quoted"> {
  const quoted = hasOddBytes(path) || (previousPath !== undefined && hasOddBytes(previousPath));
  const told = (name: string) => (quoted ? quotePath(name) : name);
  return {
    path: told(path),
    ...(previousPath === undefined ? {} : { previousPath: told(previousPath) }),
    ...(quoted ? { quoted } : {}),
  };
}

function sideOf(mode: string, object: string, facts: ReadonlyMap<string, BlobFacts>): FileSide | null {
  if (!isContent(object)) return null;
  const known = facts.get(object);
  if (known === undefined || !isFileMode(mode))
    throw new WorkspaceError("GIT_FAILED", `no content for ${object} (${mode})`);
  return { mode, sha256: known.sha256, size: known.size };
}

function isFileMode(mode: string): mode is FileMode {
  return mode === "100644" || mode === "100755" || mode === "120000";
}
