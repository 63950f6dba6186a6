import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type MergeConflict, MergeConflictError } from "@cleveragents/domain";
import {
  type EntryChange,
  type EntryEdit,
  editedTree,
  entriesSince,
  isSameEntry,
  type TreeEntry,
  withScratchIndex,
} from "./merge-entries.ts";
import { shownPath } from "./native-paths.ts";
import { byCodeUnit } from "./project-paths.ts";
import type { ProjectStore } from "./project-store.ts";
import { survey } from "./touched-paths.ts";

interface Merge {
  /** The base, with what the plan touches as it is in the project now. */
  readonly from: string;
  /** That, with the plan's changes merged in. */
  readonly to: string;
  /** Files that both have changed, and whose changes went together. */
  readonly merged: readonly string[];
}

/**
 * Merges changes to `base` with what the user has done to the same files since; the project is only read. Throws
 * {@link MergeConflictError} with every file that does not go together.
 */
export async function mergeWithProject(
  store: ProjectStore,
  work: { readonly planId: string; readonly root: string; readonly base: string },
  changes: readonly EntryChange[],
): Promise<Merge> {
  const { planId, root, base } = work;
  const conflicts: MergeConflict[] = [];
  const from = await projectNow(store, root, base, changes, conflicts);
  const moved = await entriesSince(store, base, from);
  const original = new Map(changes.map((change) => [change.previousPath ?? change.path, change.before]));
  const now = (path: string) => (moved.has(path) ? (moved.get(path) ?? null) : (original.get(path) ?? null));
  const edits: EntryEdit[] = [];
  const merged: string[] = [];
  for (const change of changes) {
    const source = change.previousPath ?? change.path;
    const result = await mergeOne(
      store,
      change,
      now(source),
      source === change.path ? null : now(change.path),
    );
    if (typeof result === "string") {
      conflicts.push({ path: shownPath(source), why: result });
      continue;
    }
    if (![null, change.before, result.entry].some((entry) => isSameEntry(now(source), entry)))
      merged.push(shownPath(change.path));
    if (source !== change.path && now(source) !== null) edits.push({ path: source, entry: null });
    if (!isSameEntry(now(change.path), result.entry)) edits.push({ path: change.path, entry: result.entry });
  }
  if (conflicts.length > 0)
    throw new MergeConflictError(
      planId,
      conflicts.toSorted((a, b) => byCodeUnit(a.path, b.path)),
    );
  return { from, to: await editedTree(store, from, edits), merged: merged.toSorted(byCodeUnit) };
}

async function projectNow(
  store: ProjectStore,
  root: string,
  base: string,
  changes: readonly EntryChange[],
  conflicts: MergeConflict[],
): Promise<string> {
  const paths = [...new Set(changes.flatMap(({ path, previousPath }) => [path, previousPath ?? path]))];
  const states = await survey(
    root,
    paths.map((path) => ({ path, before: null, after: null })),
  );
  const [present, unfit]: [string[], string[]] = [[], []];
  for (const { path, state } of states) {
    if (state.kind === "content") present.push(path);
    else if (state.kind === "other") conflicts.push({ path: shownPath(path), why: "it cannot be read" });
    // A folder in a file's place is found by the check for drift that every apply makes.
    else unfit.push(path);
  }
  return await withScratchIndex(store, async (index) => {
    await store.call(["read-tree", base], { index });
    await store.record(root, index, { present, unfit, gone: [] });
    return await store.writeTree(index);
  });
}

/** What becomes of one changed file, or why it cannot be said. `target`: what stands where a renamed file is to go. */
export async function mergeOne(
  store: ProjectStore,
  { before, after, previousPath }: EntryChange,
  now: TreeEntry | null,
  target: TreeEntry | null,
): Promise<{ readonly entry: TreeEntry | null } | string> {
  if (previousPath !== undefined) {
    if (now === null && isSameEntry(target, after)) return { entry: after };
    if (target !== null) return "the plan moves it to where something else is now";
  } else if (isSameEntry(now, after)) return { entry: after };
  if (isSameEntry(now, before)) return { entry: after };
  if (now === null) return "it was changed by the plan and deleted in the project";
  if (after === null) return "it was deleted by the plan and changed in the project";
  if (before === null) return "it was made by the plan and in the project, differently";
  if ([before, after, now].some(({ mode }) => mode === "120000")) return "it is a link on one side";
  const mode = now.mode === before.mode ? after.mode : now.mode;
  const object = await mergeContents(store, before.object, after.object, now.object);
  return object === null ? "both changed the same lines, or it is not text" : { entry: { mode, object } };
}

const NOT_TEXT_WITHIN = 8000;
/** Larger contents count as binary, as everywhere. */
const LARGEST_TEXT = 16 * 1024 * 1024;
const ANY_EXIT = Array.from({ length: 256 }, (_, code) => code);

/** All three, or null if one of them is no text. */
async function textsOf(store: ProjectStore, objects: readonly string[]): Promise<Buffer[] | null> {
  const facts = await store.factsOf(objects);
  if (objects.some((object) => (facts.get(object)?.size ?? 0) > LARGEST_TEXT)) return null;
  const contents: Buffer[][] = [];
  await store.streamBlobs(objects, {
    begin: () => void contents.push([]),
    chunk: (bytes) => void contents.at(-1)?.push(bytes),
    end: () => {},
  });
  const texts = contents.map((chunks) => Buffer.concat(chunks));
  return texts.some((text) => text.subarray(0, NOT_TEXT_WITHIN).includes(0)) ? null : texts;
}

async function mergeContents(
  store: ProjectStore,
  base: string,
  theirs: string,
  ours: string,
): Promise<string | null> {
  if (ours === base || ours === theirs) return theirs;
  if (theirs === base) return ours;
  return await mergedFile(store, [ours, base, theirs], (code) => code === 0);
}

/** What both sides have made of a text, with marks around what does not go together; null where it is no text of both. */
export async function markedContents(
  store: ProjectStore,
  before: TreeEntry | null,
  theirs: TreeEntry | null,
  ours: TreeEntry | null,
): Promise<TreeEntry | null> {
  if (theirs === null || ours === null) return null;
  if ([before, theirs, ours].some((entry) => entry?.mode === "120000")) return null;
  const base = before?.object ?? (await store.emptyBlob());
  const object = await mergedFile(store, [ours.object, base, theirs.object], (code) => code < 128);
  return object === null ? null : { mode: ours.mode, object };
}

const MARKS = ["-L", "plan", "-L", "base", "-L", "subplan"];

/** Our side, the base and theirs; `accepts`: which exit codes of git give a content. */
async function mergedFile(
  store: ProjectStore,
  objects: readonly [ours: string, base: string, theirs: string],
  accepts: (code: number) => boolean,
): Promise<string | null> {
  const directory = await mkdtemp(join(store.directory, "scratch-merge."));
  try {
    const sides: string[] = [];
    const contents = await textsOf(store, objects);
    if (contents === null) return null;
    for (const [at, content] of contents.entries()) {
      const side = join(directory, String(at));
      await writeFile(side, content);
      sides.push(side);
    }
    const answer = await store.call(["merge-file", "-p", "-q", ...MARKS, ...sides], { accept: ANY_EXIT });
    if (!accepts(answer.code)) return null;
    const made = await store.call(["hash-object", "-w", "--no-filters", "--stdin"], { input: answer.stdout });
    return made.stdout.toString("latin1").trim();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
