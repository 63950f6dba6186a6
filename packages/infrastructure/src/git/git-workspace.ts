import { copyFile, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
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
import type { Changeset, DriftedFile, JsonObject } from "@cleveragents/domain";
import { recoverApply } from "./apply-changeset.ts";
import { ApplyJournal } from "./apply-journal.ts";
import { ProjectApply } from "./apply-project.ts";
import { expireUndo, findUndo } from "./apply-undo.ts";
import { FileLock } from "./file-lock.ts";
import { type Environment, GitCommand } from "./git-command.ts";
import { assertThere, GitSandbox, makePlace, placeOfSandbox, type SandboxPlace } from "./git-sandbox.ts";
import { entriesIn, withIndex } from "./index-file.ts";
import { KnownIndex } from "./known-index.ts";
import { selectChange } from "./merge-selected.ts";
import { mergeTrees } from "./merge-trees.ts";
import { Mutex } from "./mutex.ts";
import {
  countSubmodules,
  escapePattern,
  LEFT_OUT_PATTERNS,
  leftOutNote,
  listFolder,
  listRepository,
  type ProjectFiles,
} from "./project-files.ts";
import { isInside } from "./project-paths.ts";
import { type FoundProject, findProject, inspectionOf, ownIgnoreRules } from "./project-probe.ts";
import { ProjectStore } from "./project-store.ts";
import { assertRoom } from "./room-for-sandbox.ts";
import { copyRepositoryNote, noteRepository } from "./throwaway-note.ts";
import { driftOf, isDone, survey, touchedPaths } from "./touched-paths.ts";
import { classifyPaths, lstatOrNull, namesIn } from "./tree-walk.ts";
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

/** How long, in ms, who needs a lock waits for a process that lives. */
const PATIENCE = { create: 10_000, apply: 30_000, recover: 1000 };

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
      this.#fill(planId, project, dataDir, place, signal, progress),
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
    const { projectRoot, state, tree } = from;
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
      await copyRepositoryNote(parent.directory, place.directory);
      await withIndex(
        place.index,
        async (index) => {
          await store.call(["read-tree", tree], { index });
          progress({ stage: "copying", files: await entriesIn(index).catch(() => 0), bytes: 0 });
          await store.checkOut(place.tree, index, signal);
        },
        true,
      );
      await this.#plan(planId).known.remember(place.index, { tree, deleted: [] });
      return this.#sandbox(planId, projectRoot, place, store, state.kind, tree, nested, warnings);
    });
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
    await using lock = await this.#lockPlan(dataDir, planId, PATIENCE.create);
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
    const { baseTree, nested, warnings } = readRef(state.ref);
    if (!(await store.isKept(planId, "base", baseTree)) && !(await store.isTree(baseTree)))
      throw new WorkspaceError(
        "SANDBOX_GONE",
        "the tree that the plan started from is gone",
        "start the plan again",
      );
    return this.#sandbox(planId, projectRoot, place, store, state.kind, baseTree, nested, warnings);
  }

  async drift(sandbox: Pick<Sandbox, "projectRoot">, changeset: Changeset): Promise<readonly DriftedFile[]> {
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
    const journals = join(await this.#dataDir(), "journal");
    try {
      await using _lock = await this.#lockProject(journals, root, PATIENCE.apply);
      // Of a process that has died since this one began: with the lock nobody else is at it.
      for (const journal of await ApplyJournal.leftBehind(journals))
        if (journal.text.projectRoot === root) await this.#settle(journals, journal);
      return await apply.carryOut(progress);
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
    const journals = join(dataDir, "journal");
    const recovered: RecoveredApply[] = [];
    for (const journal of await ApplyJournal.leftBehind(journals)) {
      const { planId, projectRoot } = journal.text;
      try {
        await using lock = await FileLock.acquire(join(journals, "locks"), projectRoot, PATIENCE.recover);
        // A process that lives is at it: not cut off.
        const outcome = lock === null ? undefined : await this.#settle(journals, journal);
        if (outcome !== undefined) recovered.push({ planId, projectRoot, outcome });
      } catch (error) {
        // The journal stays; the other projects must not wait for this one.
        this.#deps.logger.error(
          { planId, error: String(error) },
          "an apply that was cut off could not be settled",
        );
      }
    }
    await this.#removeHalfMade(dataDir);
    return recovered;
  }

  /** Finishes or takes back an apply that was cut off. Whoever calls holds its project's lock. */
  async #settle(journals: string, journal: ApplyJournal): Promise<RecoveredApply["outcome"] | undefined> {
    const present = await journal.reread();
    if (present === null) return undefined;
    const { planId } = present.text;
    const { outcome, kept } = await recoverApply(present, journals);
    if (kept === undefined)
      this.#deps.logger.info({ planId, outcome }, "an apply that was cut off is settled");
    else
      this.#deps.logger.warn(
        { planId, kept },
        "an apply was cut off and its files were changed since: left as they are",
      );
    return outcome;
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

  async #fill(
    planId: string,
    project: FoundProject,
    dataDir: string,
    place: SandboxPlace,
    signal: AbortSignal,
    progress: TellProgress,
  ): Promise<GitSandbox> {
    const { root } = project;
    const leaveOut = isInside(root, dataDir) ? relative(root, dataDir) : null;
    const store = this.#shared(await ProjectStore.prepare(this.#git, join(dataDir, "stores"), root));
    const [files, rules] = await Promise.all([
      this.#list(project, leaveOut),
      this.#ignoreRules(project, leaveOut),
    ]);
    const inspection = await inspectionOf(this.#git, project, async () => files.submodules);
    const { present, special, bytes } = await classifyPaths(root, files.paths);
    const size = { files: present.length, bytes };
    await assertRoom({ dataDir, quota: this.#deps.sandboxQuota }, size);
    signal.throwIfAborted();
    progress({ stage: "recording", ...size });
    await this.#leftovers(dataDir).beginMaking(store, planId);
    const baseTree = await this.#keepBase(
      planId,
      project,
      store,
      place,
      { ...files, paths: present },
      signal,
    ).finally(() => store.collection.made(planId));
    if (WITH_FAIL_POINTS) this.#deps.failPoint?.("workspace.create.recorded");
    progress({ stage: "copying", ...size });
    await writeFile(place.ignore, rules);
    await noteRepository(place.directory, inspection);
    await withIndex(place.index, (index) => store.checkOut(place.tree, index, signal), true);
    await this.#plan(planId).known.remember(place.index, { tree: baseTree, deleted: [] });
    return this.#sandbox(planId, root, place, store, inspection.kind, baseTree, files.nested, [
      ...inspection.warnings,
      ...files.warnings,
      ...special.map(leftOutNote),
    ]);
  }

  async #keepBase(
    planId: string,
    project: FoundProject,
    store: ProjectStore,
    place: SandboxPlace,
    files: ProjectFiles,
    signal: AbortSignal,
  ): Promise<string> {
    const { root, repository } = project;
    if (repository?.format === "sha1")
      await store.borrow(join(repository.commonDir, "objects"), files.tracked);
    const baseTree = await this.#recordProject(store, root, place, files.paths, files.tracked.size, signal);
    await store.keep(planId, "base", baseTree);
    return baseTree;
  }

  async #list({ root, repository }: FoundProject, leaveOut: string | null): Promise<ProjectFiles> {
    return repository === undefined
      ? await listFolder(root, leaveOut)
      : await listRepository(this.#git, repository, leaveOut);
  }

  /**
   * The project's tree as it is now, and an index of it for the sandbox. What was learnt last time spares reading
   * unchanged files again.
   */
  async #recordProject(
    store: ProjectStore,
    root: string,
    place: SandboxPlace,
    paths: readonly string[],
    held: number,
    signal: AbortSignal,
  ): Promise<string> {
    const record = (found: readonly string[]) =>
      withIndex(store.projectIndex, async (index) => {
        const tree = await store.recordExactly(root, index, found, held, signal);
        // This one, since another plan may put its own in place at any time.
        await copyFile(index, place.index);
        return tree;
      });
    let tree: string;
    try {
      tree = await record(paths);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof WorkspaceError && error.reason !== "GIT_FAILED") throw error;
      // The remembered index may name contents that were collected, or a file vanished while we read.
      this.#deps.logger.debug({ error: String(error) }, "reading the whole project again");
      await store.forget();
      tree = await record((await classifyPaths(root, paths)).present);
    }
    await store.rememberProject(tree);
    return tree;
  }

  async #ignoreRules({ repository }: FoundProject, leaveOut: string | null): Promise<string> {
    const own = leaveOut === null ? "" : `/${escapePattern(leaveOut)}/\n`;
    if (repository === undefined) return `${LEFT_OUT_PATTERNS.join("\n")}\n${own}`;
    const { HOME, XDG_CONFIG_HOME } = this.#deps.env;
    return (await ownIgnoreRules(this.#git, repository, HOME, XDG_CONFIG_HOME)) + own;
  }

  #sandbox(
    planId: string,
    projectRoot: string,
    place: SandboxPlace,
    store: ProjectStore,
    kind: "git" | "plain",
    baseTree: string,
    nested: readonly string[],
    warnings: readonly string[],
  ): GitSandbox {
    const state = {
      kind,
      ref: { version: 1, baseTree, nested: [...nested], warnings: [...warnings] },
      warnings,
    };
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

  #leftovers(dataDir: string): WorkspaceLeftovers {
    return new WorkspaceLeftovers({ ...this.#deps, dataDir, git: this.#git });
  }

  async #lockPlan(dataDir: string, planId: string, patience: number): Promise<FileLock | null> {
    return await FileLock.acquire(join(dataDir, "journal", "locks"), `sandbox ${planId}`, patience);
  }

  async #lockProject(journals: string, root: string, patience: number): Promise<FileLock> {
    const lock = await FileLock.acquire(join(journals, "locks"), root, patience);
    if (lock !== null) return lock;
    throw new WorkspaceError(
      "GIT_FAILED",
      `another apply is at work in ${root}`,
      "try again when it has ended",
    );
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

/** It becomes part of paths and of names of references. */
function assertPlanId(planId: string): void {
  if (!PLAN_ID.test(planId)) throw new TypeError("a plan id has letters, digits, _ and - only");
}

function readRef(ref: JsonObject): { baseTree: string; nested: string[]; warnings: string[] } {
  const texts = (value: unknown) =>
    Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  const { baseTree, nested, warnings, version } = ref;
  if (version !== 1 || typeof baseTree !== "string")
    throw new WorkspaceError(
      "SANDBOX_GONE",
      "the sandbox was made by another version",
      "start the plan again",
    );
  return { baseTree, nested: texts(nested), warnings: texts(warnings) };
}
