import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** How a program is started, without the mode that it is started in. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** Where Node keeps what it has compiled of it, for the next start. */
  readonly compileCache?: string | undefined;
}

/** Where an owner is to die: at a pass of a fail point (`name[:n]`, `*:n` for the n-th of all), or after a time. */
export type Kill = { readonly at: string } | { readonly afterMs: number };

export interface Death {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface OwnerProcessOptions {
  readonly program: Program;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly kill?: Kill | undefined;
}

/** A real owner of a data directory, started detached as `agents` starts one; its words go to `owner.log`. */
export class OwnerProcess {
  readonly pid: number;
  readonly kill: Kill | undefined;
  /** Settles when it has ended. */
  readonly ended: Promise<Death>;
  readonly #child: ChildProcess;
  #death: Death | undefined;

  constructor({ program, dataDir, env, kill }: OwnerProcessOptions) {
    const log = openSync(join(dataDir, "owner.log"), "a", 0o600);
    const armed = kill !== undefined && "at" in kill ? { CLEVERAGENTS_FAIL_POINT: kill.at } : {};
    this.kill = kill;
    this.#child = spawn(program.command, [...program.args, "owner", "--data-dir", dataDir], {
      cwd: dataDir,
      detached: true,
      stdio: ["ignore", log, log],
      env: { ...env, ...armed },
    });
    closeSync(log);
    this.pid = this.#child.pid ?? -1;
    this.ended = new Promise((resolve) => {
      const over = (death: Death) => {
        this.#death ??= death;
        resolve(this.#death);
      };
      this.#child.once("exit", (code, signal) => over({ code, signal }));
      this.#child.once("error", () => over({ code: -1, signal: null }));
    });
    if (kill === undefined || "at" in kill) return;
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), kill.afterMs);
    void this.ended.then(() => clearTimeout(timer));
  }

  get alive(): boolean {
    return this.#death === undefined;
  }

  /** Whether its kill has come. */
  get killed(): boolean {
    return this.#death?.signal === "SIGKILL";
  }

  /** SIGKILL, and waits until it is gone. */
  async die(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.ended;
  }

  /** SIGTERM, and waits; SIGKILL if it does not leave, which is `forced`. A kill of its own may come first. */
  async leave(patienceMs = 30_000): Promise<Death & { readonly forced: boolean }> {
    let forced = false;
    this.#child.kill("SIGCONT");
    this.#child.kill("SIGTERM");
    const timer = setTimeout(() => {
      forced = true;
      this.#child.kill("SIGKILL");
    }, patienceMs);
    const death = await this.ended;
    clearTimeout(timer);
    return { ...death, forced };
  }

  /** Whether it stands still, at a fail point that stops. */
  async stopped(): Promise<boolean> {
    const text = await readFile(`/proc/${this.pid}/stat`, "utf8").catch(() => "");
    return text.slice(text.lastIndexOf(")") + 2).startsWith("T");
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}
