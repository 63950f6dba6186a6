import { realpath } from "node:fs/promises";
import path from "node:path";
import { CommandNotStartedError } from "@cleveragents/application";
import type { CommandLauncher, LaunchedCommand, LaunchRequest } from "../process/command-launcher.ts";
import { MARK } from "../process/marked-processes.ts";
import { spawned, wordsOf } from "../process/spawned.ts";
import { ContainerTree } from "./container-tree.ts";
import type { Devcontainers } from "./devcontainers.ts";

/** Goes to the command's directory and becomes the command. */
const IN_DIRECTORY = 'cd -- "$1" && shift && exec "$@"';

/** Commands in the development container of their plan. There is no other place for them: what cannot run there does not run. */
export class DevcontainerLauncher implements CommandLauncher {
  readonly #containers: Devcontainers;

  constructor(containers: Devcontainers) {
    this.#containers = containers;
  }

  async probe(): Promise<{ readonly level: "container"; readonly why: string }> {
    return {
      level: "container",
      why: "commands run in the dev container that the project describes, with the network, the limits and the rights that its description gives it",
    };
  }

  async launch(request: LaunchRequest): Promise<LaunchedCommand> {
    const { environment, root, directory, signal, mark } = request;
    if (environment === undefined) throw new Error("a command without an environment is not for a container");
    if (request.shown !== undefined)
      throw new CommandNotStartedError("folders of the host cannot be shown in an environment of its own");
    if (request.readOnly === true)
      throw new CommandNotStartedError(
        "the sandbox can only be read now, and a dev container keeps no command from writing",
      );
    const words = wordsOf(request.command);
    const started = await this.#containers.started(environment, request, signal);
    const variables = { ...request.env, [MARK]: mark };
    const child = await spawned(
      started.program,
      [
        "exec",
        ...started.names,
        ...Object.entries(variables).flatMap(([name, value]) => ["--remote-env", `${name}=${value}`]),
        "/bin/sh",
        "-c",
        IN_DIRECTORY,
        "sh",
        path.relative(await realpath(root), directory) || ".",
        ...words,
      ],
      { cwd: directory, env: this.#containers.programs.env, stdio: ["ignore", "pipe", "pipe"] },
      request.began,
      words[0],
    );
    const tree = new ContainerTree(this.#containers.programs, started.containerId, mark, child.pid as number);
    return { child, tree, outcome: async (ended) => ended };
  }
}
