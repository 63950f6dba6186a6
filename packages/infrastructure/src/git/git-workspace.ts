import { copyFile, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type AppliedFiles,
  type ApplyRequest,
  type ApplyTarget,
  type Clock,
  type ComparedTrees,
  type DerivedFrom,
  type FailPoint,
  type HeldSize,
  type Logger,
  type MergedTrees,
  type ProjectInspection,
  type RecoveredApply,
  type Sandbox,
  type SelectedChange,
  type SelectRequest,
  type TellProgress,
  type TreesToMerge,
  WITH_FAIL_POINTS,
  type Workspace,
  WorkspaceError,
} from "@cleveragents/application";
import type { Changeset, DriftedFile, FileView, JsonObject } from "@cleveragents/domain";
import { ProjectApply } from "./apply-project.ts";
import { ApplyRecovery } from "./apply-recovery.ts";
import { expireUndo, findUndo } from "./apply-undo.ts";
import { exportProject } from "./export-project.ts";
import { FileLock } from "./file-lock.ts";
import { type Environment, GitCommand } from "./git-command.ts";
import { assertThere, GitSandbox, makePlace, placeOfSandbox, type SandboxPlace } from "./git-sandbox.ts";
import { hiddenBy, markHidden, readHidden, writeHidden } from "./hidden-files.ts";
import { entriesIn, withIndex } from "./index-file.ts";
import { KnownIndex } from "./known-index.ts";
import { selectChange } from "./merge-selected.ts";
import { mergeTrees } from "./merge-trees.ts";
import { Mutex } from "./mutex.ts";
import { countSubmodules } from "./project-files.ts";
import { assertProjectThere, type FoundProject, findProject, inspectionOf } from "./project-probe.ts";
import { ProjectStore } from "./project-store.ts";
import { assertPlanId, readRef, refOf, type SandboxRef } from "./sandbox-ref.ts";
import { copyRepositoryNote } from "./throwaway-note.ts";
import { driftOf, isDone, survey, touchedPaths } from "./touched-paths.ts";
import { lstatOrNull, namesIn } from "./tree-walk.ts";
import { isAbsence, storageFailure } from "./workspace-failure.ts";
import { PLAN_ID, WorkspaceLeftovers } from "./workspace-leftovers.ts";

export interface GitWorkspaceDeps {
  /** Ours alone: sandboxes, stores and journals live under it. May lie inside a project. */
  readonly dataDir: string;
  /** The git binary, if not the one on the PATH. */
  readonly git?: string;
  readonly logger: Logger;
  readonly env: Environment;
  readonly clock: Clock;
  /** Bytes that one project may have in a sandbox; what the disk has when absent. */
  readonly sandboxQuota?: number | undefined;
  /** For tests: throwing at a point cuts the apply off there, as a kill would. */
  readonly failPoint?: FailPoint | undefined;
}

/** Of so many projects it is remembered what was read. */
const STORES_KNOWN = 16;

/** How long, in ms, who makes a sandbox waits for a process that makes or removes it. */
const PATIENCE_MS = 10_000;

export class GitWorkspace implements Workspace {
  readonly #deps: GitWorkspaceDeps;
  readonly #git: GitCommand;
  /** Of each plan that was worked on. */
  readonly #plans = new Map<string, { readonly mutex: Mutex; readonly known: KnownIndex }>();
  /** By directory, the last used last: what was read of contents is the same for every plan of a project. */
  readonly #stores = new Map<string, ProjectStore>();

  constructor(deps: GitWorkspaceDeps) {
    this.#deps = deps;
    this.#git = new GitCommand(deps);
  }

