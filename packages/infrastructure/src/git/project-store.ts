import { createHash, randomBytes } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { WorkspaceError } from "@cleveragents/application";
import { type BlobFacts, type BlobSink, FactsSink, readBlobs } from "./blob-reader.ts";
import type { GitAnswer, GitCommand, GitRequest } from "./git-command.ts";
import { readLooseBlob } from "./loose-objects.ts";
import { mapLimit } from "./map-limit.ts";
import { dropStalePacks, linkObjects } from "./object-links.ts";
import { joinNul, splitPaths } from "./project-paths.ts";
import { RecentComparisons } from "./recent-comparisons.ts";
import { StoreCollection } from "./store-collection.ts";
import { StoreReferences } from "./store-references.ts";
import { lstatOrNull, namesIn } from "./tree-walk.ts";

/** Nothing here converts bytes, names drivers, or depends on the file system; the tests list the attacks. */
const CONFIG = `[core]
\trepositoryFormatVersion = 0
\tbare = true
\tfileMode = true
\tsymlinks = true
\tignoreCase = false
\tprecomposeUnicode = false
\tprotectHFS = false
\tprotectNTFS = false
\tautocrlf = false
\tsafecrlf = false
\tattributesFile = /dev/null
\texcludesFile = /dev/null
\tlogAllRefUpdates = false
\tcompression = 1
[diff]
\trenameLimit = 2000
[gc]
\tauto = 0
\tautoDetach = false
`;

/** Wins over every `.gitattributes` in a tree: contents are recorded and written byte for byte. */
const ATTRIBUTES = "* -text !eol !crlf -ident -filter !working-tree-encoding !diff !merge !whitespace\n";

/** From so many unknown contents on they go into one pack; below, and where most are known, loose objects are quicker. */
const MANY_FILES = 2000;
/** Contents from 64 MB on are streamed and stored as they are: most are compressed already, and trying takes minutes. */
const LARGE_AS_THEY_ARE = ["-c", "core.bigFileThreshold=64m", "-c", "pack.compression=0"];
const FACTS_KEPT = 50_000;
/** So many contents at once may be read without git. */
const FEW_CONTENTS = 200;

const PLANS = "refs/cleveragents";
export const UNDO = "refs/undo";

interface CallOptions {
  readonly workTree?: string;
  readonly index?: string;
  readonly env?: Record<string, string>;
  readonly input?: string | Buffer;
  readonly accept?: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * A private bare repository for one project: objects, checkpoints and indexes of all its plans. It has its own
 * configuration and attributes and shares nothing with the project's `.git` but immutable object files (hard links).
 */
export class ProjectStore {
  readonly directory: string;
  readonly collection: StoreCollection;
  readonly references: StoreReferences;
  readonly comparisons = new RecentComparisons();
  readonly #git: GitCommand;
  readonly #facts = new Map<string, BlobFacts>();

  private constructor(git: GitCommand, directory: string) {
    this.#git = git;
    this.directory = directory;
    this.collection = new StoreCollection(this);
    this.references = new StoreReferences(directory, async (names) => {
      await this.call(["update-ref", "--stdin"], { input: names.map((name) => `delete ${name}\n`).join("") });
    });
  }

  static nameFor(projectRoot: string): string {
    return `${createHash("sha256").update(projectRoot).digest("hex").slice(0, 32)}.git`;
  }

  /** Makes it if it is not there; two that try at the same time end with the same store. */
  static async prepare(git: GitCommand, stores: string, projectRoot: string): Promise<ProjectStore> {
    const directory = join(stores, ProjectStore.nameFor(projectRoot));
    if ((await lstatOrNull(join(directory, "HEAD"))) === null) {
      await mkdir(stores, { recursive: true, mode: 0o700 });
      const fresh = `${directory}.${randomBytes(6).toString("hex")}`;
      try {
        await fillStore(fresh, projectRoot);
        await rename(fresh, directory);
      } catch (error) {
        if ((await lstatOrNull(join(directory, "HEAD"))) === null) throw error;
      } finally {
        await rm(fresh, { recursive: true, force: true });
      }
    }
    return new ProjectStore(git, directory);
  }

  /** Throws SANDBOX_GONE if the store is not there any more. */
  static async open(git: GitCommand, stores: string, projectRoot: string): Promise<ProjectStore> {
    const directory = join(stores, ProjectStore.nameFor(projectRoot));
    if ((await lstatOrNull(join(directory, "HEAD"))) === null)
      throw new WorkspaceError("SANDBOX_GONE", `the store of ${projectRoot} is gone`, "start the plan again");
    return new ProjectStore(git, directory);
  }

