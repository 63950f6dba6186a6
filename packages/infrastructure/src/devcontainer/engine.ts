import path from "node:path";
import { findProgram } from "../bubblewrap/find-program.ts";
import { engineEnvironment, runProgram, type Said } from "./host-program.ts";

type Host = Readonly<Record<string, string | undefined>>;

/** Names the folder by which one agent's containers are told from another's. */
export const LABELS = {
  agent: "cleveragents.agent",
  plan: "cleveragents.plan",
  session: "cleveragents.session",
};

/** The programs of this host that make containers and speak to them; found on the PATH, never installed. */
export class ContainerPrograms {
  readonly env: Readonly<Record<string, string>>;
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
    this.env = engineEnvironment(host);
  }

  /** Absolute path; undefined where it is not installed. */
  async devcontainer(): Promise<string | undefined> {
    return this.#find(this.#host["CLEVERAGENTS_DEVCONTAINER_COMMAND"] || "devcontainer");
  }

  async docker(): Promise<string | undefined> {
    return this.#find("docker");
  }

  /** What docker says; undefined where there is none. Throws the signal's reason. */
  async askDocker(args: readonly string[], signal: AbortSignal): Promise<Said | undefined> {
    const docker = await this.docker();
    if (docker === undefined) return undefined;
    return runProgram(docker, args, { env: this.env, cwd: "/", signal });
  }

  async #find(name: string): Promise<string | undefined> {
    if (path.isAbsolute(name)) return name;
    return findProgram(name, this.#host["PATH"] ?? "/usr/local/bin:/usr/bin:/bin");
  }
}
