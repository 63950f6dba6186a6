import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@cleveragents/protocol";
import { connectOwner, readDiscovery } from "@cleveragents/transport-stdio/client";
import { createRepository, type Repository } from "../world/repository.ts";
import { type Kill, OwnerProcess, type Program } from "./owner-process.ts";
import { processesMarked } from "./processes.ts";

export type Kills = readonly Kill[] | ((place: ChaosPlace) => Kill | undefined);

export interface ChaosPlaceOptions {
  /** The server, run from its sources: a release has no fail points. */
  readonly server: Program;
  readonly agents?: Program | undefined;
  /**
   * How the owners die: each as its place in the list says, those after the last not at all; or what is answered when
   * one is about to be started.
   */
  readonly kills?: Kills | undefined;
  /** Called after each death, while no owner lives: what is on the disk is what the death left. */
  readonly afterDeath?: ((place: ChaosPlace, dead: OwnerProcess) => Promise<void>) | undefined;
}

/** A data directory and a user's repository for real processes, all of which end with it. */
export class ChaosPlace implements AsyncDisposable {
  readonly dir: string;
  readonly dataDir: string;
  readonly repository: Repository;
  /** In order of their starts. */
  readonly owners: OwnerProcess[] = [];
  readonly env: Readonly<Record<string, string>>;
  readonly #options: ChaosPlaceOptions;
  readonly #clients: Client[] = [];
  #starting: Promise<OwnerProcess> | undefined;

  private constructor(dir: string, repository: Repository, options: ChaosPlaceOptions) {
    this.dir = dir;
    this.dataDir = join(dir, "data");
    this.repository = repository;
    this.#options = options;
    for (const name of ["data", "home", "tmp"]) mkdirSync(join(dir, name), { mode: 0o700 });
    const { server } = options;
    this.env = {
      PATH: process.env["PATH"] ?? "",
      HOME: join(dir, "home"),
      TMPDIR: join(dir, "tmp"),
      LANG: "C.UTF-8",
      NO_COLOR: "1",
      ...(server.compileCache !== undefined && { NODE_COMPILE_CACHE: server.compileCache }),
      CLEVERAGENTS_DATA_DIR: this.dataDir,
      CLEVERAGENTS_IDLE_SECONDS: "600",
      // What plans leave behind is looked for when they have ended.
      CLEVERAGENTS_SANDBOX_KEEP_HOURS: "0",
      CLEVERAGENTS_AGENT_COMMAND: [server.command, ...server.args].map((word) => `"${word}"`).join(" "),
    };
  }

  static async open(options: ChaosPlaceOptions): Promise<ChaosPlace> {
    const dir = await realpath(await mkdtemp(join(tmpdir(), "cleveragents-chaos-")));
    return new ChaosPlace(dir, await createRepository(), options);
  }

  /** The owner that was started last. */
  get owner(): OwnerProcess | undefined {
    return this.owners.at(-1);
  }

  /** Every pass of a fail point so far, of the owners from the n-th on, counted from 0. */
  passed(from = 0): readonly string[] {
    return this.owners.slice(from).flatMap((_, n) => this.#passedBy(from + n));
  }

  /** The fail points that owners were killed at: the last that each of them passed. */
  get diedAt(): readonly string[] {
    return this.owners.flatMap(({ kill, killed }, n) =>
      killed && kill !== undefined && "at" in kill ? this.#passedBy(n).slice(-1) : [],
    );
  }

  #passedBy(n: number): readonly string[] {
    const log = this.#pointsLog(n);
    return existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
  }

  #pointsLog(n: number): string {
    return join(this.dir, `points-${n}.log`);
  }

  /** Starts an owner unless one of ours lives; the next kill of the list is its own. */
  startOwner(): Promise<OwnerProcess> {
    this.#starting ??= this.#startOwner().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #startOwner(): Promise<OwnerProcess> {
    const { owner } = this;
    if (owner?.alive === true) return owner;
    if (owner?.killed === true) await this.#options.afterDeath?.(this, owner);
    const { kills = [] } = this.#options;
    const started = new OwnerProcess({
      program: this.#options.server,
      dataDir: this.dataDir,
      env: { ...this.env, CLEVERAGENTS_FAIL_POINT_LOG: this.#pointsLog(this.owners.length) },
      kill: typeof kills === "function" ? kills(this) : kills[this.owners.length],
    });
    this.owners.push(started);
    return started;
  }

  /** Starts owners until one has said where it is found, with every plan on its way. */
  async owned(): Promise<OwnerProcess> {
    for (;;) {
      const owner = await this.startOwner();
      while (owner.alive) {
        if ((await readDiscovery(this.dataDir))?.pid === owner.pid) return owner;
        await pause(20);
      }
      if (!owner.killed) throw new Error(`an owner did not start:\n${this.log()}`);
    }
  }

  /** A client of whichever owner there is; one that is gone is replaced at the next call. */
  async connect(): Promise<Client> {
    const transport = await connectOwner({
      dataDir: this.dataDir,
      startOwner: async () => {
        await this.startOwner();
        return undefined;
      },
      timeoutMs: 60_000,
    });
    const client = createClient(transport);
    this.#clients.push(client);
    return client;
  }

  /** Runs `agents` from its sources to its end. It starts an owner itself where there is none. */
  async agents(...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
    const { agents } = this.#options;
    if (agents === undefined) throw new Error("this place has no agents");
    return new Promise((resolve) => {
      const all = [...agents.args, ...args];
      execFile(agents.command, all, { env: this.env, cwd: this.dir }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resolve({ code, output: `${stdout}${code === 0 ? "" : stderr}` });
      });
    });
  }

  /** What the owners have said. */
  log(): string {
    const file = join(this.dataDir, "owner.log");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) await client[Symbol.asyncDispose]();
    for (const owner of this.owners) if (owner.alive) await owner.die();
    for (const { pid } of await processesMarked(this.dir)) tryToKill(pid);
    await rm(this.dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    await this.repository[Symbol.asyncDispose]();
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function tryToKill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
