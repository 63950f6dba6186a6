import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  type ComparedTrees,
  type FailPoint,
  type Sandbox,
  type TellProgress,
  WITH_FAIL_POINTS,
  WorkspaceError,
} from "@cleveragents/application";
import type { PlanSandbox } from "@cleveragents/domain";
import { broughtFolders } from "./brought-folders.ts";
import { markHidden, readHidden } from "./hidden-files.ts";
import { entriesIn, withIndex } from "./index-file.ts";
import type { KnownIndex } from "./known-index.ts";
import type { Mutex } from "./mutex.ts";
import { decodePath } from "./native-paths.ts";
import { isLeftOut } from "./project-files.ts";
import { hasGitName, joinNul, splitNul, splitPaths } from "./project-paths.ts";
import type { ProjectStore } from "./project-store.ts";
import { compareTrees } from "./tree-comparison.ts";
import { PATCH_LIMITS } from "./tree-patch.ts";
import {
  type Classified,
  classifyPaths,
  lstatOrNull,
  makeReadable,
  removeOthers,
  removeTree,
  walkFiles,
} from "./tree-walk.ts";
import { storageFailure } from "./workspace-failure.ts";

/** Where a sandbox keeps what belongs to it; all of it goes when it is disposed of. */
export interface SandboxPlace {
  readonly directory: string;
  readonly tree: string;
  readonly index: string;
  /** There until the sandbox is complete. */
  readonly making: string;
  /** The user's ignore rules that are not in the tree, as they were when the sandbox was made. */
  readonly ignore: string;
  /** Names files of the base that it does not show; not there where it shows all. */
  readonly hidden: string;
}

export function placeOfSandbox(sandboxes: string, planId: string): SandboxPlace {
  const directory = join(sandboxes, planId);
  return {
    directory,
    tree: join(directory, "tree"),
    index: join(directory, "index"),
    making: join(directory, "making"),
    ignore: join(directory, "ignore"),
    hidden: join(directory, "hidden"),
  };
}

interface GitSandboxDeps {
  readonly planId: string;
  readonly projectRoot: string;
  readonly place: SandboxPlace;
  readonly store: ProjectStore;
  readonly state: Pick<PlanSandbox, "kind" | "ref" | "warnings">;
  readonly baseTree: string;
  readonly nested: readonly string[];
  /** Of the plan: two sandboxes that are open for it take turns. */
  readonly mutex: Mutex;
  /** Of the plan too. */
  readonly known: KnownIndex;
  /** Removes all that is kept for the plan. */
  readonly discard: () => Promise<unknown>;
  readonly failPoint?: FailPoint | undefined;
}

export class GitSandbox implements Sandbox {
  readonly state: Pick<PlanSandbox, "kind" | "ref" | "warnings">;
  readonly root: string;
  readonly projectRoot: string;
  readonly baseTree: string;
  readonly planId: string;
  readonly #deps: GitSandboxDeps;

  constructor(deps: GitSandboxDeps) {
    this.#deps = deps;
    this.planId = deps.planId;
    this.state = deps.state;
    this.root = deps.place.tree;
    this.projectRoot = deps.projectRoot;
    this.baseTree = deps.baseTree;
  }

  async checkpoint(_label: string, progress?: TellProgress): Promise<string> {
    return await this.#exclusively(() => this.#snapshot(progress));
  }