  /** Every store, and what was left of those that nobody finished making. */
  static async all(
    git: GitCommand,
    stores: string,
  ): Promise<{ readonly whole: readonly ProjectStore[]; readonly unfinished: readonly string[] }> {
    const names = await namesIn(stores);
    const whole = names.filter((name) => /^[0-9a-f]{32}\.git$/.test(name));
    const unfinished = names.filter((name) => /^[0-9a-f]{32}\.git\.[0-9a-f]+$/.test(name));
    return {
      whole: whole.map((name) => new ProjectStore(git, join(stores, name))),
      unfinished: unfinished.map((name) => join(stores, name)),
    };
  }

  get projectIndex(): string {
    return join(this.directory, "project-index");
  }

  async call(args: readonly string[], options: CallOptions = {}): Promise<GitAnswer> {
    const { workTree, index, env, ...rest } = options;
    const request: GitRequest = {
      ...rest,
      args,
      cwd: workTree ?? this.directory,
      env: {
        ...this.#git.privateEnvironment(),
        GIT_DIR: this.directory,
        ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
        ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
        ...env,
      },
    };
    return await this.#git.run(request);
  }

  /** Takes what the project's repository holds already. `tracked` are the ids of contents that will be needed. */
  async borrow(objects: string, tracked: ReadonlySet<string>): Promise<void> {
    const held = await Promise.all([PLANS, UNDO].map((folder) => this.references.below(folder)));
    const idle = held.every((references) => references.length === 0);
    // The remembered index may name contents of a dropped pack; it is only a cache.
    if (idle && (await dropStalePacks(objects, join(this.directory, "objects")))) await this.forget();
    await linkObjects(objects, join(this.directory, "objects"), tracked);
  }

  /** Forgets the remembered index of the project; the next snapshot reads every file. */
  async forget(): Promise<void> {
    await rm(this.projectIndex, { force: true });
  }

  /** Makes `paths` of the work tree, and nothing else, the content of the index; returns the tree. `held`: contents we have. */
  async recordExactly(
    workTree: string,
    index: string,
    paths: readonly string[],
    held: number,
    signal: AbortSignal,
  ): Promise<string> {
    const known =
      (await lstatOrNull(index)) === null
        ? []
        : splitPaths((await this.call(["ls-files", "-z"], { index })).stdout);
    const wanted = new Set(paths);
    const remove = known.filter((path) => !wanted.has(path));
    const many = paths.length - Math.max(known.length, held) > MANY_FILES;
    await this.record(workTree, index, { unfit: remove, gone: [], present: paths, many }, signal);
    return await this.writeTree(index);
  }

  /**
   * Takes paths into the index or out of it: `present` are files or links, `gone` are not there, and `unfit` must leave
   * whatever is there.
   */
  async record(
    workTree: string,
    index: string,
    paths: {
      readonly present: readonly string[];
      readonly gone: readonly string[];
      readonly unfit: readonly string[];
      readonly many?: boolean;
    },
    signal?: AbortSignal,
  ): Promise<void> {
    const call = async (
      args: readonly string[],
      input: string | Buffer,
      env: Record<string, string> = {},
    ) => {
      const { stderr } = await this.call(args, { workTree, index, input, env, signal });
      // A name that git will not record (a link called .gitmodules) is no failure to it; to us nothing may be dropped.
      const [, refused] = /^Ignoring path (.*)$/m.exec(stderr) ?? [];
      if (refused !== undefined)
        throw new WorkspaceError("GIT_FAILED", `git refuses to record ${refused}`, "rename or remove it");
    };
    if (paths.unfit.length > 0)
      await call(["update-index", "-z", "--force-remove", "--stdin"], joinNul(paths.unfit));
    const add = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
    const input = joinNul([...paths.gone, ...paths.present]);
    if (paths.many !== true) {
      if (input.length > 0) await call([...LARGE_AS_THEY_ARE, ...add], input);
      return;
    }
    // A threshold of one byte makes git stream all contents into a single pack. It then allocates and frees a large
    // buffer per file: unless glibc keeps some spare room, each of them is a system call.
    await call(["-c", "core.bigFileThreshold=1", ...add], input, {
      MALLOC_TOP_PAD_: "67108864",
    });
  }

  async writeTree(index: string): Promise<string> {
    return (await this.call(["write-tree"], { index })).stdout.toString("latin1").trim();
  }

