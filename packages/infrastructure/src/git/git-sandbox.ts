import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  type ComparedTrees,
  type FailPoint,
  type Sandbox,
  WITH_FAIL_POINTS,
  WorkspaceError,
} from "@cleveragents/application";
import type { PlanSandbox } from "@cleveragents/domain";
import { withIndex } from "./index-file.ts";
import type { Mutex } from "./mutex.ts";
import { isLeftOut } from "./project-files.ts";
import { hasGitName, joinNul, splitPaths } from "./project-paths.ts";
import type { ProjectStore } from "./project-store.ts";
import { compareTrees } from "./tree-comparison.ts";
import {
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
}

export function placeOfSandbox(sandboxes: string, planId: string): SandboxPlace {
  const directory = join(sandboxes, planId);
  return {
    directory,
    tree: join(directory, "tree"),
    index: join(directory, "index"),
    making: join(directory, "making"),
    ignore: join(directory, "ignore"),
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

  async checkpoint(_label: string): Promise<string> {
    return await this.#exclusively(() => this.#snapshot());
  }

  async restore(tree: string): Promise<void> {
    const { store, place, failPoint } = this.#deps;
    await this.#exclusively(async () => {
      await this.#assertTree(tree);
      await withIndex(place.index, async (index) => {
        const call = (...args: string[]) => store.call(args, { index, workTree: place.tree });
        // One tree merged into the index keeps what is known of files that stay as they are.
        await call("read-tree", "--reset", tree);
        if (WITH_FAIL_POINTS) failPoint?.("workspace.restore.read");
        await removeOthers(place.tree, new Set(splitPaths((await call("ls-files", "-z")).stdout)));
        if (WITH_FAIL_POINTS) failPoint?.("workspace.restore.removed");
        await store.checkOut(place.tree, index);
      });
    });
  }

  async compare(from?: string, to?: string): Promise<ComparedTrees> {
    const { store, nested } = this.#deps;
    const [before, after] = await this.#exclusively(async () => {
      for (const tree of [from, to]) if (tree !== undefined) await this.#assertTree(tree);
      return [from ?? this.baseTree, to ?? (await this.#snapshot())] as const;
    });
    const { changeset, digest, patch } = await compareTrees(store, before, after, nested);
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
    if (!(await this.#deps.store.isTree(tree)))
      throw new WorkspaceError("GIT_FAILED", `there is no tree ${tree}`);
  }

  async #snapshot(): Promise<string> {
    const { store, place, planId } = this.#deps;
    return await withIndex(place.index, async (index) => {
      await this.#record(index, await this.#touched(index));
      const keep = async (tree: string) => await store.keep(planId, `checkpoints/${tree}`, tree);
      const tree = await store.writeTree(index);
      if (WITH_FAIL_POINTS) this.#deps.failPoint?.("workspace.checkpoint.recorded");
      const [revived] = await Promise.all([this.#revived(tree), keep(tree)]);
      if (revived.length === 0) return tree;
      await store.record(place.tree, index, { remove: [], add: revived });
      const whole = await store.writeTree(index);
      await keep(whole);
      return whole;
    });
  }

  async #record(index: string, touched: readonly string[]): Promise<void> {
    const { store, place } = this.#deps;
    const { present, absent } = await classifyPaths(place.tree, touched);
    await store.record(place.tree, index, { remove: absent, add: present });
  }

  /** Untracked, changed and vanished files. No git looks into a repository that was made in the sandbox: we walk it. */
  async #touched(index: string): Promise<string[]> {
    const { store, place } = this.#deps;
    const ls = (...args: string[]) =>
      store.call(["-c", `core.excludesFile=${place.ignore}`, "ls-files", "-z", ...args], {
        index,
        workTree: place.tree,
      });
    const list = () => Promise.all([ls("-m", "-d"), ls("-o", ...this.#rules())]);
    let [changed, untracked] = await list();
    if (/could not open directory/.test(untracked.stderr)) {
      await makeReadable(place.tree);
      [changed, untracked] = await list();
    }
    const paths = new Set(splitPaths(changed.stdout));
    for (const path of splitPaths(untracked.stdout)) {
      if (!path.endsWith("/")) paths.add(path);
      else for (const file of await this.#inside(path.slice(0, -1))) paths.add(file);
    }
    return [...paths].filter((path) => !hasGitName(path));
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

  /** A file of the base that was deleted and made again is not known any more, and may match an ignore rule. */
  async #revived(tree: string): Promise<string[]> {
    const { store, place } = this.#deps;
    if (tree === this.baseTree) return [];
    const args = [
      "diff-tree",
      "-r",
      "-z",
      "--no-renames",
      "--name-only",
      "--diff-filter=D",
      this.baseTree,
      tree,
    ];
    const deleted = splitPaths((await store.call(args)).stdout);
    return (await classifyPaths(place.tree, deleted)).present;
  }
}

/** Throws SANDBOX_GONE unless the directory is there, is a directory rather than a link to one, and was finished. */
export async function assertThere(place: SandboxPlace): Promise<void> {
  const [tree, making] = await Promise.all([lstatOrNull(place.tree), lstatOrNull(place.making)]);
  if (tree?.isDirectory() !== true || making !== null)
    throw new WorkspaceError("SANDBOX_GONE", "the plan's sandbox is gone", "start the plan again");
}

export async function makePlace(place: SandboxPlace): Promise<void> {
  await removeTree(place.directory);
  await mkdir(place.tree, { recursive: true, mode: 0o700 });
}