  async restore(tree: string): Promise<void> {
    const { store, place, known, failPoint } = this.#deps;
    await this.#exclusively(async () => {
      await this.#assertTree(tree);
      await withIndex(place.index, async (index) => {
        const call = (...args: string[]) => store.call(args, { index, workTree: place.tree });
        // One tree merged into the index keeps what is known of files that stay as they are.
        await call("read-tree", "--reset", tree);
        if (WITH_FAIL_POINTS) failPoint?.("workspace.restore.read");
        const held = new Set(splitPaths((await call("ls-files", "-z")).stdout));
        for (const path of await this.#hide(index, tree, held)) held.delete(path);
        await removeOthers(place.tree, held);
        if (WITH_FAIL_POINTS) failPoint?.("workspace.restore.removed");
        await store.checkOut(place.tree, index);
      });
      await known.remember(place.index, { tree, deleted: tree === this.baseTree ? [] : undefined });
    });
  }

  async compare(from?: string, to?: string, progress?: TellProgress): Promise<ComparedTrees> {
    const { store, nested } = this.#deps;
    const [before, after] = await this.#exclusively(async () => {
      for (const tree of [from, to]) if (tree !== undefined) await this.#assertTree(tree);
      return [from ?? this.baseTree, to ?? (await this.#snapshot(progress))] as const;
    });
    const { changeset, digest, patch } = await compareTrees(
      store,
      before,
      after,
      nested,
      PATCH_LIMITS,
      progress,
    );
    return { from: before, to: after, changeset, digest, patch };
  }

  async dispose(): Promise<void> {
    await this.#deps.discard();
  }

  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    return await this.#deps.mutex.run(async () => {
      await assertThere(this.#deps.place);
      try {
        return await work();
      } catch (error) {
        throw storageFailure(error);
      }
    });
  }

  async #assertTree(tree: string): Promise<void> {
    const { store, planId } = this.#deps;
    if (tree === this.baseTree || (await store.isKept(planId, `checkpoints/${tree}`, tree))) return;
    if (!(await store.isTree(tree))) throw new WorkspaceError("GIT_FAILED", `there is no tree ${tree}`);
  }

  async #snapshot(progress?: TellProgress): Promise<string> {
    const { place, known } = this.#deps;
    progress?.({ stage: "comparing", files: await entriesIn(place.index).catch(() => 0), bytes: 0 });
    const before = await known.recall(place.index);
    const facts = await withIndex(place.index, async (index, keep) => {
      const paths = await classifyPaths(place.tree, await this.#touched(index));
      progress?.({ stage: "comparing", files: paths.present.length, bytes: paths.bytes });
      const unchanged = paths.present.length + paths.gone.length + paths.unfit.length === 0;
      if (!unchanged || before?.deleted === undefined)
        return await this.#record(index, paths, before?.deleted);
      if ((await this.#revived(before.deleted)).length > 0)
        return await this.#record(index, paths, before.deleted);
      keep();
      return before;
    });
    await known.remember(place.index, facts);
    return facts.tree;
  }

  /** Takes what is there into the index; `deleted` are the files of the base that it did not hold, if that is known. */
  async #record(
    index: string,
    paths: Classified,
    deleted: readonly string[] | undefined,
  ): Promise<{ readonly tree: string; readonly deleted: readonly string[] }> {
    const { store, place, planId, failPoint } = this.#deps;
    const keep = async (tree: string) => await store.keep(planId, `checkpoints/${tree}`, tree);
    await store.record(place.tree, index, paths);
    const tree = await store.writeTree(index);
    if (WITH_FAIL_POINTS) failPoint?.("workspace.checkpoint.recorded");
    await keep(tree);
    const back = new Set(paths.present);
    const onlyMore = paths.gone.length + paths.unfit.length === 0;
    const missing =
      deleted !== undefined && onlyMore
        ? deleted.filter((path) => !back.has(path))
        : await this.#deletedIn(tree);
    const revived = await this.#revived(missing);
    if (revived.length === 0) return { tree, deleted: missing };
    await store.record(place.tree, index, { present: revived, gone: [], unfit: [] });
    const whole = await store.writeTree(index);
    await keep(whole);
    return { tree: whole, deleted: await this.#deletedIn(whole) };
  }

  /** Untracked, changed and vanished files. No git looks into a repository that was made in the sandbox: we walk it. */
  async #touched(index: string): Promise<string[]> {
    const { store, place } = this.#deps;
    // `-t` says of what sort each is; here all are told alike.
    const unseen = await this.#madeUnseen(index);
    const args = ["-c", `core.excludesFile=${place.ignore}`, "ls-files", "-z", "-t", "-m", "-d", "-o"];
    const list = () => store.call([...args, ...this.#rules()], { index, workTree: place.tree });
    let listed = await list();
    if (/could not open directory/.test(listed.stderr)) {
      await makeReadable(place.tree);
      listed = await list();
    }
    const paths = new Set<string>(unseen);
    for (const record of splitNul(listed.stdout)) {
      const path = decodePath(record.subarray(2));
      if (!path.endsWith("/")) paths.add(path);
      else for (const file of await this.#inside(path.slice(0, -1))) paths.add(file);
    }
    const brought = (await broughtFolders(place.directory)).map((folder) => `${folder}/`);
    return [...paths].filter(
      (path) => !hasGitName(path) && !brought.some((folder) => path.startsWith(folder)),
    );
  }

  #rules(): string[] {
    return this.state.kind === "git" ? ["--exclude-standard"] : [`--exclude-from=${this.#deps.place.ignore}`];
  }

  async #inside(folder: string): Promise<string[]> {
    const { store, place } = this.#deps;
    const plain = this.state.kind === "plain";
    const { files } = await walkFiles(
      join(place.tree, folder),
      (name, _, isDirectory) => plain && isLeftOut(name, isDirectory),
    );
    const paths = files.map((file) => `${folder}/${file}`);
    if (plain || paths.length === 0) return paths;
    const ignored = await store.call(
      ["-c", `core.excludesFile=${place.ignore}`, "check-ignore", "-z", "--no-index", "--stdin"],
      {
        workTree: place.tree,
        input: joinNul(paths),
        accept: [0, 1],
      },
    );
    const gone = new Set(splitPaths(ignored.stdout));
    return paths.filter((path) => !gone.has(path));
  }

  async #differing(tree: string, ...filter: string[]): Promise<readonly string[]> {
    if (tree === this.baseTree) return [];
    const args = ["diff-tree", "-r", "-z", "--no-renames", "--name-only", ...filter, this.baseTree, tree];
    return splitPaths((await this.#deps.store.call(args)).stdout);
  }

  async #deletedIn(tree: string): Promise<readonly string[]> {
    return await this.#differing(tree, "--diff-filter=D");
  }

  /** Of files that it does not show those that are still the base's, which git then leaves alone; the others are its own by now. */
  async #hide(index: string, tree: string, held: ReadonlySet<string>): Promise<readonly string[]> {
    const { store, place } = this.#deps;
    const there = (await readHidden(place.hidden)).filter((path) => held.has(path));
    if (there.length === 0) return [];
    const changed = new Set(await this.#differing(tree));
    const [own, hidden] = [true, false].map((is) => there.filter((path) => changed.has(path) === is));
    await markHidden(store, { index, workTree: place.tree }, own ?? [], false);
    await markHidden(store, { index, workTree: place.tree }, hidden ?? [], true);
    return hidden ?? [];
  }

  /** What was made in the place of files that it does not show, for git to see. */
  async #madeUnseen(index: string): Promise<readonly string[]> {
    const { store, place } = this.#deps;
    const hidden = await readHidden(place.hidden);
    if (hidden.length === 0) return [];
    const { present } = await classifyPaths(place.tree, hidden);
    if (present.length === 0) return [];
    const held = splitPaths((await store.call(["ls-files", "-z"], { index })).stdout);
    const known = new Set(held);
    await markHidden(
      store,
      { index, workTree: place.tree },
      present.filter((path) => known.has(path)),
      false,
    );
    return present;
  }

  /** A file of the base that was deleted and made again is not known any more, and may match an ignore rule. */
  async #revived(deleted: readonly string[]): Promise<readonly string[]> {
    return (await classifyPaths(this.#deps.place.tree, deleted)).present;
  }
}

/** Throws SANDBOX_GONE unless the directory is there, is a directory rather than a link to one, and was finished. */
export async function assertThere(place: SandboxPlace): Promise<void> {
  const [tree, making] = await Promise.all([lstatOrNull(place.tree), lstatOrNull(place.making)]);
  if (tree?.isDirectory() !== true || making !== null)
    throw new WorkspaceError(
      "SANDBOX_GONE",
      "the plan's sandbox is gone; taken back (agents plan revert), the plan begins on a new one",
    );
}

export async function makePlace(place: SandboxPlace): Promise<void> {
  await removeTree(place.directory);
  await mkdir(place.tree, { recursive: true, mode: 0o700 });
}
