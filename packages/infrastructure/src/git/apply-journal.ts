import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { syncDirectory, writeDurably } from "./durable-files.ts";
import type { TouchedPath } from "./touched-paths.ts";
import { namesIn } from "./tree-walk.ts";
import { errorCode } from "./workspace-failure.ts";

/**
 * `preparing`: nothing of the project has been touched but temporary files. `committed`: every new content is staged,
 * the change will be finished. `reverting`: finishing failed, the old contents are being put back.
 */
type JournalPhase = "preparing" | "committed" | "reverting";

export interface JournalEntry extends TouchedPath {
  /** Where the new content waits, relative to the project; null for a deletion. */
  readonly staged: string | null;
  /** Name under `old/` in the journal; null where there was nothing. */
  readonly saved: string | null;
  /** Permission bits and owner of what was there, to be given to what takes its place. */
  readonly permissions: number | null;
  readonly owner: { readonly uid: number; readonly gid: number } | null;
}

interface JournalText {
  readonly version: 1;
  readonly planId: string;
  readonly projectRoot: string;
  /** Of the changeset that is applied. */
  readonly digest: string;
  readonly phase: JournalPhase;
  readonly entries: readonly JournalEntry[];
  /** Directories that the change makes, outermost first. */
  readonly newDirectories: readonly string[];
}

/** The record of one apply: enough to finish it or take it back after a crash at any moment. */
export class ApplyJournal {
  readonly directory: string;
  #text: JournalText;

  private constructor(directory: string, text: JournalText) {
    this.directory = directory;
    this.#text = text;
  }

  get text(): JournalText {
    return this.#text;
  }

  static async begin(journals: string, name: string, text: JournalText): Promise<ApplyJournal> {
    const draft = join(journals, `begin-${name}`);
    const directory = join(journals, name);
    await mkdir(join(draft, "old"), { recursive: true, mode: 0o700 });
    await new ApplyJournal(draft, text).#write();
    // Whoever sees it sees it whole: the recovery of another process takes one without a text for done with.
    await rename(draft, directory);
    await syncDirectory(journals);
    return new ApplyJournal(directory, text);
  }

  /** Those that a process left behind. One without a readable text had not begun: it is removed. */
  static async leftBehind(journals: string): Promise<ApplyJournal[]> {
    const found: ApplyJournal[] = [];
    for (const name of (await namesIn(journals)).sort()) {
      const directory = join(journals, name);
      if (!name.startsWith("apply-")) continue;
      const text = await readText(join(directory, "journal.json"));
      if (text === null) await rm(directory, { recursive: true, force: true });
      else found.push(new ApplyJournal(directory, text));
    }
    return found;
  }

  /** As it is by now, for who has waited for its project's lock; null if whoever began it has closed it. */
  async reread(): Promise<ApplyJournal | null> {
    const text = await readText(join(this.directory, "journal.json"));
    return text === null ? null : new ApplyJournal(this.directory, text);
  }

  async enter(phase: JournalPhase): Promise<void> {
    this.#text = { ...this.#text, phase };
    await this.#write();
  }

  savedAt(entry: JournalEntry): string | null {
    return entry.saved === null ? null : join(this.directory, "old", entry.saved);
  }

  /** The apply has ended, one way or the other: a crash from here on finds nothing to do. */
  async close(): Promise<void> {
    await rm(join(this.directory, "journal.json"), { force: true });
    await syncDirectory(this.directory);
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Keeps the saved contents for a person to look at, where recovery does not look again. */
  async setAside(journals: string): Promise<string> {
    const left = join(journals, "left", basename(this.directory));
    await mkdir(join(journals, "left"), { recursive: true, mode: 0o700 });
    await rename(this.directory, left);
    return left;
  }

  async #write(): Promise<void> {
    await writeDurably(join(this.directory, "journal.json"), JSON.stringify(this.#text));
  }
}

async function readText(file: string): Promise<JournalText | null> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as JournalText; // written by us, atomically
  } catch (error) {
    if (errorCode(error) === "ENOENT" || error instanceof SyntaxError) return null;
    throw error;
  }
}
