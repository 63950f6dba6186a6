import type {
  Changeset,
  DriftedFile,
  FileView,
  JsonObject,
  MergeConflict,
  PlanSandbox,
} from "@cleveragents/domain";

export interface ProjectInspection {
  /** Real, absolute path of the project's root: the work tree's top for git, else the folder itself. */
  readonly root: string;
  readonly kind: "git" | "plain";
  /** Branch, or undefined when detached or plain. */
  readonly branch?: string;
  /** Commit id, or undefined for an empty repository or a plain folder. */
  readonly head?: string;
  /** Things a user should know before relying on it: submodules, LFS, sparse or shallow clones. */
  readonly warnings: readonly string[];
}

export type WorkspaceReason =
  | "PATH_NOT_FOUND"
  | "NOT_A_DIRECTORY"
  | "FORBIDDEN_PATH"
  | "BARE_REPOSITORY"
  | "GIT_MISSING"
  | "GIT_TOO_OLD"
  | "DUBIOUS_OWNERSHIP"
  | "SANDBOX_GONE"
  | "NO_SPACE"
  | "QUOTA_EXCEEDED"
  | "BRANCH_REFUSED"
  | "IDENTITY_MISSING"
  | "GIT_FAILED";

/** Why a folder cannot be worked on; `reason` is stable, `hint` says what to do. */
export class WorkspaceError extends Error {
  override readonly name = "WorkspaceError";
  readonly reason: WorkspaceReason;
  readonly hint: string | undefined;
  constructor(reason: WorkspaceReason, message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.hint = hint;
  }
}

/** What is kept for a plan takes of the disk; contents that several plans share do not count. */
export interface HeldSize {
  readonly bytes: number;
  readonly files: number;
}

/**
 * What work on many files has come to, and how much it is: at `recording` contents are read, then written, at
 * `dependencies` ignored folders are copied for a command, at `comparing` the sandbox's files are looked at, and then
 * those that have changed are read, and at `applying` the project's are written.
 */
export interface SandboxProgress extends HeldSize {
  readonly stage: "recording" | "copying" | "dependencies" | "comparing" | "applying";
}
export type TellProgress = (progress: SandboxProgress) => void;

export interface Sandbox {
  /** What is stored on the plan; `open` of it gives the sandbox back, in this process or the next. */
  readonly state: Pick<PlanSandbox, "kind" | "ref" | "warnings">;
  /** Absolute real path of the directory that tools work in. It has no `.git` that the host would read. */
  readonly root: string;
  /** Where the project really is; tools map paths below it to `root`. */
  readonly projectRoot: string;
  /** The tree that the plan started from. */
  readonly baseTree: string;
  /** Records the present content; the same content gives the same tree. Kept safe from garbage collection. */
  checkpoint(label: string, progress?: TellProgress): Promise<string>;
  /** Makes the directory exactly this tree again: also untracked files, deletions and modes. Repeatable. */
  restore(tree: string): Promise<void>;
  /** Compares two trees (default: base and a fresh checkpoint). */
  compare(from?: string, to?: string, progress?: TellProgress): Promise<ComparedTrees>;
  /** Removes the directory and what was kept for it. Idempotent; never touches the project's files. */
  dispose(): Promise<void>;
}

export interface ComparedTrees {
  readonly from: string;
  readonly to: string;
  readonly changeset: Changeset;
  /** `sha256:` and the SHA-256 of the canonical changeset. */
  readonly digest: string;
  /** Unified diff with `--binary --full-index` and renames; applies with `git apply`. */
  patch(): Promise<string>;
}

/** What a changeset is applied to: the project, and the tree that the changeset is a change of. */
export type ApplyTarget = Pick<Sandbox, "projectRoot" | "baseTree">;

export interface ApplyRequest {
  readonly planId: string;
  /** The digest that was approved; what would be written is compared again and refused if it differs. */
  readonly digest: string;
  readonly toTree: string;
  /** Makes a commit on this branch of the user's repository instead of writing the working tree. */
  readonly branch?: string;
}
export interface AppliedFiles {
  readonly written: number;
  readonly deleted: number;
  /** The commit that was made, where a branch was asked for. */
  readonly commit?: string;
}

export interface SelectRequest {
  readonly planId: string;
  /** Of the whole changeset that the selection is from. */
  readonly digest: string;
  /** Path globs as git's: `*` within a folder, `**` across them, a folder means all in it. None: everything. */
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
  /** Merge with what the user has done to the same files since. */
  readonly rebase?: boolean;
}
/** A part of a changeset, or one that was merged with the project; `from` is the tree that it is a change of. */
export interface SelectedChange extends ComparedTrees {
  /** What was not selected, as a changeset of the sandbox's base; undefined if that is nothing. */
  readonly leftOut?: ComparedTrees;
  /** Files whose changes were merged with the user's. */
  readonly merged: readonly string[];
}

/** Another plan's copy, and the tree of it that is meant. */
export interface DerivedFrom {
  readonly planId: string;
  readonly projectRoot: string;
  readonly state: { readonly kind: "git" | "plain"; readonly ref: JsonObject };
  readonly tree: string;
  /**
   * What the new sandbox shows of the tree, and of what the other one shows. Other files are not in its directory, and stay
   * in every tree of it as they are, unless something is made in their places.
   */
  readonly view?: FileView | undefined;
}

export interface TreesToMerge {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  /** Whose file is taken where the two do not go together; both are told when absent. */
  readonly side?: "ours" | "theirs" | undefined;
}

