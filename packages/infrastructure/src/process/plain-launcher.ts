import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { allowedEnvironment } from "./allowed-environment.ts";
import type { CommandLauncher, Ended, LaunchedCommand, LaunchRequest } from "./command-launcher.ts";
import { ProcessGroup } from "./process-group.ts";
import { spawned, wordsOf } from "./spawned.ts";

/**
 * Commands as plain processes of this host, each the leader of a process group. Nothing else is enforced: not where it
 * writes, not the network, and not a descendant that makes a session of its own.
 */
export class PlainLauncher implements CommandLauncher {
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(deps: { readonly env: Readonly<Record<string, string | undefined>> }) {
    this.#env = deps.env;
  }

  async probe(): Promise<{ readonly level: "none"; readonly why: string }> {
    return {
      level: "none",
      why: "commands run as ordinary processes of this host, which confines neither their writes nor their network",
    };
  }

  async launch(request: LaunchRequest): Promise<LaunchedCommand> {
    const [file, ...args] = wordsOf(request.command);
    const child = await spawned(
      file,
      args,
      {
        cwd: request.directory,
        env: await this.#environment(request),
        stdio: ["ignore", "pipe", "pipe"],
      },
      request.began,
    );
    const group = new ProcessGroup(child.pid as number); // it was spawned, so it has one
    return { child, tree: group, outcome: async (ended: Ended) => ended };
  }

  /**
   * The copy has no repository of its own: without a ceiling git would climb to one that happens to lie around the
   * data directory, and a plan's `git add` would be the user's.
   */
  async #environment({ root, env }: LaunchRequest): Promise<Record<string, string>> {
    return { ...allowedEnvironment(this.#env, env), GIT_CEILING_DIRECTORIES: dirname(await realpath(root)) };
  }
}
