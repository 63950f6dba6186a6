import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, type Ran } from "./support.ts";

/** An agent that is there while a test runs; it knows the words of our scripted agent. */
export interface LiveAgent extends AsyncDisposable {
  readonly url: string;
}

export interface TaskJson {
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string };
  readonly artifacts?: readonly { readonly artifactId: string; readonly parts: readonly object[] }[];
  readonly history?: readonly object[];
}

export interface Answered extends Ran {
  readonly json: Record<string, unknown>;
  readonly lines: readonly Record<string, unknown>[];
  /** Of what was printed as text: the first value under a label. */
  readonly field: (label: string) => string | undefined;
}

/** `agents a2a` of the build, before a live agent. */
export class Caller implements AsyncDisposable {
  readonly place = new Place();
  readonly #url: string;
  readonly #env: Record<string, string>;

  constructor(url: string, env: Record<string, string> = {}) {
    this.#url = url;
    this.#env = env;
  }

  async a2a(...args: string[]): Promise<Answered> {
    const env = { A2ACLI_AGENT_CARD: this.#url, ...this.#env };
    return answered(await this.place.agents(["a2a", ...args], { env }));
  }

  /** A command as it was printed, in the user's shell. */
  async shell(line: string, ...args: string[]): Promise<Answered> {
    const agents = `'${process.execPath}' '${join(import.meta.dirname, "../../../packages/cli/bin/agents.mjs")}'`;
    return answered(
      await this.place.run("sh", ["-c", `${line.replace(/^agents /, `${agents} `)} ${args.join(" ")}`]),
    );
  }

  async task(...args: string[]): Promise<TaskJson> {
    const { json, code, stderr } = await this.a2a(...args, "-o", "json");
    if (code !== 0) throw new Error(stderr);
    return (json["task"] ?? json) as TaskJson;
  }

  file(name: string, text: string): string {
    const path = join(this.place.dir, name);
    writeFileSync(path, text);
    return path;
  }

  read(name: string): string {
    return readFileSync(join(this.place.dir, name), "utf8");
  }

  /** Every file that the command has left in the user's home. */
  kept(): string[] {
    return readdirSync(this.place.env["HOME"] ?? "", { recursive: true }).map(String);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.place[Symbol.asyncDispose]();
  }
}

function answered(ran: Ran): Answered {
  const parsed = (text: string) => {
    try {
      return JSON.parse(text) as Record<string, unknown>;
    } catch {
      return {};
    }
  };
  return {
    ...ran,
    json: parsed(ran.stdout),
    lines: ran.stdout.trimEnd().split("\n").map(parsed),
    field: (label) => ran.stdout.match(new RegExp(`^${label}: (.*)$`, "m"))?.[1],
  };
}
