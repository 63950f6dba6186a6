import { dirname, join } from "node:path";
import { type FailPoint, WITH_FAIL_POINTS } from "@cleveragents/application";
import type { ApplyJournal, JournalEntry } from "./apply-journal.ts";
import { giveOwner } from "./apply-staging.ts";
import { syncDirectory } from "./durable-files.ts";
import { isAt, stateOf } from "./file-state.ts";
import { createReadStream, mkdir, open, readFile, rename, rmdir, symlink, unlink } from "./native-fs.ts";
import { parentsOf } from "./project-paths.ts";
import { leavingOf, standsAt, survey } from "./touched-paths.ts";
import { lstatOrNull, removeIfEmpty } from "./tree-walk.ts";
import { errorCode } from "./workspace-failure.ts";

/** Somebody changed a file while the change was being written. */
export class ChangedMeanwhileError extends Error {
  override readonly name = "ChangedMeanwhileError";
  readonly path: string;
  constructor(path: string) {
    super(`${path} changed while it was being replaced`);
    this.path = path;
  }
}

/** Brings the project to the new state. May be repeated: what is done already is passed over. */
export async function carryOut(journal: ApplyJournal, at: FailPoint): Promise<void> {
  const { projectRoot: root, entries } = journal.text;
  const deletions = entries.filter((entry) => entry.after === null).toReversed();
  for (const entry of deletions) {
    const state = await stateOf(root, entry.path);
    if (state.kind === "absent" || state.kind === "directory") continue;
    if (!isAt(state, entry.before)) throw new ChangedMeanwhileError(entry.path);
    await unlink(join(root, entry.path));
    if (WITH_FAIL_POINTS) at("workspace.apply.deleted", entry.path);
  }
  for (const entry of entries) {
    if (entry.after === null) continue;
    await putInPlace(root, entry);
    if (WITH_FAIL_POINTS) at("workspace.apply.replaced", entry.path);
  }
  for (const entry of deletions) await removeEmptyParents(root, entry.path);
  if (WITH_FAIL_POINTS) at("workspace.apply.pruned");
  await syncParents(root, entries);
}

async function putInPlace(root: string, entry: JournalEntry): Promise<void> {
  const full = join(root, entry.path);
  const state = await stateOf(root, entry.path);
  if (isAt(state, entry.after)) return;
  const free =
    state.kind === "directory"
      ? entry.before === null && (await removeIfEmpty(full))
      : isAt(state, entry.before);
  if (!free || entry.staged === null) throw new ChangedMeanwhileError(entry.path);
  await makeParents(root, entry.path);
  if ((await stateOf(root, entry.staged)).kind !== "content") throw new ChangedMeanwhileError(entry.path);
  await rename(join(root, entry.staged), full);
}

async function makeParents(root: string, path: string): Promise<void> {
  try {
    await mkdir(dirname(join(root, path)), { recursive: true });
  } catch (error) {
    const code = errorCode(error);
    // A file has been made where a directory is needed.
    throw code === "EEXIST" || code === "ENOTDIR" ? new ChangedMeanwhileError(path) : error;
  }
}

/** Brings the project back to the old state. Files that are neither old nor new stay as they are: then it says false. */
export async function takeBack(journal: ApplyJournal, at: FailPoint): Promise<boolean> {
  const { projectRoot: root, entries, newDirectories } = journal.text;
  for (const entry of entries.toReversed()) {
    if (entry.after === null || entry.before !== null) continue;
    if (isAt(await stateOf(root, entry.path), entry.after)) await unlink(join(root, entry.path));
  }
  for (const directory of newDirectories.toReversed()) await rmdirIfEmpty(join(root, directory));
  for (const entry of entries) {
    if (entry.before === null) continue;
    const state = await stateOf(root, entry.path);
    if (!isAt(state, entry.after)) continue;
    await restoreSaved(journal, entry);
    if (WITH_FAIL_POINTS) at("workspace.apply.put-back", entry.path);
  }
  await syncParents(root, entries);
  const settled = await survey(root, entries);
  return settled.every((item) => isAt(item.state, item.before) || item.before === null);
}

