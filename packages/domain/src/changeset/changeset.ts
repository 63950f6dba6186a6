/** What a plan would change in a project: a comparison of two trees, never of tool logs. */
export type FileMode = "100644" | "100755" | "120000" | "160000";

export interface FileSide {
  readonly mode: FileMode;
  /** SHA-256 of the content (of the link's target for 120000), lower-case hex. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

export type ChangeOp = "create" | "modify" | "delete" | "rename";

export interface FileChange {
  /** Relative to the project, `/` as separator, exact bytes as UTF-8; the new name for a rename. */
  readonly path: string;
  readonly previousPath?: string;
  /**
   * Where a name is not UTF-8: both are quoted as git does it, in double quotes, bytes that are not printable ASCII as
   * `\ooo`, so that they still stand for exactly one sequence of bytes.
   */
  readonly quoted?: true;
  readonly op: ChangeOp;
  readonly before: FileSide | null;
  readonly after: FileSide | null;
  readonly binary: boolean;
  /** Too large for the patch: applied like all others, but shown by its statistics alone. */
  readonly leftOut?: true;
  /** Lines; 0 for binary files. */
  readonly insertions: number;
  readonly deletions: number;
}

export interface ChangesetStats {
  readonly files: number;
  readonly created: number;
  readonly modified: number;
  readonly deleted: number;
  readonly renamed: number;
  readonly modeChanges: number;
  readonly binary: number;
  readonly insertions: number;
  readonly deletions: number;
}

/** A thing a careful person would want pointed out before applying. */
export interface RiskNote {
  readonly kind: "symlink" | "executable" | "binary" | "large" | "deletion" | "submodule" | "dotfile";
  readonly path: string;
  readonly note: string;
}

export interface Changeset {
  readonly version: 1;
  /** Sorted by path, by code unit. */
  readonly files: readonly FileChange[];
  readonly stats: ChangesetStats;
  readonly risks: readonly RiskNote[];
}

/** What status and gates show of a changeset. */
export interface ChangesetSummary extends ChangesetStats {
  readonly risks: number;
}

export function statsOf(files: readonly FileChange[]): ChangesetStats {
  const count = (test: (file: FileChange) => boolean) => files.filter(test).length;
  return {
    files: files.length,
    created: count((f) => f.op === "create"),
    modified: count((f) => f.op === "modify"),
    deleted: count((f) => f.op === "delete"),
    renamed: count((f) => f.op === "rename"),
    modeChanges: count((f) => f.before !== null && f.after !== null && f.before.mode !== f.after.mode),
    binary: count((f) => f.binary),
    insertions: files.reduce((sum, f) => sum + f.insertions, 0),
    deletions: files.reduce((sum, f) => sum + f.deletions, 0),
  };
}

export function summaryOf(changeset: Changeset): ChangesetSummary {
  return { ...changeset.stats, risks: changeset.risks.length };
}

/**
 * The canonical text of a changeset: the bytes that its digest covers. Only what would be applied counts (paths,
 * operations, modes, content hashes, sizes), so that the same change has the same digest however it came about.
 */
export function canonicalChangeset(files: readonly FileChange[]): string {
  const side = (s: FileSide | null) => (s === null ? null : { mode: s.mode, sha256: s.sha256, size: s.size });
  const rows = [...files]
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map((f) => ({
      after: side(f.after),
      before: side(f.before),
      op: f.op,
      path: f.path,
      ...(f.previousPath === undefined ? {} : { previousPath: f.previousPath }),
      ...(f.quoted === true ? { quoted: true } : {}),
    }));
  return JSON.stringify({ version: 1, files: rows });
}
