import { realpath } from "node:fs/promises";
import path from "node:path";
import { CommandNotStartedError, type Logger } from "@cleveragents/application";
import { z } from "zod";
import { containerReach } from "./container-reach.ts";
import type { ContainerPrograms } from "./engine.ts";
import { DevcontainerError, readDevcontainer } from "./find-devcontainers.ts";
import { runProgram } from "./host-program.ts";
import { reachesHost } from "./reaches-host.ts";

/** Images are fetched and built meanwhile. */
const START_MS = 30 * 60_000;
const MAX_WHY = 500;

export interface Started {
  readonly containerId: string;
  readonly composeProject?: string;
  /** Arguments of the CLI that name this container again. */
  readonly names: readonly string[];
  readonly program: string;
}

export interface StartRequest {
  /** Relative to the project's root. */
  readonly config: string;
  /** Real path of the plan's copy. */
  readonly root: string;
  readonly projectRoot: string;
  readonly labels: readonly string[];
  readonly hostAccess: boolean;
  readonly logger: Logger;
}

const Outcome = z.union([
  z.object({
    outcome: z.literal("success"),
    containerId: z.string().regex(/^[\w.-]+$/),
    composeProjectName: z.string().optional(),
  }),
  z.object({
    outcome: z.literal("error"),
    message: z.string().optional(),
    description: z.string().optional(),
  }),
]);

/**
 * Makes the container around the plan's copy, by the project's own description, and runs the set-up that it asks for.
 * What is in it is looked at before that. Throws `CommandNotStartedError`, or the signal's reason.
 */
export async function startContainer(
  programs: ContainerPrograms,
  request: StartRequest,
  cancelled: AbortSignal,
): Promise<Started> {
  const [program, docker] = await Promise.all([programs.devcontainer(), programs.docker()]);
  if (program === undefined)
    throw new CommandNotStartedError(
      "the plan asks for a dev container, and the devcontainer command is not installed on this host: install @devcontainers/cli, or make the plan without --environment",
    );
  if (docker === undefined)
    throw new CommandNotStartedError(
      "the plan asks for a dev container, and docker is not installed on this host: install it, or make the plan without --environment",
    );
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(START_MS)]);
  const names = [
    "--workspace-folder",
    request.root,
    "--config",
    await realpath(path.join(request.projectRoot, request.config)),
    // Else the CLI looks for a repository around the copy, and mounts that.
    "--mount-workspace-git-root",
    "false",
    ...request.labels.flatMap((label) => ["--id-label", label]),
  ];
  const run = (command: string, more: readonly string[] = []) =>
    runProgram(program, [command, ...names, ...more], { env: programs.env, cwd: request.root, signal });
  try {
    const up = outcomeOf((await run("up", ["--skip-post-create"])).stdout);
    if (up?.outcome !== "success") throw notStarted(request, up);
    await assertNoReach(programs, request, up.containerId, signal);
    const setUp = await run("run-user-commands");
    const done = outcomeOf(setUp.stdout);
    if (setUp.exitCode !== 0 || done?.outcome === "error")
      throw notStarted(request, done, "its set-up failed");
    return {
      containerId: up.containerId,
      names,
      program,
      ...(up.composeProjectName === undefined ? {} : { composeProject: up.composeProjectName }),
    };
  } catch (error) {
    if (cancelled.aborted || error instanceof CommandNotStartedError) throw error;
    if (signal.aborted)
      throw new CommandNotStartedError("the dev container was not ready after half an hour", {
        cause: error,
      });
    throw error;
  }
}

/** Throws `CommandNotStartedError` for a description that is gone, or reaches out to the host. */
export async function assertConfined({
  projectRoot,
  config,
  hostAccess,
}: Pick<StartRequest, "projectRoot" | "config" | "hostAccess">): Promise<void> {
  try {
    const reach = reachesHost(await readDevcontainer(projectRoot, config));
    if (reach.length > 0 && !hostAccess) throw new DevcontainerError(`${config}: ${reach.join("; ")}`);
  } catch (error) {
    if (!(error instanceof DevcontainerError)) throw error;
    throw new CommandNotStartedError(`the dev container is not started: ${error.message}`, { cause: error });
  }
}

async function assertNoReach(
  programs: ContainerPrograms,
  { root, config, hostAccess }: StartRequest,
  containerId: string,
  signal: AbortSignal,
): Promise<void> {
  if (hostAccess) return;
  const said = await programs.askDocker(["inspect", containerId], signal);
  const reach =
    said === undefined || said.exitCode !== 0
      ? ["it cannot be looked at"]
      : containerReach(said.stdout, [root]);
  if (reach.length > 0)
    throw new CommandNotStartedError(
      `the dev container is not used: by what its image or features bring, ${reach.join("; ")} (${config})`,
    );
}

/** The CLI ends its output with a line of JSON. */
function outcomeOf(stdout: string): z.infer<typeof Outcome> | undefined {
  const last = stdout.trimEnd().split("\n").at(-1) ?? "";
  try {
    return Outcome.safeParse(JSON.parse(last)).data;
  } catch {
    return undefined;
  }
}

function notStarted(
  { root, projectRoot, logger }: StartRequest,
  outcome: z.infer<typeof Outcome> | undefined,
  what = "it could not be started",
): CommandNotStartedError {
  const said =
    outcome?.outcome === "error"
      ? [outcome.message, outcome.description].find((text) => text !== undefined)
      : undefined;
  logger.warn({ outcome }, "a dev container did not start");
  // The copy's place on this host is not for everybody.
  const why = (said ?? "the devcontainer command gave no reason").replaceAll(root, projectRoot);
  return new CommandNotStartedError(`the dev container: ${what}: ${why.slice(0, MAX_WHY)}`);
}