async function restoreSaved(journal: ApplyJournal, entry: JournalEntry): Promise<void> {
  const root = journal.text.projectRoot;
  const saved = journal.savedAt(entry);
  if (saved === null) return;
  const full = join(root, entry.path);
  await mkdir(dirname(full), { recursive: true });
  const fresh = restoredAt(root, entry);
  await unlink(fresh).catch(() => {});
  if (entry.before?.mode === "120000") await symlink(await readFile(saved), fresh);
  else {
    await using handle = await open(fresh, "wx", 0o600);
    await handle.writeFile(createReadStream(saved));
    if (entry.permissions !== null) await handle.chmod(entry.permissions);
    await giveOwner(handle, entry);
    await handle.sync();
  }
  await rename(fresh, full);
}

/** Whether every path is as it was or as it will be: only then may recovery touch any of them. */
export async function matchesJournal(journal: ApplyJournal): Promise<boolean> {
  const { projectRoot: root, entries } = journal.text;
  const leaving = leavingOf(entries);
  const arriving = new Set(entries.filter((entry) => entry.after !== null).map((entry) => entry.path));
  for (const item of await survey(root, entries)) {
    if (isAt(item.state, item.after) || (await standsAt(root, item, item.before, leaving))) continue;
    // A deletion whose place a directory of the change has taken.
    if (item.after === null && (await standsAt(root, item, null, arriving))) continue;
    return false;
  }
  return true;
}

/**
 * Whether every file was replaced or deleted, although some of them are neither old nor new by now: what was staged
 * is used up, nothing is as it was, and one file at least is what it should become. Without that one the user may have
 * removed what was staged.
 */
export async function wasCarriedOut(journal: ApplyJournal): Promise<boolean> {
  const { projectRoot: root, entries } = journal.text;
  let fresh = false;
  for (const entry of entries) {
    const state = await stateOf(root, entry.path);
    if (entry.before !== null && isAt(state, entry.before)) return false;
    if (entry.staged === null) continue;
    if ((await stateOf(root, entry.staged)).kind !== "absent") return false;
    fresh ||= isAt(state, entry.after);
  }
  return fresh;
}

/** Removes what putting back old contents has begun to write. */
export async function discardRestored(journal: ApplyJournal): Promise<void> {
  const { projectRoot: root, entries } = journal.text;
  for (const entry of entries) {
    const fresh = restoredAt(root, entry);
    if ((await lstatOrNull(fresh)) !== null) await unlink(fresh);
  }
}

function restoredAt(root: string, entry: JournalEntry): string {
  return join(dirname(join(root, entry.path)), `.cleveragents-restore-${entry.saved}`);
}

/** Removes folders that the change has emptied. */
export async function pruneEmpty({ text }: ApplyJournal): Promise<void> {
  for (const { path, after } of text.entries)
    if (after === null) await removeEmptyParents(text.projectRoot, path);
}

async function removeEmptyParents(root: string, path: string): Promise<void> {
  for (const parent of parentsOf(path).toReversed()) {
    const found = await lstatOrNull(join(root, parent));
    if (found === null) continue;
    if (!found.isDirectory() || !(await rmdirIfEmpty(join(root, parent)))) return;
  }
}

async function rmdirIfEmpty(directory: string): Promise<boolean> {
  try {
    await rmdir(directory);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (
      code === "ENOTEMPTY" ||
      code === "EEXIST" ||
      code === "ENOENT" ||
      code === "ENOTDIR" ||
      code === "EBUSY"
    )
      return false;
    throw error;
  }
}

/** Makes the names that an apply has made or removed durable. */
export async function syncParents(root: string, entries: readonly JournalEntry[]): Promise<void> {
  const directories = new Set([""]);
  for (const { path } of entries) for (const parent of parentsOf(path)) directories.add(parent);
  for (const directory of directories) await syncDirectory(join(root, directory));
}
