import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Logger } from "@cleveragents/application";
import { type Environment, GitCommand } from "./git-command.ts";
import { type RepositoryNote, readRepositoryNote } from "./throwaway-note.ts";
import { lstatOrNull } from "./tree-walk.ts";

/** Settings of the user's that say how files lie on the disk; without them every file could look changed. */
const FORM = "^core\\.(autocrlf|eol|safecrlf|ignorecase|filemode|symlinks|precomposeunicode)$";

/**
 * The repository that commands of a plan find in its copy of a project: made anew, with the project's HEAD as its only
 * commit, and nothing else of the user's. Whatever commands do to it is lost with the copy. Once it is in its place we
 * never read it: a command may have made anything of it.
 */
export class ThrowawayRepositories {
  readonly #git: GitCommand;
  readonly #logger: Logger | undefined;

  constructor(deps: {
    readonly env: Environment;
    readonly git?: string | undefined;
    readonly logger?: Logger;
  }) {
    this.#git = new GitCommand(deps);
    this.#logger = deps.logger;
  }

  /**
   * Makes it unless something is there, or the project is none. Where that fails (the commit is gone, the disk is full)
   * commands run without one.
   */
  async prepare(root: string, projectRoot: string, signal?: AbortSignal): Promise<void> {
    const place = join(root, ".git");
    const directory = dirname(root);
    const fresh = join(directory, `repository.${randomBytes(6).toString("hex")}`);
    try {
      const note = await readRepositoryNote(directory);
      if (note === undefined || (await lstatOrNull(place)) !== null) return;
      await this.#make(fresh, directory, projectRoot, note, signal);
      await rename(fresh, place);
    } catch (error) {
      if (signal?.aborted !== true && (await lstatOrNull(place)) === null)
        this.#logger?.warn({ error: String(error) }, "commands of a plan run without a repository");
    } finally {
      await rm(fresh, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  async #make(
    repository: string,
    directory: string,
    projectRoot: string,
    { head, branch }: RepositoryNote,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const user = await this.#lookAt(projectRoot, signal);
    for (const folder of ["refs/heads", "refs/tags", "objects/pack", "objects/info", "info", "hooks"])
      await mkdir(join(repository, folder), { recursive: true });
    await writeFile(join(repository, "config"), configOf(user));
    const ignored = await readFile(join(directory, "ignore"), "utf8").catch(() => "");
    await writeFile(join(repository, "info", "exclude"), ignored);
    await writeFile(join(repository, "HEAD"), `ref: refs/heads/${branch ?? "main"}\n`);
    if (head === undefined) return;
    await this.#takeCommit(repository, user.objects, head, signal);
    // Its parents stay where they are.
    await writeFile(join(repository, "shallow"), `${head}\n`);
    if (branch === undefined) await writeFile(join(repository, "HEAD"), `${head}\n`);
    else await writeReference(repository, `refs/heads/${branch}`, head);
    await this.#private(repository, ["read-tree", head], { signal });
  }

  /** Copies the commit and all that it holds; the user's objects are read, and neither linked nor written to. */
  async #takeCommit(repository: string, objects: string, head: string, signal: AbortSignal | undefined) {
    const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(objects) };
    const listed = await this.#private(
      repository,
      ["rev-list", "--objects", "--no-object-names", "--max-count=1", head],
      { env, signal },
    );
    const pack = ["-c", "pack.compression=1", "-c", "core.bigFileThreshold=16m", "pack-objects", "-q"];
    await this.#private(
      repository,
      [...pack, "--window=0", "--delta-base-offset", join(repository, "objects/pack/pack")],
      { env, input: listed.stdout, signal },
    );
  }

  async #lookAt(projectRoot: string, signal: AbortSignal | undefined): Promise<UserRepository> {
    const env = {
      ...this.#git.userEnvironment(projectRoot),
      GIT_CEILING_DIRECTORIES: dirname(projectRoot),
    };
    const ask = (args: readonly string[]) =>
      this.#git.run({ args, cwd: projectRoot, env, accept: [0, 1], signal });
    const [places, form] = await Promise.all([
      ask(["rev-parse", "--show-object-format", "--path-format=absolute", "--git-path", "objects"]),
      ask(["config", "-z", "--get-regexp", FORM]),
    ]);
    const answer = places.stdout.toString("utf8").replace(/\n$/, "");
    const at = answer.indexOf("\n");
    return {
      format: answer.slice(0, at),
      objects: answer.slice(at + 1),
      form: form.stdout
        .toString("utf8")
        .split("\0")
        .filter(Boolean)
        .map((entry) => entry.split("\n") as [string, string?]),
    };
  }

  async #private(
    repository: string,
    args: readonly string[],
    { env = {}, ...rest }: { env?: Record<string, string>; input?: Buffer; signal?: AbortSignal | undefined },
  ) {
    return await this.#git.run({
      ...rest,
      args,
      cwd: repository,
      env: { ...this.#git.privateEnvironment(), GIT_DIR: repository, ...env },
    });
  }
}

interface UserRepository {
  readonly format: string;
  readonly objects: string;
  readonly form: readonly (readonly [name: string, value?: string])[];
}

/** Names an author, since there is no configuration of the user's to name one, and starts nothing by itself. */
function configOf({ format, form }: UserRepository): string {
  const words = form.flatMap(([name, value = "true"]) =>
    /^[\w-]+$/.test(value) ? [`\t${name.slice("core.".length)} = ${value}\n`] : [],
  );
  return `[core]
\trepositoryFormatVersion = ${format === "sha1" ? 0 : 1}
\tbare = false
\tlogAllRefUpdates = true
\tfsmonitor = false
${words.join("")}[user]
\tname = CleverAgents
\temail = agents@localhost
[commit]
\tgpgSign = false
[tag]
\tgpgSign = false
[credential]
\thelper =
[gc]
\tauto = 0
${format === "sha1" ? "" : `[extensions]\n\tobjectFormat = ${format}\n`}`;
}

async function writeReference(repository: string, name: string, commit: string): Promise<void> {
  const file = join(repository, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${commit}\n`);
}

/** As git reads an entry of a list that colons separate. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
