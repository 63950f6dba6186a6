import { realpath } from "node:fs/promises";
import path from "node:path";
import { CommandNotStartedError, type Logger } from "@cleveragents/application";
import { isInside } from "../git/project-paths.ts";
import { allowedEnvironment } from "../process/allowed-environment.ts";
import type { CommandLauncher, Ended, LaunchedCommand, LaunchRequest } from "../process/command-launcher.ts";
import { LimitWords } from "../process/command-limits.ts";
import { whyNotStarted, wordsOf } from "../process/spawned.ts";
import { DependencyOverlays } from "./dependency-overlays.ts";
import type { Mount } from "./mounts.ts";
import { packageCaches } from "./package-caches.ts";
import { type Probed, probeBubblewrap } from "./probe-bubblewrap.ts";
import { projectMounts } from "./project-mounts.ts";
import { sandboxArguments } from "./sandbox-arguments.ts";
import { signalOf } from "./signal-of.ts";
import { startBubblewrap } from "./start-bubblewrap.ts";
import { systemMounts } from "./system-mounts.ts";
import { toolchainMounts } from "./toolchain-mounts.ts";

const USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";
/** How bubblewrap begins what it says when it cannot run a command. */
const OWN_WORDS = "bwrap: ";
const HOME_OF_NOBODY = "/tmp/home";

export interface BubblewrapLauncherDeps {
  /** The host's environment; commands see an allow-list of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Directories of which commands see nothing: the data directory. */
  readonly hidden: readonly string[];
  readonly logger?: Logger;
}

interface View {
  readonly home: string;
  /** The host itself, and what is kept from view in it. */
  readonly host: readonly Mount[];
  /** May also lie in a project. */
  readonly toolchains: readonly Mount[];
}

/**
 * Commands in namespaces of their own: they see the copy at the project's place, the operating system and the user's
 * toolchains and package caches to read, and nothing else of this host. Needs Linux and bubblewrap.
 */
export class BubblewrapLauncher implements CommandLauncher {
  readonly #deps: BubblewrapLauncherDeps;
  #probed: Promise<Probed> | undefined;
  #view: Promise<View> | undefined;
  readonly #limits = new LimitWords();
  readonly #overlays: DependencyOverlays;

  constructor(deps: BubblewrapLauncherDeps) {
    this.#deps = deps;
    this.#overlays = new DependencyOverlays({ env: deps.env, probeIn: deps.hidden[0] });
  }

  async probe(): Promise<{ readonly level: "full" | "none"; readonly why: string }> {
    const probed = await this.#probe();
    return {
      level: probed.works ? "full" : "none",
      why: probed.works
        ? `commands run in bubblewrap: they write to the plan's copy alone, read the system and toolchains, and have no network unless a step is granted it (${probed.version})${await this.#missing()}`
        : probed.why,
    };
  }

  async showsDependencies(): Promise<boolean> {
    return await this.#overlays.available();
  }

