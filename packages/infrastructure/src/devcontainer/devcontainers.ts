import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import path from "node:path";
import {
  type CommandEnvironment,
  type CommandEnvironments,
  CommandNotStartedError,
  type FoundEnvironment,
  type Logger,
  storageErrorIn,
} from "@cleveragents/application";
import { type ContainerRecord, ContainerRecords } from "./container-records.ts";
import { ContainerPrograms, LABELS } from "./engine.ts";
import { findDevcontainers } from "./find-devcontainers.ts";
import { assertConfined, type Started, startContainer } from "./start-container.ts";

/** Between asking a container to end and ending it. */
const GRACE_SECONDS = 10;
/** How long stopping may take altogether. */
const STOP_MS = 15_000;

export interface DevcontainersDeps {
  /** The host's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dataDir: string;
  readonly logger: Logger;
  /** The operator lets descriptions reach out to the host: what they start is then theirs to answer for. */
  readonly hostAccess?: boolean;
  readonly stopMs?: number;
}

/** Development containers of plans, by the devcontainer CLI: one for each plan that asks for one, around its copy. */
export class Devcontainers implements CommandEnvironments {
  readonly programs: ContainerPrograms;
  readonly #deps: DevcontainersDeps;
  readonly #records: ContainerRecords;
  readonly #started = new Map<string, Promise<Started>>();
  /** Plans of which an earlier process has left something. */
  #left: ReadonlySet<string> = new Set();
  readonly #agent: string;

  constructor(deps: DevcontainersDeps) {
    this.#deps = deps;
    this.programs = new ContainerPrograms(deps.env);
    this.#records = new ContainerRecords(path.join(deps.dataDir, "devcontainers"));
    this.#agent = createHash("sha256").update(deps.dataDir).digest("hex").slice(0, 16);
  }

  detect(projectRoot: string): Promise<readonly FoundEnvironment[]> {
    return findDevcontainers(projectRoot);
  }

  leftBehind(planId: string): boolean {
    return this.#left.has(planId) && !this.#started.has(planId);
  }

  /** The plan's container, running; made by the first call. Throws `CommandNotStartedError`, or the signal's reason. */
  async started(
    environment: CommandEnvironment,
    place: { readonly root: string; readonly projectRoot: string },
    signal: AbortSignal,
  ): Promise<Started> {
    const { planId, contextId } = environment;
    const there = await this.#started.get(planId)?.catch(() => undefined);
    if (there !== undefined && (await this.#runs(there.containerId, signal))) return there;
    const { hostAccess = false, logger } = this.#deps;
    const { config } = environment;
    await assertConfined({ projectRoot: place.projectRoot, config, hostAccess });
    const starting = (async () => {
      await this.#records.write({ planId, contextId });
      const started = await startContainer(
        this.programs,
        {
          config,
          ...place,
          root: await realpath(place.root),
          labels: [
            `${LABELS.agent}=${this.#agent}`,
            `${LABELS.plan}=${planId}`,
            `${LABELS.session}=${contextId}`,
          ],
          hostAccess,
          logger,
        },
        signal,
      );
      if (started.composeProject !== undefined)
        await this.#records.write({ planId, contextId, composeProject: started.composeProject });
      return started;
    })();
    this.#started.set(planId, starting);
    try {
      return await starting;
    } catch (error) {
      this.#started.delete(planId);
      await this.#stop([{ planId, contextId }], true);
      if (error instanceof CommandNotStartedError || signal.aborted) throw error;
      logger.error({ planId, error: String(error) }, "a dev container could not be started");
      const lacking = storageErrorIn(error);
      const why = lacking === undefined ? "" : `: ${lacking.summary}; ${lacking.advice}`;
      throw new CommandNotStartedError(`the dev container could not be started${why}`, { cause: error });
    }
  }

  async stop(
    whose: { readonly planId: string; readonly forGood?: boolean } | { readonly contextId: string },
  ): Promise<void> {
    if ("contextId" in whose) {
      const records = (await this.#records.all()).filter(({ contextId }) => contextId === whose.contextId);
      return this.#stop(records, false);
    }
    const record = await this.#records.find(whose.planId);
    if (record !== undefined) await this.#stop([record], whose.forGood ?? false);
  }

  async sweep(isOver: (planId: string) => Promise<boolean>): Promise<void> {
    const records = await this.#records.all();
    this.#left = new Set(records.map(({ planId }) => planId));
    const over = await Promise.all(records.map(({ planId }) => isOver(planId)));
    await this.#stop(
      records.filter((_, index) => over[index]),
      true,
    );
  }

  async #runs(containerId: string, signal: AbortSignal): Promise<boolean> {
    const args = ["inspect", "--format", "{{.State.Running}}", containerId];
    return (await this.programs.askDocker(args, signal))?.stdout.trim() === "true";
  }

  /** Never throws: whoever ends a session or a plan has nothing to do with what an engine cannot do. */
  async #stop(records: readonly ContainerRecord[], forGood: boolean): Promise<void> {
    const signal = AbortSignal.timeout(this.#deps.stopMs ?? STOP_MS);
    await Promise.all(
      records.map(async (record) => {
        this.#started.delete(record.planId);
        try {
          await this.#stopOne(record, forGood, signal);
        } catch (error) {
          const { planId } = record;
          this.#deps.logger.warn({ planId, error: String(error) }, "a dev container could not be stopped");
        }
      }),
    );
  }

  async #stopOne(record: ContainerRecord, forGood: boolean, signal: AbortSignal): Promise<void> {
    const ids = await this.#containers(record, signal);
    if (ids.length > 0) {
      await this.#docker(["stop", "-t", String(GRACE_SECONDS), ...ids], signal);
      if (forGood) await this.#docker(["rm", "--force", "--volumes", ...ids], signal);
    }
    if (forGood) await this.#records.remove(record.planId);
  }

  async #containers({ planId, composeProject }: ContainerRecord, signal: AbortSignal): Promise<string[]> {
    const filters = [
      [`label=${LABELS.agent}=${this.#agent}`, `label=${LABELS.plan}=${planId}`],
      ...(composeProject === undefined ? [] : [[`label=com.docker.compose.project=${composeProject}`]]),
    ];
    const found = new Set<string>();
    for (const filter of filters) {
      const listed = await this.#docker(
        ["ps", "--all", "--quiet", ...filter.flatMap((one) => ["--filter", one])],
        signal,
      );
      for (const id of listed.split(/\s+/)) if (id !== "") found.add(id);
    }
    return [...found];
  }

  async #docker(args: readonly string[], signal: AbortSignal): Promise<string> {
    const said = await this.programs.askDocker(args, signal);
    if (said === undefined) throw new Error("docker is not installed");
    if (said.exitCode !== 0) throw new Error(`docker ${args[0]}: ${said.stderr.trim().slice(0, 500)}`);
    return said.stdout;
  }
}
