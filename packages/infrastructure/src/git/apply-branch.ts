import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type FailPoint, WITH_FAIL_POINTS, WorkspaceError } from "@cleveragents/application";
import { syncDirectory, writeDurably } from "./durable-files.ts";
import type { GitAnswer, GitCommand } from "./git-command.ts";
import { type EntryChange, editsOf, indexInfo, isSameEntry, type TreeEntry } from "./merge-entries.ts";
import { shownPath } from "./native-paths.ts";
import { joinNul, parentsOf, splitNul } from "./project-paths.ts";
import type { FoundRepository } from "./project-probe.ts";
import type { ProjectStore } from "./project-store.ts";
import { errorCode } from "./workspace-failure.ts";

interface BranchWork {
  readonly planId: string;
  readonly digest: string;
  readonly branch: string;
  readonly changes: readonly EntryChange[];
}

/** What speaks for a commit: the one that it follows, and where the branch stands, if it is there. */
export interface CheckedBranch {
  readonly work: BranchWork;
  readonly parent: string;
  readonly tip: string | null;
  /** The branch holds the change already: this very apply was cut off. */
  readonly made: boolean;
}

interface CallOptions {
  readonly env?: Record<string, string>;
  readonly input?: string | Buffer;
}

interface Left {
  readonly planId: string;
  readonly digest: string;
  readonly commit: string;
}

/**
 * Puts a change on a branch of the user's repository as a commit. Objects and one reference are added; HEAD, the index
 * and the working tree are not looked at, no hook and no filter runs.
 */
export class BranchCommit {
  readonly #git: GitCommand;
  readonly #store: ProjectStore;
  readonly #repository: FoundRepository;
  readonly #records: string;

  constructor(deps: {
    readonly git: GitCommand;
    readonly store: ProjectStore;
    readonly repository: FoundRepository;
    /** Where it is written down where branches were left. */
    readonly records: string;
  }) {
    this.#git = deps.git;
    this.#store = deps.store;
    this.#repository = deps.repository;
    this.#records = deps.records;
  }

  /** Everything that may be refused, without writing anything. */
  async check(work: BranchWork): Promise<CheckedBranch> {
    const { branch, planId } = work;
    const refuse = (message: string, hint: string) => new WorkspaceError("BRANCH_REFUSED", message, hint);
    const name = await this.#call(["check-ref-format", `refs/heads/${branch}`], [0, 1]);
    if (name.code !== 0 || branch.startsWith("-"))
      throw refuse(`"${branch}" cannot be the name of a branch`, "choose another name");
    const { format, head } = this.#repository;
    if (format !== "sha1")
      throw refuse("the repository does not use SHA-1", "apply to the working tree instead");
    if (head === undefined) throw refuse("the repository has no commit yet", "make a first commit");
    const { tip, place, inTheWay } = await this.#branchAt(branch);
    const left = await this.#left(branch);
    if (tip !== null && tip !== left?.commit)
      throw refuse(`the branch ${branch} exists already`, "choose a name that is free");
    if (inTheWay !== undefined)
      throw refuse(`the branch ${branch} cannot be there beside ${inTheWay}`, "choose a name that is free");
    if (place !== "") throw refuse(`the branch ${branch} is checked out`, "choose a name that is free");
    await this.#assertIdentity();
    // The branch stands where this very apply left it before it was cut off: its change is in there already.
    if (tip !== null && left?.planId === planId && left.digest === work.digest)
      return { work, parent: tip, tip, made: true };
    const parent = tip ?? head;
    await this.#assertBase(work, parent);
    return { work, parent, tip, made: false };
  }

  /** Makes the commit and the branch; answers the commit's id. The same work again finds it made. */
  async carryOut(checked: CheckedBranch, failPoint: FailPoint | undefined): Promise<string> {
    const { work, parent, tip, made } = checked;
    if (made) return parent;
    const commit = await this.#commit(work, parent);
    // Written down first: a branch of ours that nobody knows to be ours could never be gone on with.
    await this.#remember(work, commit);
    if (WITH_FAIL_POINTS) failPoint?.("workspace.apply.committed");
    const update = ["update-ref", "-m", `plan ${work.planId}`, `refs/heads/${work.branch}`, commit];
    await this.#call([...update, tip ?? "0".repeat(40)]);
    if (WITH_FAIL_POINTS) failPoint?.("workspace.apply.branched");
    return commit;
  }