  async launch(request: LaunchRequest): Promise<LaunchedCommand> {
    const probed = await this.#probe();
    if (!probed.works) throw new CommandNotStartedError("commands cannot be isolated on this host");
    const command = wordsOf(request.command);
    const root = await realpath(request.root);
    const view = await this.#look();
    const overlays = await this.#overlays.prepare({
      ...request,
      root,
      layer: request.stdin === undefined ? undefined : request.mark,
    });
    const description = {
      users: probed.users,
      identity: probed.users.includes("--unshare-user") ? overlays.identity : [],
      network: request.network,
      mounts: [
        ...view.host,
        ...(await this.#readable(request)),
        ...(await projectMounts(root, request.projectRoot, view.toolchains, request.readOnly)),
        ...overlays.mounts,
        ...(request.shown ?? []).map(({ from }, n): Mount => ({ kind: "read-only", at: shownAt(n), from })),
      ],
      directory: path.join(request.projectRoot, path.relative(root, request.directory)),
      environment: this.#environment(request, homeFor(view.home, request.projectRoot)),
    };
    const { child, status, tree } = await startBubblewrap(
      probed,
      sandboxArguments(description),
      command,
      request.began,
      [...(request.before ?? []), ...(await this.#limits.before(request.limits)), ...overlays.before],
      request.stdin,
    );
    let said = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      if (said.length < 4096) said += chunk.toString("utf8");
    });
    return {
      child,
      tree,
      ownWords: OWN_WORDS,
      outcome: async (ended, byUs) => {
        await status.ended;
        await overlays.ended();
        if (byUs) return byUs && ended.signal === null ? signalOf(ended.exitCode) : ended;
        if (status.exitCode === undefined) throw this.#notStarted(command[0], said, ended);
        return { exitCode: status.exitCode, signal: null };
      },
    };
  }

  /** What lies in a place that is kept from view stays there. */
  async #readable({ readable = [] }: LaunchRequest): Promise<Mount[]> {
    const hidden = await Promise.all(this.#deps.hidden.map(realOf));
    return await Promise.all(
      readable.map(async (given): Promise<Mount> => {
        const at = path.resolve(given);
        const leadsTo = await realOf(at);
        if (!path.isAbsolute(given) || hidden.some((place) => isInside(place, leadsTo)))
          throw new CommandNotStartedError(`${given} cannot be shown to commands`);
        return { kind: "read-only", at, from: at };
      }),
    );
  }

  /** What does not hold although commands are isolated. */
  async #missing(): Promise<string> {
    const missing = [
      (await this.#overlays.available())
        ? []
        : ["ignored dependency folders are copied, since overlayfs cannot be mounted"],
      (await this.#limits.available())
        ? []
        : ["nothing but time and the number of processes is limited, since prlimit is not installed"],
    ].flat();
    return missing.map((one) => `; ${one}`).join("");
  }

  #notStarted(file: string, said: string, ended: Ended): CommandNotStartedError {
    const failed = /^bwrap: execvp .*: (.*)$/m.exec(said)?.[1];
    if (failed === "No such file or directory")
      return new CommandNotStartedError(whyNotStarted(file, "ENOENT"));
    if (failed === "Permission denied") return new CommandNotStartedError(whyNotStarted(file, "EACCES"));
    if (failed !== undefined)
      return new CommandNotStartedError(`the command ${file} could not be started: ${failed}`);
    // It names places of this host, which are not for everybody.
    this.#deps.logger?.warn({ said, ended }, "bubblewrap did not run a command");
    return new CommandNotStartedError("the isolation for the command could not be set up");
  }

  #environment({ env, projectRoot, shown = [] }: LaunchRequest, home: string): Record<string, string> {
    const { TMPDIR: _, ...host } = allowedEnvironment(this.#deps.env);
    const environment = {
      PATH: USUAL_PATH,
      ...host,
      HOME: home,
      ...env,
      ...Object.fromEntries(shown.map(({ variable }, n) => [variable, shownAt(n)])),
      GIT_CEILING_DIRECTORIES: path.dirname(projectRoot),
    };
    const wrong = Object.keys(environment).find((name) => name === "" || name.includes("="));
    if (wrong !== undefined)
      throw new CommandNotStartedError(`"${wrong}" is not a name of a variable of the environment`);
    return environment;
  }

  #probe(): Promise<Probed> {
    this.#probed ??= probeBubblewrap(this.#deps.env["PATH"] ?? USUAL_PATH);
    return this.#probed;
  }

  #look(): Promise<View> {
    this.#view ??= this.#survey();
    return this.#view;
  }

  async #survey(): Promise<View> {
    const given = this.#deps.env["HOME"];
    const home = given !== undefined && path.isAbsolute(given) ? await realOf(given) : undefined;
    const hidden = await Promise.all(this.#deps.hidden.map(realOf));
    const owned = home !== undefined && home !== "/" ? home : undefined;
    const [system, caches, toolchains] = await Promise.all([
      systemMounts(),
      packageCaches(owned),
      toolchainMounts({ path: this.#deps.env["PATH"] ?? USUAL_PATH, home: owned, hidden }),
    ]);
    const host: Mount[] = [
      ...system,
      ...hidden.map((at): Mount => ({ kind: "hidden", at })),
      { kind: "empty", at: HOME_OF_NOBODY },
      ...(owned === undefined ? [] : [{ kind: "empty", at: owned } as const]),
    ];
    return { home: owned ?? HOME_OF_NOBODY, host, toolchains: [...caches, ...toolchains] };
  }
}

async function realOf(place: string): Promise<string> {
  return await realpath(place).catch(() => path.resolve(place));
}

/** Where nothing of the host or the project lies. */
function shownAt(n: number): string {
  return `/run/shown/${n}`;
}

/** In the project there is nothing but the copy: a home there would be a part of what the plan changes. */
function homeFor(home: string, projectRoot: string): string {
  return isInside(projectRoot, home) ? HOME_OF_NOBODY : home;
}