export interface MergedTrees {
  readonly tree: string;
  /** Files that both had changed, and whose changes went together. */
  readonly merged: readonly string[];
  readonly conflicts: readonly MergeConflict[];
}

/**
 * Copies of projects that plans work on, by git plumbing: index, HEAD, stash, configuration, hooks and working tree
 * of the user are never touched before `apply`, and then only the changed paths of the working tree.
 */
export interface Workspace {
  /** Looks at a folder. Throws {@link WorkspaceError} if it cannot be a project. Probed anew each time. */
  inspect(path: string): Promise<ProjectInspection>;
  /**
   * Exports the project as it is now (tracked and untracked, ignored left out). Throws {@link WorkspaceError}, before
   * anything is written where there is not room enough. `progress` is told each stage as it begins, and throws nothing.
   */
  create(planId: string, projectRoot: string, signal: AbortSignal, progress?: TellProgress): Promise<Sandbox>;
  /**
   * Makes the copy of a plan from a tree of another plan's, of the same project, as `create` does from the project. The
   * tree is what it starts from.
   */
  derive(planId: string, from: DerivedFrom, signal: AbortSignal, progress?: TellProgress): Promise<Sandbox>;
  /** Keeps a tree of any plan of the project as long as what is kept for this plan. */
  keep(planId: string, projectRoot: string, tree: string): Promise<void>;
  /**
   * Does to one tree what another one changes of a common base; renames are followed, texts are merged. Files that do
   * not go together are told, and stand in the answer's tree with conflict marks if they are texts, else as in `ours`;
   * with a side named that side's is taken, and none is told. The tree is kept for the plan. The copy is not changed.
   */
  merge(sandbox: Sandbox, planId: string, trees: TreesToMerge): Promise<MergedTrees>;
  /** Throws `WorkspaceError` SANDBOX_GONE if the directory is not there any more. */
  open(
    planId: string,
    projectRoot: string,
    state: { readonly kind: "git" | "plain"; readonly ref: JsonObject },
  ): Promise<Sandbox>;
  /**
   * Files that stand in the way of the changeset, since they are no longer the base's. None if the project holds
   * already all that it would write. Throws `WorkspaceError` where the project's folder is not there any more; so do
   * `check` and `apply`.
   */
  drift(sandbox: Pick<Sandbox, "projectRoot">, changeset: Changeset): Promise<readonly DriftedFile[]>;
  /**
   * The part of a changeset that is to be applied; its trees are kept as long as the plan. The project is only read.
   * Renames, and files that take the place of folders, are selected whole. Throws `DigestMismatchError` if the sandbox
   * holds another changeset, `SelectionError`, and `MergeConflictError` with all files that do not go together.
   */
  select(sandbox: Sandbox, request: SelectRequest): Promise<SelectedChange>;
  /** Throws what `apply` would throw, and writes nothing. Answers the paths that are already as they would be. */
  check(target: ApplyTarget, request: ApplyRequest): Promise<readonly string[]>;
  /**
   * Writes the changeset into the project, all of it or none: under a lock per project, after checking digest and
   * drift again (`DigestMismatchError`, `BaseDriftError`), through a journal, with fsync. A link that leads out of the
   * project is `ChangesetRefusedError`. Applying what is there already changes nothing and succeeds.
   * An apply that has ended is remembered until `release`: the same one again answers what the first did, and leaves
   * alone whatever the user has done to the files since. What undoes it is kept for 30 days: see `undo`.
   * With a branch: HEAD, index and working tree are left alone, no hook runs, the committer is who the user's
   * configuration says (`IDENTITY_MISSING`). A branch that is not where an apply has left it, is checked out, or whose
   * commit does not hold what the change builds on, is `BRANCH_REFUSED`.
   */
  apply(target: ApplyTarget, request: ApplyRequest, progress?: TellProgress): Promise<AppliedFiles>;
  /**
   * The exact inverse of what a plan's apply did to the files, for 30 days, also when the plan is released; applied as
   * any other changeset. Undefined if it is not kept.
   */
  undo(planId: string, projectRoot: string): Promise<ComparedTrees | undefined>;
  /** Finishes or takes back applies that were cut off; called once at start, before any plan goes on. */
  recover(): Promise<readonly RecoveredApply[]>;
  /** For which plans something is kept, be it half made, half removed, or only the record of an apply. Reads names alone. */
  holdings(): Promise<readonly string[]>;
  /** When the newest of what is kept for a plan was made, in milliseconds; undefined if nothing is. */
  heldSince(planId: string): Promise<number | undefined>;
  /** Nothing at all for a plan for which nothing is kept. Reads every directory of its sandbox. */
  weigh(planId: string): Promise<HeldSize>;
  /**
   * Removes whatever is kept for a plan that is over, and finishes removals that were cut off; never the project's
   * files. Idempotent. False, with nothing done, while anybody, in this process or another, makes the plan's sandbox.
   */
  release(planId: string): Promise<boolean>;
  /**
   * Throws away, in its own time, what nothing refers to any more: contents that no plan has needed for a day, and
   * temporary files of processes that are gone. May run while plans work.
   */
  tidy(): Promise<void>;
}
export interface RecoveredApply {
  readonly planId: string;
  readonly projectRoot: string;
  /** `rolled-forward`: the tree is entirely new. `rolled-back`: entirely old. `left`: somebody changed it since. */
  readonly outcome: "rolled-forward" | "rolled-back" | "left";
}