  async inspect(path: string): Promise<ProjectInspection> {
    const project = await this.#find(path);
    const { repository } = project;
    const submodules = async () =>
      repository === undefined ? 0 : await countSubmodules(this.#git, repository);
    return await inspectionOf(this.#git, project, submodules);
  }

  async create(
    planId: string,
    projectRoot: string,
    signal: AbortSignal,
    progress: TellProgress = () => {},
  ): Promise<Sandbox> {
    assertPlanId(planId);
    signal.throwIfAborted();
    const project = await this.#find(projectRoot);
    return await this.#make(planId, signal, (dataDir, place) =>
      this.#export({ planId, project, dataDir, place, signal, progress }),
    );
  }

  async derive(
    planId: string,
    from: DerivedFrom,
    signal: AbortSignal,
    progress: TellProgress = () => {},
  ): Promise<Sandbox> {
    assertPlanId(planId);
    assertPlanId(from.planId);
    const { projectRoot, state, tree, view } = from;
    const store = await this.#storeOf(projectRoot);
    const { nested, warnings } = readRef(state.ref);
    return await this.#make(planId, signal, async (dataDir, place) => {
      if (!(await store.isTree(tree)))
        throw new WorkspaceError("SANDBOX_GONE", "the tree that the plan was to start from is gone");
      await this.#leftovers(dataDir).beginMaking(store, planId);
      await store.keep(planId, "base", tree).finally(() => store.collection.made(planId));
      const parent = placeOfSandbox(join(dataDir, "sandboxes"), from.planId);
      // What of the project is in no tree is as the plan found it that this one is a part of.
      await copyIfThere(parent.ignore, place.ignore);
      const shown = [...warnings];
      await withIndex(
        place.index,
        async (index) => {
          await store.call(["read-tree", tree], { index });
          const told = await this.#hide(store, { tree, index, workTree: place.tree }, place, parent, view);
          // It would hold, in its only commit, what is not to be seen.
          if (told === undefined) await copyRepositoryNote(parent.directory, place.directory);
          else shown.push(told);
          progress({ stage: "copying", files: await entriesIn(index).catch(() => 0), bytes: 0 });
          await store.checkOut(place.tree, index, signal);
        },
        true,
      );
      await this.#plan(planId).known.remember(place.index, { tree, deleted: [] });
      const ref = { baseTree: tree, nested, warnings: shown };
      return this.#sandbox(planId, projectRoot, place, store, state.kind, ref);
    });
  }

  /** Keeps from a copy of a copy what a view, or the other one's, does not show; says so if that is anything. */
  async #hide(
    store: ProjectStore,
    at: Parameters<typeof hiddenBy>[1],
    place: SandboxPlace,
    parent: SandboxPlace,
    view: FileView | undefined,
  ): Promise<string | undefined> {
    const before = await readHidden(parent.hidden);
    if (view === undefined && before.length === 0) return undefined;
    const { hidden, files } = await hiddenBy(store, at, view ?? {}, new Set(before));
    if (hidden.length === 0) return undefined;
    await writeHidden(place.hidden, hidden);
    await markHidden(store, at, hidden, true);
    return `it sees ${files - hidden.length} of ${files} files; the others stay as they are`;
  }

  async keep(planId: string, projectRoot: string, tree: string): Promise<void> {
    assertPlanId(planId);
    await (await this.#storeOf(projectRoot)).keep(planId, `checkpoints/${tree}`, tree);
  }

  async merge(sandbox: Sandbox, planId: string, trees: TreesToMerge): Promise<MergedTrees> {
    assertPlanId(planId);
    const store = await this.#storeOf(sandbox.projectRoot);
    try {
      const merged = await mergeTrees(store, trees, readRef(sandbox.state.ref).nested);
      await store.keep(planId, `checkpoints/${merged.tree}`, merged.tree);
      return merged;
    } catch (error) {
      throw storageFailure(error);
    }
  }

  /** Makes a plan's sandbox, whole or not at all; `fill` writes what is in it. */
  async #make(
    planId: string,
    signal: AbortSignal,
    fill: (dataDir: string, place: SandboxPlace) => Promise<GitSandbox>,
  ): Promise<Sandbox> {
    signal.throwIfAborted();
    const { dataDir, place } = await this.#place(planId);
    // Nobody takes a sandbox away while it is made, and nobody makes one while it is taken away.
    await using lock = await this.#lockPlan(dataDir, planId, PATIENCE_MS);
    if (lock === null)
      throw new WorkspaceError(
        "GIT_FAILED",
        "another process makes or removes the plan's sandbox",
        "try again when it has ended",
      );
    return await this.#plan(planId).mutex.run(async () => {
      const began = this.#deps.clock.now();
      try {
        await makePlace(place);
        await writeFile(place.making, "");
        if (WITH_FAIL_POINTS) this.#deps.failPoint?.("workspace.create.begun");
        const sandbox = await fill(dataDir, place);
        if (WITH_FAIL_POINTS) this.#deps.failPoint?.("workspace.create.filled");
        await rm(place.making);
        this.#deps.logger.debug(
          { planId, kind: sandbox.state.kind, ms: this.#deps.clock.now() - began },
          "sandbox made",
        );
        return sandbox;
      } catch (error) {
        await this.#leftovers(dataDir)
          .remove(planId)
          .catch((left: unknown) =>
            this.#deps.logger.warn({ planId, error: String(left) }, "a half-made sandbox is left for later"),
          );
        throw storageFailure(error);
      }
    });
  }

  async open(
    planId: string,
    projectRoot: string,
    state: { readonly kind: "git" | "plain"; readonly ref: JsonObject },
  ): Promise<Sandbox> {
    assertPlanId(planId);
    const { place } = await this.#place(planId);
    await assertThere(place);
    const store = await this.#storeOf(projectRoot);
    const ref = readRef(state.ref);
    const { baseTree } = ref;
    if (!(await store.isKept(planId, "base", baseTree)) && !(await store.isTree(baseTree)))
      throw new WorkspaceError(
        "SANDBOX_GONE",
        "the tree that the plan started from is gone",
        "start the plan again",
      );
    return this.#sandbox(planId, projectRoot, place, store, state.kind, ref);
  }

  async drift(sandbox: Pick<Sandbox, "projectRoot">, changeset: Changeset): Promise<readonly DriftedFile[]> {
    await assertProjectThere(sandbox.projectRoot);
    const surveyed = await survey(sandbox.projectRoot, touchedPaths(changeset));
    return surveyed.every(isDone) ? [] : await driftOf(sandbox.projectRoot, surveyed);
  }

  async select(sandbox: Sandbox, request: SelectRequest): Promise<SelectedChange> {
    assertPlanId(request.planId);
    const store = await this.#storeOf(sandbox.projectRoot);
    const { nested } = readRef(sandbox.state.ref);
    try {
      return await selectChange(store, sandbox.projectRoot, nested, await sandbox.compare(), request);
    } catch (error) {
      throw storageFailure(error);
    }
  }

  async check(target: ApplyTarget, request: ApplyRequest): Promise<readonly string[]> {
    const apply = await this.#applyOf(target, request);
    return ProjectApply.done(await apply.check());
  }

  async apply(target: ApplyTarget, request: ApplyRequest, progress?: TellProgress): Promise<AppliedFiles> {
    assertPlanId(request.planId);
    const root = target.projectRoot;
    const apply = await this.#applyOf(target, request);
    const recovery = this.#recovery(await this.#dataDir());
    try {
      return await recovery.exclusively(root, () => apply.carryOut(progress));
    } catch (error) {
      throw storageFailure(error);
    }
  }

  async undo(planId: string, projectRoot: string): Promise<ComparedTrees | undefined> {
    assertPlanId(planId);
    return await findUndo(await this.#storeOf(projectRoot), planId);
  }

  async #applyOf(target: ApplyTarget, request: ApplyRequest): Promise<ProjectApply> {
    const deps = {
      git: this.#git,
      store: await this.#storeOf(target.projectRoot),
      dataDir: await this.#dataDir(),
      clock: this.#deps.clock,
      repository: async () => (await this.#find(target.projectRoot)).repository,
      failPoint: this.#deps.failPoint,
    };
    return new ProjectApply(deps, target, request);
  }

  async #storeOf(projectRoot: string): Promise<ProjectStore> {
    return this.#shared(
      await ProjectStore.open(this.#git, join(await this.#dataDir(), "stores"), projectRoot),
    );
  }

  /** The one of that directory that was used before, with what it knows. */
  #shared(opened: ProjectStore): ProjectStore {
    const store = this.#stores.get(opened.directory) ?? opened;
    this.#stores.delete(store.directory);
    this.#stores.set(store.directory, store);
    for (const oldest of this.#stores.keys()) {
      if (this.#stores.size <= STORES_KNOWN) break;
      this.#stores.delete(oldest);
    }
    return store;
  }

  async recover(): Promise<readonly RecoveredApply[]> {
    const dataDir = await this.#dataDir();
    const recovered = await this.#recovery(dataDir).recover();
    await this.#removeHalfMade(dataDir);
    return recovered;
  }

  async holdings(): Promise<readonly string[]> {
    return await this.#leftovers(await this.#dataDir()).plans();
  }

  async heldSince(planId: string): Promise<number | undefined> {
    assertPlanId(planId);
    return await this.#leftovers(await this.#dataDir()).since(planId);
  }

  async weigh(planId: string): Promise<HeldSize> {
    assertPlanId(planId);
    return await this.#leftovers(await this.#dataDir()).weigh(planId);
  }

  async release(planId: string): Promise<boolean> {
    assertPlanId(planId);
    const dataDir = await this.#dataDir();
    await using lock = await this.#lockPlan(dataDir, planId, 0);
    if (lock === null) return false;
    await this.#plan(planId).mutex.run(() => this.#leftovers(dataDir).remove(planId));
    this.#plans.delete(planId);
    return true;
  }

  async tidy(): Promise<void> {
    const { whole } = await ProjectStore.all(this.#git, join(await this.#dataDir(), "stores"));
    for (const store of whole) await expireUndo(store, this.#deps.clock.now());
    await this.#leftovers(await this.#dataDir()).tidy();
  }

  async #export(
    making: Omit<Parameters<typeof exportProject>[1], "store" | "leftovers">,
  ): Promise<GitSandbox> {
    const { planId, project, dataDir, place } = making;
    const { root } = project;
    const store = this.#shared(await ProjectStore.prepare(this.#git, join(dataDir, "stores"), root));
    const leftovers = this.#leftovers(dataDir);
    const { kind, ref } = await exportProject(
      { ...this.#deps, git: this.#git },
      { ...making, store, leftovers },
    );
    await this.#plan(planId).known.remember(place.index, { tree: ref.baseTree, deleted: [] });
    return this.#sandbox(planId, root, place, store, kind, ref);
  }

  #sandbox(
    planId: string,
    projectRoot: string,
    place: SandboxPlace,
    store: ProjectStore,
    kind: "git" | "plain",
    ref: SandboxRef,
  ): GitSandbox {
    const { baseTree, nested, warnings } = ref;
    const state = { kind, ref: refOf(ref), warnings };
    return new GitSandbox({
      planId,
      projectRoot,
      place,
      store,
      state,
      baseTree,
      nested,
      ...this.#plan(planId),
      discard: () => this.release(planId),
      failPoint: this.#deps.failPoint,
    });
  }

  async #find(path: string): Promise<FoundProject> {
    return await findProject(
      { git: this.#git, home: this.#deps.env["HOME"], dataDir: this.#deps.dataDir },
      path,
    );
  }

  async #dataDir(): Promise<string> {
    await mkdir(this.#deps.dataDir, { recursive: true, mode: 0o700 });
    return await realpath(this.#deps.dataDir);
  }

  async #place(planId: string): Promise<{ dataDir: string; place: SandboxPlace }> {
    const dataDir = await this.#dataDir();
    return { dataDir, place: placeOfSandbox(join(dataDir, "sandboxes"), planId) };
  }

  #recovery(dataDir: string): ApplyRecovery {
    return new ApplyRecovery({ journals: join(dataDir, "journal"), logger: this.#deps.logger });
  }

  #leftovers(dataDir: string): WorkspaceLeftovers {
    return new WorkspaceLeftovers({ ...this.#deps, dataDir, git: this.#git });
  }

  async #lockPlan(dataDir: string, planId: string, patience: number): Promise<FileLock | null> {
    return await FileLock.acquire(join(dataDir, "journal", "locks"), `sandbox ${planId}`, patience);
  }

  #plan(planId: string) {
    let plan = this.#plans.get(planId);
    if (plan === undefined) {
      plan = { mutex: new Mutex(), known: new KnownIndex() };
      this.#plans.set(planId, plan);
    }
    return plan;
  }

  /** Sandboxes whose making or removal was cut off by the death of its process. */
  async #removeHalfMade(dataDir: string): Promise<void> {
    const sandboxes = join(dataDir, "sandboxes");
    for (const name of await namesIn(sandboxes)) {
      if (!PLAN_ID.test(name)) continue;
      if ((await lstatOrNull(join(sandboxes, name, "making"))) === null) continue;
      if (await this.release(name))
        this.#deps.logger.info({ planId: name }, "a half-made sandbox is removed");
    }
  }
}

async function copyIfThere(from: string, to: string): Promise<void> {
  await copyFile(from, to).catch((error: unknown) => {
    if (!isAbsence(error)) throw error;
  });
}
