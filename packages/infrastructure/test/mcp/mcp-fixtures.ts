import { randomUUID } from "node:crypto";
import { mkdtempSync, realpathSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Executable, Logger, RegistryStore, ToolContext, Trust } from "@cleveragents/application";
import { type JsonObject, type McpServer, McpServerSchema } from "@cleveragents/domain";
import { HOSTILE_MCP_SERVER } from "@cleveragents/testing/services";
import { discover } from "../../src/mcp/discover.ts";
import { McpClient, type McpClientConfig } from "../../src/mcp/mcp-client.ts";
import { McpToolProvider, type McpToolProviderDeps } from "../../src/mcp/mcp-tool-provider.ts";
import { type Processes, placeApart } from "../../src/mcp/server-place.ts";
import { ServerSecrets } from "../../src/mcp/server-secrets.ts";
import { InMemoryRegistryStore } from "../../src/memory/index.ts";
import { ProcessCommandRunner } from "../../src/process/index.ts";

export const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} };
/** Between asking a server to end and making it, in tests of those that do not. */
const GRACE_MS = 200;

/** What tests of MCP start is found again by a variable that all of it inherits. */
export class McpWorld implements AsyncDisposable {
  readonly token = randomUUID();
  readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), "mcp-")));
  readonly env: Record<string, string | undefined> = { ...process.env, SECRET_X: "swordfish-of-the-host" };
  readonly registry: RegistryStore = new InMemoryRegistryStore();
  readonly demanded: Executable[] = [];
  readonly trust: Trust = {
    demand: async (executable) => void this.demanded.push(executable),
  };
  readonly #open: { close(): Promise<void> }[] = [];
  processes: Processes = new ProcessCommandRunner({ env: this.env, graceMs: GRACE_MS });

  hostile(mode = "good", more: JsonObject = {}): McpServer {
    const { env, ...rest } = more as { env?: JsonObject } & JsonObject;
    return this.server({
      name: "local/hostile",
      command: process.execPath,
      args: ["--disable-warning=ExperimentalWarning", HOSTILE_MCP_SERVER, mode],
      env: { WORLD: this.token, ...env },
      protocol: "legacy",
      sandbox: "none",
      ...rest,
    });
  }

  server(document: JsonObject): McpServer {
    return McpServerSchema.parse(document);
  }

  client(server: McpServer, more: Partial<McpClientConfig> = {}): McpClient {
    const place = placeApart(this.#places(), server, false);
    const client = new McpClient({
      server,
      env: this.env,
      open: place.open,
      roots: [],
      redactor: new ServerSecrets(server, this.env).redactor(),
      clientVersion: "1.0.0",
      ...more,
    });
    this.#open.push(client);
    return client;
  }

  provider(more: Partial<McpToolProviderDeps> = {}): McpToolProvider {
    const provider = new McpToolProvider({
      ...this.#places(),
      credentials: path.join(this.folder, "credentials.json"),
      registry: this.registry,
      trust: this.trust,
      clientVersion: "1.0.0",
      logger: SILENT,
      now: () => Date.now(),
      ...more,
    });
    this.#open.push(provider);
    return provider;
  }

  async discover(server: McpServer) {
    const deps = { ...this.#places(), trust: this.trust, clientVersion: "1.0.0" };
    return await discover(deps, server, new AbortController().signal);
  }

  async register(server: McpServer): Promise<void> {
    const document = JSON.parse(JSON.stringify(server)) as JsonObject;
    await this.registry.add({ kind: "mcp", name: server.name, document, createdAt: 1, updatedAt: 1 });
  }

  /** A context of a call, whose sandbox is a folder of the test's. */
  context(more: Partial<ToolContext> = {}): ToolContext {
    return {
      planId: "plan-1",
      sandbox: { root: this.folder, projectRoot: "/work/of/somebody" } as ToolContext["sandbox"],
      signal: new AbortController().signal,
      network: false,
      ...more,
    };
  }

  /** How many processes of servers of this world there are. */
  async running(): Promise<number> {
    return (await this.#processes()).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#open.map((one) => one.close()));
    // Where a test has failed, something may be left.
    for (const pid of await this.#processes()) process.kill(pid, "SIGKILL");
    await rm(this.folder, { recursive: true, force: true });
  }

  async #processes(): Promise<number[]> {
    const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const found = await Promise.all(
      names.map(async (name) => {
        const environment = await readFile(`/proc/${name}/environ`, "latin1").catch(() => "");
        return environment.includes(`WORLD=${this.token}`) ? [Number(name)] : [];
      }),
    );
    return found.flat();
  }

  #places() {
    return { processes: this.processes, env: this.env, folder: path.join(this.folder, "servers") };
  }
}

/** What a promise was rejected with. */
export async function failure(promise: Promise<unknown>): Promise<Error & { reason?: string }> {
  return await promise.then(
    () => {
      throw new Error("it was expected to fail");
    },
    (error: Error) => error,
  );
}

export const textIn = (result: { readonly content: readonly unknown[] }): string =>
  (result.content[0] as { text: string }).text;
