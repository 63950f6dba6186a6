import { join, relative } from "node:path";
import {
  type AppliedFiles,
  type ApplyRequest,
  type ApplyTarget,
  type Clock,
  type FailPoint,
  WITH_FAIL_POINTS,
  WorkspaceError,
} from "@cleveragents/application";
import { BaseDriftError, DigestMismatchError } from "@cleveragents/domain";
import { BranchCommit } from "./apply-branch.ts";
import { applyChangeset } from "./apply-changeset.ts";
import { refuseEscapes } from "./apply-refusal.ts";
import { keepUndo } from "./apply-undo.ts";
import { FinishedApplies } from "./finished-applies.ts";
import type { GitCommand } from "./git-command.ts";
import { LinkTargets } from "./link-targets.ts";
import { entryChanges } from "./merge-entries.ts";
import { shownPath } from "./native-paths.ts";
import { isInside } from "./project-paths.ts";
import type { ProjectStore } from "./project-store.ts";
import { driftOf, isDone, type Surveyed, survey, touchedPaths } from "./touched-paths.ts";
import { compareTrees } from "./tree-comparison.ts";

interface Deps {
  readonly git: GitCommand;
  readonly store: ProjectStore;
  readonly dataDir: string;
  readonly clock: Clock;
  /** The user's repository, if the project is one. */
  readonly gitDir: () => Promise<string | undefined>;
  readonly failPoint?: FailPoint | undefined;
}

interface Checked {
  readonly digest: string;
  readonly surveyed: readonly Surveyed[];
  readonly objects: ReadonlyMap<string, string>;
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

  async carryOut(): Promise<AppliedFiles> {
    const { store, clock, failPoint } = this.#deps;
    const { projectRoot } = this.#target;
    const { planId, digest, branch } = this.#request;
    const finished = new FinishedApplies(this.#journals);
    const before = await finished.find(planId, { projectRoot, digest });
    if (before !== null) return before;
    const { surveyed, objects } = await this.check();
    if (branch !== undefined) {
      const files = await this.#commit(branch);
      await finished.remember(planId, { projectRoot, digest, files });
      return files;
    }
    if (surveyed.every(isDone)) {
      const files = { written: 0, deleted: 0 };
      await finished.remember(planId, { projectRoot, digest, files });
      return files;
    }
    await keepUndo(store, planId, clock.now(), await this.#changes());
    if (WITH_FAIL_POINTS) failPoint?.("workspace.apply.undo-kept");
    const work = { planId, projectRoot, digest, surveyed, objects };
    return await applyChangeset(store, this.#journals, work, failPoint);
  }

  /** Throws whatever speaks against it; writes nothing. */
  async check(): Promise<Checked> {
    const { store, dataDir } = this.#deps;
    const { projectRoot: root, baseTree } = this.#target;
    const { planId, toTree, branch } = this.#request;
    for (const tree of [baseTree, toTree])
      if (!(await store.isTree(tree))) throw new WorkspaceError("GIT_FAILED", `there is no tree ${tree}`);
    const { changeset, digest, objects } = await compareTrees(store, baseTree, toTree, []);
    if (digest !== this.#request.digest) throw new DigestMismatchError(planId, this.#request.digest, digest);
    const touched = touchedPaths(changeset);
    const surveyed = await survey(root, touched);
    const targets = new LinkTargets(touched, objects);
    await store.streamBlobs(targets.wanted, targets);
    const leaveOut = isInside(root, dataDir) ? relative(root, dataDir) : null;
    const refuse = () => refuseEscapes({ planId, root, leaveOut, touched, links: targets.byPath });
    if (branch !== undefined) {
      await refuse();
      await (await this.#branch()).check(await this.#branchWork(branch));
    } else if (!surveyed.every(isDone)) {
      await refuse();
      const drifted = await driftOf(root, surveyed);
      if (drifted.length > 0) throw new BaseDriftError(planId, drifted);
    }
    return { digest, surveyed, objects };
  }

  /** Paths at which nothing is to be done. */
  static done({ surveyed }: Checked): string[] {
    return surveyed.filter(isDone).map((item) => shownPath(item.path));
  }

  get #journals(): string {
    return join(this.#deps.dataDir, "journal");
  }

  async #changes() {
    return await entryChanges(this.#deps.store, this.#target.baseTree, this.#request.toTree, true);
  }

  async #commit(branch: string): Promise<AppliedFiles> {
    const work = await this.#branchWork(branch);
    const commit = await (await this.#branch()).carryOut(work, this.#deps.failPoint);
    const written = work.changes.filter(({ after }) => after !== null).length;
    const deleted = work.changes.filter(
      ({ after, previousPath }) => after === null || previousPath !== undefined,
    );
    return { written, deleted: deleted.length, commit };
  }

  async #branchWork(branch: string) {
    const { planId, digest } = this.#request;
    return { planId, digest, branch, changes: await this.#changes() };
  }

  async #branch(): Promise<BranchCommit> {
    const { git, store } = this.#deps;
    const gitDir = await this.#deps.gitDir();
    if (gitDir === undefined)
      throw new WorkspaceError(
        "BRANCH_REFUSED",
        "the project is a plain folder, which has no branches",
        "apply to the folder instead",
      );
    const repository = { root: this.#target.projectRoot, gitDir };
    return new BranchCommit({ git, store, repository, records: join(this.#journals, "branches") });
  }
}