  async #commit({ planId, changes }: BranchWork, parent: string): Promise<string> {
    const wanted = changes.flatMap(({ after }) => (after === null ? [] : [after.object]));
    if (wanted.length > 0) {
      const input = [...new Set(wanted)].map((object) => `${object}\n`).join("");
      const pack = await this.#store.call(["pack-objects", "--stdout", "-q"], { input });
      await this.#call(["unpack-objects", "-q"], [0], { input: pack.stdout });
    }
    const index = join(this.#store.directory, `scratch-index.${randomBytes(6).toString("hex")}`);
    try {
      const env = { GIT_INDEX_FILE: index };
      await this.#call(["read-tree", parent], [0], { env });
      await this.#call(["update-index", "-z", "--index-info"], [0], {
        env,
        input: indexInfo(editsOf(changes)),
      });
      const tree = await this.#text(["write-tree"], { env });
      const message = `Apply plan ${planId}\n`;
      return await this.#text(["commit-tree", tree, "-p", parent], { input: message });
    } finally {
      for (const suffix of ["", ".lock"]) await rm(index + suffix, { force: true });
    }
  }

  /** What the change builds on must be committed: else the commit would hold work that the user has not committed. */
  async #assertBase({ changes }: BranchWork, parent: string): Promise<void> {
    const wanted = new Map<string, TreeEntry | null>();
    for (const { path, previousPath, before } of changes) {
      if (previousPath !== undefined) wanted.set(path, null);
      wanted.set(previousPath ?? path, before);
    }
    const found = new Map<string, TreeEntry>();
    // All of the tree, since names may be too many for one command line.
    for (const record of splitNul(
      (await this.#call(["ls-tree", "-r", "-z", "--full-tree", parent])).stdout,
    )) {
      const tab = record.indexOf(9);
      const [mode = "", , object = ""] = record.toString("latin1", 0, tab).split(" ");
      found.set(keyOf(record.subarray(tab + 1)), { mode, object });
    }
    const drifted = [...wanted].filter(
      ([path, before]) =>
        !isSameEntry(found.get(keyOf(Buffer.from(joinNul([path])).subarray(0, -1))) ?? null, before),
    );
    if (drifted.length === 0) return;
    const names = drifted.slice(0, 5).map(([path]) => shownPath(path));
    throw new WorkspaceError(
      "BRANCH_REFUSED",
      `the changes build on what is not in the commit: ${names.join(", ")}${drifted.length > 5 ? ", …" : ""}`,
      "commit these files and run the plan again, leave them out, or apply to the working tree",
    );
  }

  async #assertIdentity(): Promise<void> {
    for (const who of ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"]) {
      const answer = await this.#call(["-c", "user.useConfigOnly=true", "var", who], [0, 1, 128, 129]);
      if (answer.code !== 0)
        throw new WorkspaceError(
          "IDENTITY_MISSING",
          "git does not know who makes the commit",
          'git config --global user.name "Your Name", and user.email',
        );
    }
  }

  /** The commit of a branch, null if there is none of that name; where it is checked out; and whose name leaves no room for it. */
  async #branchAt(branch: string): Promise<{ tip: string | null; place: string; inTheWay?: string }> {
    const format = "--format=%(refname:lstrip=2) %(objectname) %(worktreepath)";
    // Each names a branch, or the folder of all that begin with it.
    const names = [...parentsOf(branch), branch];
    const listed = await this.#text(["for-each-ref", format, ...names.map((name) => `refs/heads/${name}`)]);
    const found = listed.split("\n").map((line) => line.split(" "));
    const [, tip = null, ...place] = found.find(([name]) => name === branch) ?? [];
    const [inTheWay] =
      found.find(([name = ""]) => name.startsWith(`${branch}/`) || parentsOf(branch).includes(name)) ?? [];
    return { tip, place: place.join(" "), ...(inTheWay === undefined ? {} : { inTheWay }) };
  }

  async #text(args: readonly string[], more: CallOptions = {}): Promise<string> {
    return (await this.#call(args, [0], more)).stdout.toString("utf8").trim();
  }

  async #left(branch: string): Promise<Left | null> {
    try {
      return JSON.parse(await readFile(this.#record(branch), "utf8")) as Left; // written by us, atomically
    } catch (error) {
      if (errorCode(error) === "ENOENT" || error instanceof SyntaxError) return null;
      throw error;
    }
  }

  async #remember({ branch, planId, digest }: BranchWork, commit: string): Promise<void> {
    await mkdir(this.#records, { recursive: true, mode: 0o700 });
    await syncDirectory(join(this.#records, ".."));
    await writeDurably(this.#record(branch), JSON.stringify({ version: 1, planId, digest, commit }));
  }

  #record(branch: string): string {
    const name = createHash("sha256").update(`${this.#repository.root}\0${branch}`).digest("hex");
    return join(this.#records, `${name.slice(0, 32)}.json`);
  }

  async #call(
    args: readonly string[],
    accept: readonly number[] = [0],
    more: CallOptions = {},
  ): Promise<GitAnswer> {
    const env: Record<string, string> = { ...this.#git.userEnvironment(), GIT_DIR: this.#repository.gitDir };
    // Theirs, from their configuration, and nobody else's.
    for (const who of ["AUTHOR", "COMMITTER"])
      for (const part of ["NAME", "EMAIL"]) delete env[`GIT_${who}_${part}`];
    const { input } = more;
    return await this.#git.run({
      args: ["-c", "core.bare=false", ...args],
      cwd: this.#repository.gitDir,
      env: { ...env, ...more.env },
      accept,
      ...(input === undefined ? {} : { input }),
    });
  }
}

function keyOf(name: Uint8Array): string {
  return Buffer.from(name).toString("latin1");
}
