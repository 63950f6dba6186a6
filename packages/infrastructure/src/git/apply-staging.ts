import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { WorkspaceError } from "@cleveragents/application";
import type { ApplyJournal, JournalEntry } from "./apply-journal.ts";
import type { BlobSink } from "./blob-reader.ts";
import { syncDirectory } from "./durable-files.ts";
import { isAt, stateOf } from "./file-state.ts";
import { mapLimit } from "./map-limit.ts";
import {
  createReadStream,
  type FileHandle,
  link,
  open,
  readlink,
  rm,
  symlink,
  writeFile,
} from "./native-fs.ts";
import { parentsOf } from "./project-paths.ts";
import type { Surveyed } from "./touched-paths.ts";
import { lstatOrNull } from "./tree-walk.ts";

const STAGED = ".cleveragents-apply-";

/** Plans where everything waits and is kept, before any of it is written. */
export async function planEntries(
  root: string,
  surveyed: readonly Surveyed[],
): Promise<{ entries: JournalEntry[]; newDirectories: string[] }> {
  const mark = randomBytes(6).toString("hex");
  const entries: JournalEntry[] = [];
  const missing = new Set<string>();
  for (const [at, item] of surveyed.entries()) {
    const stats = item.state.kind === "content" ? item.state.stats : null;
    let staged: string | null = null;
    if (item.after !== null) {
      const parents = parentsOf(item.path);
      let home = "";
      for (const parent of parents) {
        if ((await lstatOrNull(join(root, parent)))?.isDirectory()) home = `${parent}/`;
        else missing.add(parent);
      }
      staged = `${home}${STAGED}${mark}-${at}`;
    }
    entries.push({
      path: item.path,
      before: item.before,
      after: item.after,
      staged,
      saved: stats === null ? null : String(at),
      permissions: stats === null || stats.isSymbolicLink() ? null : stats.mode & 0o777,
      owner: stats === null ? null : { uid: stats.uid, gid: stats.gid },
    });
  }
  return { entries, newDirectories: [...missing].sort() };
}

/** Copies what is there into the journal, durably. Throws if it is no longer what was looked at. */
export async function saveOldContents(
  journal: ApplyJournal,
  changed: (path: string) => Error,
): Promise<void> {
  const root = journal.text.projectRoot;
  await mapLimit(journal.text.entries, 8, async (entry) => {
    const saved = journal.savedAt(entry);
    if (saved === null) return;
    const full = join(root, entry.path);
    if (entry.before?.mode === "120000") await writeFile(saved, await readlink(full, { encoding: "buffer" }));
    else {
      await using handle = await open(saved, "wx", 0o600);
      await handle.writeFile(createReadStream(full));
      await handle.sync();
    }
    // What was saved is what the journal says, or putting it back would be a lie.
    const kept = await stateOf(dirname(saved), entry.saved ?? "");
    if (kept.kind !== "content" || kept.side.sha256 !== entry.before?.sha256) throw changed(entry.path);
  });
  await syncDirectory(join(journal.directory, "old"));
}

/** Writes the new contents as temporary files on the project's file system, each fsynced. */
export class StagingSink implements BlobSink {
  readonly #root: string;
  readonly #waiting: JournalEntry[];
  #entry: JournalEntry | undefined;
  #handle: FileHandle | undefined;
  #target: Buffer[] = [];

  /** `entries` in the order in which the contents will come. */
  constructor(root: string, entries: readonly JournalEntry[]) {
    this.#root = root;
    this.#waiting = [...entries];
  }

  async begin(): Promise<void> {
    this.#entry = this.#waiting.shift();
    const entry = this.#entry;
    if (entry?.staged == null || entry.after === null)
      throw new WorkspaceError("GIT_FAILED", "a content came that was not asked for");
    this.#target = [];
    if (entry.after.mode !== "120000")
      this.#handle = await open(join(this.#root, entry.staged), "wx", creationMode(entry));
  }

  async chunk(bytes: Buffer): Promise<void> {
    if (this.#handle === undefined) this.#target.push(bytes);
    else await this.#handle.writeFile(bytes);
  }

  async end(): Promise<void> {
    const entry = this.#entry;
    if (entry?.staged == null) return;
    if (this.#handle === undefined)
      await symlink(Buffer.concat(this.#target), join(this.#root, entry.staged));
    else {
      await givePermissions(this.#handle, entry);
      await this.#handle.sync();
      await this.close();
    }
    if (!isAt(await stateOf(this.#root, entry.staged), entry.after))
      throw new WorkspaceError("GIT_FAILED", `${entry.path} could not be staged as it was approved`);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }
}

function creationMode(entry: JournalEntry): number {
  return entry.after?.mode === "100755" ? 0o777 : 0o666;
}

/** What replaces a file gets its permissions and owner; only the executable bits follow the change. */
async function givePermissions(handle: FileHandle, entry: JournalEntry): Promise<void> {
  const old = entry.permissions;
  if (old !== null) {
    const executable = entry.after?.mode === "100755";
    await handle.chmod(executable ? old | 0o100 | ((old & 0o044) >> 2) : old & ~0o111);
  }
  await giveOwner(handle, entry);
}

export async function giveOwner(handle: FileHandle, entry: JournalEntry): Promise<void> {
  const stats = await handle.stat();
  if (entry.owner === null || (stats.uid === entry.owner.uid && stats.gid === entry.owner.gid)) return;
  // Only root may; for others the file is theirs now, as with any editor that saves by renaming.
  await handle.chown(entry.owner.uid, entry.owner.gid).catch(() => {});
}

/**
 * A second name for the content that goes in place last. Once what was staged is gone and this is there, everything was
 * carried out, whatever the user has made of the file since. Where there are no hard links it is done without.
 */
export async function leaveWitness(root: string, entries: readonly JournalEntry[]): Promise<void> {
  const last = entries.findLast((entry) => entry.staged !== null);
  if (last?.staged == null) return;
  await link(join(root, last.staged), join(root, witnessOf(last.staged))).catch(() => {});
}

export async function isWitnessed(root: string, entries: readonly JournalEntry[]): Promise<boolean> {
  const last = entries.findLast((entry) => entry.staged !== null);
  if (last?.staged == null) return false;
  const [waiting, witness] = [last.staged, witnessOf(last.staged)].map((path) =>
    lstatOrNull(join(root, path)),
  );
  return (await waiting) === null && (await witness) !== null && (await witness) !== undefined;
}

function witnessOf(staged: string): string {
  return `${staged}-last`;
}

/** Removes temporary files that are still waiting. */
export async function discardStaged(root: string, entries: readonly JournalEntry[]): Promise<void> {
  for (const entry of entries) {
    if (entry.staged === null) continue;
    for (const path of [entry.staged, witnessOf(entry.staged)]) {
      const state = await stateOf(root, path);
      if (state.kind === "content") await rm(join(root, path), { force: true });
    }
  }
}
