import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { CommandNotStartedError } from "@cleveragents/application";
import { allowedEnvironment } from "./allowed-environment.ts";
import type { CommandLauncher, Ended, LaunchedCommand, LaunchRequest } from "./command-launcher.ts";
import type { LimitWords } from "./command-limits.ts";
import { MARK } from "./marked-processes.ts";
import { MarkedTree } from "./marked-tree.ts";
import { spawned, whyNotStarted, wordsOf } from "./spawned.ts";

/**
 * Commands as plain processes of this host, each the leader of a process group and with a mark in its environment, by
 * which descendants are found that have left the group. Nothing else is enforced: not where it writes, not the network.
 */
export class PlainLauncher implements CommandLauncher {
  readonly #env: Readonly<Record<string, string | undefined>>;

  readonly #limits: LimitWords;

  constructor(deps: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly limits: LimitWords;
  }) {
    this.#env = deps.env;
    this.#limits = deps.limits;
  }

  async probe(): Promise<{ readonly level: "none"; readonly why: string }> {
    return {
      level: "none",
      why: "commands run as ordinary processes of this host, which confines neither their writes nor their network; ignored dependency folders are copied",
    };
  }

  async showsDependencies(): Promise<boolean> {
    return false;
  }

  async launch(request: LaunchRequest): Promise<LaunchedCommand> {
    if (request.readOnly === true)
      throw new CommandNotStartedError(
        "the sandbox can only be read now, and without isolation nothing keeps a command from writing",
      );
    const words = wordsOf(request.command);
    const env = await this.#environment(request);
    const limits = [...(request.before ?? []), ...(await this.#limits.before(request.limits))];
    if (limits.length > 0) await assertProgram(words[0], request.directory, env["PATH"]);
    const [file, ...args] = [...limits, ...words] as unknown as [string, ...string[]]; // words are never none
    const child = await spawned(
      file,
      args,
      {
        cwd: request.directory,
        env,
        stdio: [request.stdin ?? "ignore", "pipe", "pipe"],
      },
      request.began,
      words[0],
    );
    const tree = new MarkedTree(child.pid as number, request.mark); // it was spawned, so it has one
    return { child, tree, outcome: async (ended: Ended) => ended };
  }

  /**
   * The copy has no repository of its own: without a ceiling git would climb to one that happens to lie around the
   * data directory, and a plan's `git add` would be the user's.
   */
  async #environment({ root, env, shown = [], mark }: LaunchRequest): Promise<Record<string, string>> {
    return {
      ...allowedEnvironment(this.#env, env),
      ...Object.fromEntries(shown.map(({ from, variable }) => [variable, from])),
      GIT_CEILING_DIRECTORIES: path.dirname(await realpath(root)),
      [MARK]: mark,
    };
  }
}

/** What sets the limits would be found in the place of a command that is not there. */
async function assertProgram(file: string, directory: string, searched = "/usr/bin:/bin"): Promise<void> {
  const places = file.includes("/") ? [directory] : searched.split(path.delimiter);
  let code = "ENOENT";
  for (const place of places) {
    const candidate = path.resolve(directory, place, file);
    try {
      if (!(await stat(candidate)).isFile()) {
        code = "EACCES";
        continue;
      }
      await access(candidate, constants.X_OK);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EACCES") code = "EACCES";
    }
  }
  throw new CommandNotStartedError(whyNotStarted(file, code));
}