  async isTree(tree: string): Promise<boolean> {
    if (!/^[0-9a-f]{40}$/.test(tree)) return false;
    const answer = await this.call(["cat-file", "-t", tree], { accept: [0, 128] });
    return answer.stdout.toString("latin1").trim() === "tree";
  }

  /** Fills an empty directory with the index's files and notes their times in it. */
  async checkOut(workTree: string, index: string, signal?: AbortSignal): Promise<void> {
    const parallel = ["-c", "checkout.workers=4", "-c", "checkout.thresholdForParallelism=500"];
    await this.call([...parallel, "checkout-index", "-a", "-f", "-u", "-q"], { workTree, index, signal });
  }

  /** The id of a content of no bytes, which is there afterwards. */
  async emptyBlob(): Promise<string> {
    const made = await this.call(["hash-object", "-w", "--no-filters", "--stdin"], { input: "" });
    return made.stdout.toString("latin1").trim();
  }

  /** Keeps a tree from being collected, under `refs/cleveragents/<plan>/<name>`. */
  async keep(planId: string, name: string, tree: string): Promise<void> {
    await this.references.set(`${PLANS}/${planId}/${name}`, tree);
  }

  async isKept(planId: string, name: string, tree: string): Promise<boolean> {
    return (await this.references.get(`${PLANS}/${planId}/${name}`)) === tree;
  }

  /** The tree that the remembered index describes must live as long as the index. */
  async rememberProject(tree: string): Promise<void> {
    await this.references.set("refs/remembered/project", tree);
  }

  /** Lets go of everything that was kept for a plan. */
  async release(planId: string, now: number): Promise<void> {
    const names = (await this.references.below(`${PLANS}/${planId}`)).map(({ name }) => name);
    await this.references.remove(names);
    // The plan's directories stay; they would be taken for something that is kept.
    await rm(join(this.directory, PLANS, planId), { recursive: true, force: true });
    if (names.length > 0) await this.collection.released(now);
  }

  /** For which plans something is kept. */
  async plansKept(): Promise<string[]> {
    return await this.references.names(PLANS);
  }

  async streamBlobs(objects: readonly string[], sink: BlobSink): Promise<void> {
    const env = { ...this.#git.privateEnvironment(), GIT_DIR: this.directory };
    await readBlobs(this.#git, { cwd: this.directory, env }, objects, sink);
  }

  /** SHA-256 and size by object id. Is said how many bytes a content has that takes its time, as it begins to be read. */
  async factsOf(
    objects: Iterable<string>,
    onLarge?: (bytes: number) => void,
  ): Promise<ReadonlyMap<string, BlobFacts>> {
    const wanted = new Set(objects);
    if (this.#facts.size > FACTS_KEPT) this.#facts.clear();
    const unknown = () => [...wanted].filter((object) => !this.#facts.has(object));
    if (unknown().length <= FEW_CONTENTS)
      await mapLimit(unknown(), 8, (object) => this.#factsOfLoose(object));
    const sink = new FactsSink(onLarge);
    await this.streamBlobs(unknown(), sink);
    for (const [object, facts] of sink.facts) this.#facts.set(object, facts);
    return this.#facts;
  }

  async #factsOfLoose(object: string): Promise<void> {
    const content = await readLooseBlob(join(this.directory, "objects"), object);
    if (content === null) return;
    const sha256 = createHash("sha256").update(content).digest("hex");
    this.#facts.set(object, { sha256, size: content.length });
  }

  /** Where git sees every content as binary: for patches of text that is not UTF-8. */
  get binaryView(): Record<string, string> {
    return {
      GIT_DIR: join(this.directory, "binary-view"),
      GIT_OBJECT_DIRECTORY: join(this.directory, "objects"),
    };
  }
}

async function fillStore(directory: string, projectRoot: string): Promise<void> {
  await fillRepository(directory, ATTRIBUTES);
  await fillRepository(join(directory, "binary-view"), "* -diff\n");
  await writeFile(join(directory, "project"), projectRoot);
}

/** What `git init --bare` would make, less templates and whatever the user's configuration adds to them. */
async function fillRepository(directory: string, attributes: string): Promise<void> {
  for (const name of ["refs/heads", "objects/pack", "objects/info", "info"])
    await mkdir(join(directory, name), { recursive: true, mode: 0o700 });
  await writeFile(join(directory, "config"), CONFIG);
  await writeFile(join(directory, "info", "attributes"), attributes);
  await writeFile(join(directory, "HEAD"), "ref: refs/heads/none\n");
}
