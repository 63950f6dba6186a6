import { join, relative } from "node:path";
import {
  type AppliedFiles,
  type ApplyRequest,
  type ApplyTarget,
  type Clock,
  type FailPoint,
  type TellProgress,
  WITH_FAIL_POINTS,
  WorkspaceError,
} from "@cleveragents/application";
import { BaseDriftError, DigestMismatchError } from "@cleveragents/domain";
import { BranchCommit, type CheckedBranch } from "./apply-branch.ts";
import { applyChangeset } from "./apply-changeset.ts";
import { refuseEscapes } from "./apply-refusal.ts";
import { keepUndo } from "./apply-undo.ts";
import { FinishedApplies } from "./finished-applies.ts";
import type { GitCommand } from "./git-command.ts";
import { LinkTargets } from "./link-targets.ts";
import type { EntryChange } from "./merge-entries.ts";
import { shownPath } from "./native-paths.ts";
import { isInside } from "./project-paths.ts";
import { assertProjectThere, type FoundRepository } from "./project-probe.ts";
import type { ProjectStore } from "./project-store.ts";
import { driftOf, isDone, type Surveyed, survey, touchedPaths } from "./touched-paths.ts";
import { compareTrees } from "./tree-comparison.ts";

interface Deps {
  readonly git: GitCommand;
  readonly store: ProjectStore;
  readonly dataDir: string;
  readonly clock: Clock;
  /** The user's repository, if the project is one. */
  readonly repository: () => Promise<FoundRepository | undefined>;
  readonly failPoint?: FailPoint | undefined;
}

interface Checked {
  readonly digest: string;
  readonly surveyed: readonly Surveyed[];
  readonly objects: ReadonlyMap<string, string>;
  readonly entries: readonly EntryChange[];
  readonly branch: CheckedBranch | undefined;
}

/** One apply to one project. Whoever carries it out holds the project's lock. */
export class ProjectApply {
  readonly #deps: Deps;
  readonly #target: ApplyTarget;
  readonly #request: ApplyRequest;

  constructor(deps: Deps, target: ApplyTarget, request: ApplyRequest) {
    this.#deps = deps;
    this.#target = target;
    this.#request = request;
  }

  async carryOut(progress: TellProgress = () => {}): Promise<AppliedFiles> {
    const { store, clock, failPoint } = this.#deps;
    const { projectRoot } = this.#target;
    const { planId, digest } = this.#request;
    const finished = new FinishedApplies(this.#journals);
    const before = await finished.find(planId, { projectRoot, digest });
    if (before !== null) return before;
    const { surveyed, objects, entries, branch: checked } = await this.check();
    if (checked !== undefined) {
      const files = await this.#commit(checked, entries);
      await finished.remember(planId, { projectRoot, digest, files });
      return files;
    }
    if (surveyed.every(isDone)) {
      const files = { written: 0, deleted: 0 };
      await finished.remember(planId, { projectRoot, digest, files });
      return files;
    }
    const bytes = surveyed.reduce((sum, { after }) => sum + (after?.size ?? 0), 0);
    progress({ stage: "applying", files: surveyed.length, bytes });
    await keepUndo(store, planId, clock.now(), entries);
    if (WITH_FAIL_POINTS) failPoint?.("workspace.apply.undo-kept");
    const work = { planId, projectRoot, digest, surveyed, objects };
    return await applyChangeset(store, this.#journals, work, failPoint);
  }

  /** Throws whatever speaks against it; writes nothing. */
  async check(): Promise<Checked> {
    const { store, dataDir } = this.#deps;
    const { projectRoot: root, baseTree } = this.#target;
    const { planId, toTree, branch } = this.#request;
    const { changeset, digest, entries } = await this.#compared(baseTree, toTree);
    const objects = new Map(
      entries.flatMap(({ path, after }) => (after === null ? [] : [[path, after.object]])),
    );
    if (digest !== this.#request.digest) throw new DigestMismatchError(planId, this.#request.digest, digest);
    await assertProjectThere(root);
    const touched = touchedPaths(changeset);
    const surveyed = await survey(root, touched);
    const targets = new LinkTargets(touched, objects);
    await store.streamBlobs(targets.wanted, targets);
    const leaveOut = isInside(root, dataDir) ? relative(root, dataDir) : null;
    const refuse = () => refuseEscapes({ planId, root, leaveOut, touched, links: targets.byPath });
    let checked: CheckedBranch | undefined;
    if (branch !== undefined) {
      await refuse();
      checked = await (await this.#branch()).check({ planId, digest, branch, changes: entries });
    } else if (!surveyed.every(isDone)) {
      await refuse();
      const drifted = await driftOf(root, surveyed);
      if (drifted.length > 0) throw new BaseDriftError(planId, drifted);
    }
    return { digest, surveyed, objects, entries, branch: checked };
  }

  async #compared(from: string, to: string) {
    const { store } = this.#deps;
    try {
      return await compareTrees(store, from, to, []);
    } catch (error) {
      for (const tree of [from, to])
        if (!(await store.isTree(tree))) throw new WorkspaceError("GIT_FAILED", `there is no tree ${tree}`);
      throw error;
    }
  }

  /** Paths at which nothing is to be done. */
  static done({ surveyed }: Checked): string[] {
    return surveyed.filter(isDone).map((item) => shownPath(item.path));
  }

  get #journals(): string {
    return join(this.#deps.dataDir, "journal");
  }

  async #commit(checked: CheckedBranch, changes: readonly EntryChange[]): Promise<AppliedFiles> {
    const commit = await (await this.#branch()).carryOut(checked, this.#deps.failPoint);
    const written = changes.filter(({ after }) => after !== null).length;
    const deleted = changes.filter(({ after, previousPath }) => after === null || previousPath !== undefined);
    return { written, deleted: deleted.length, commit };
  }

  async #branch(): Promise<BranchCommit> {
    const { git, store } = this.#deps;
    const repository = await this.#deps.repository();
    if (repository === undefined)
      throw new WorkspaceError(
        "BRANCH_REFUSED",
        "the project is a plain folder, which has no branches",
        "apply to the folder instead",
      );
    return new BranchCommit({ git, store, repository, records: join(this.#journals, "branches") });
  }
}
