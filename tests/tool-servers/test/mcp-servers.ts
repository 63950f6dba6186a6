import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { ToolContext } from "@cleveragents/application";
import type { JsonObject } from "@cleveragents/domain";
import { BubblewrapLauncher } from "@cleveragents/infrastructure/bubblewrap";
import { MCPToolAdapter } from "@cleveragents/infrastructure/mcp";
import { ProcessCommandRunner } from "@cleveragents/infrastructure/process";

const MODULES = fileURLToPath(new URL("../node_modules/@modelcontextprotocol/", import.meta.url));

/** Where all that they need lies. */
export const NEEDED = realpathSync(fileURLToPath(new URL("../../../node_modules/", import.meta.url)));

/** The program of a published server, and how it is started here. */
export function published(name: string, ...args: string[]): { command: string; args: string[] } {
  const folder = realpathSync(path.join(MODULES, `server-${name}`));
  const { bin } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
    bin: Record<string, string>;
  };
  return { command: process.execPath, args: [path.join(folder, Object.values(bin)[0] as string), ...args] };
}

/** A server of our own that speaks the newer era. */
export const MODERN = {
  command: process.execPath,
  args: [
    "--disable-warning=ExperimentalWarning",
    fileURLToPath(new URL("modern-server.ts", import.meta.url)),
  ],
};

/** What tests start is found again by a variable that all of it inherits. */
export class ServerWorld implements AsyncDisposable {
  readonly token = randomUUID();
  readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), "tool-servers-")));
  readonly isolation = new BubblewrapLauncher({ env: process.env, hidden: [] });
  readonly places = {
    processes: new ProcessCommandRunner({ env: process.env, isolation: this.isolation, graceMs: 500 }),
    env: process.env,
    folder: path.join(this.folder, "servers"),
    trust: { demand: async () => undefined },
    clientVersion: "1.0.0",
  };
  readonly #children: ChildProcess[] = [];
  readonly #adapters: MCPToolAdapter[] = [];

  adapter(document: JsonObject): MCPToolAdapter {
    const isHttp = "url" in document;
    const own = isHttp ? {} : { sandbox: "none", env: { WORLD: this.token } };
    const adapter = new MCPToolAdapter({ name: "s", ...own, ...document } as never, this.places);
    this.#adapters.push(adapter);
    return adapter;
  }

  /** Starts a server over HTTP, and waits until it listens. */
  async listen(program: { command: string; args: string[] }): Promise<number> {
    const port = await freePort();
    const child = spawn(program.command, program.args, {
      env: { ...process.env, PORT: String(port), WORLD: this.token },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#children.push(child);
    await new Promise<void>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk) => /listening|running|ready|port/i.test(String(chunk)) && resolve());
      child.once("exit", (code) => reject(new Error(`it ended with exit code ${code}`)));
    });
    return port;
  }

  context(root: string, projectRoot: string): ToolContext {
    return {
      planId: "plan-1",
      sandbox: { root, projectRoot } as ToolContext["sandbox"],
      signal: new AbortController().signal,
      network: false,
    };
  }

  async running(): Promise<number> {
    const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const texts = await Promise.all(
      names.map(async (name) => await readFile(`/proc/${name}/environ`, "latin1").catch(() => "")),
    );
    return texts.filter((text) => text.includes(`WORLD=${this.token}`)).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#adapters.map((adapter) => adapter.disconnect()));
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
