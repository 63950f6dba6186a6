import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Sandbox, ToolContext, ToolResult, Trust } from "@cleveragents/application";
import type { JsonObject, LspServer } from "@cleveragents/domain";
import { LspServerSchema, lspServerFrom } from "@cleveragents/domain";
import { LSPToolAdapter, LspRuntime, type LspRuntimeDeps } from "@cleveragents/infrastructure/lsp";
import {
  ProcessCommandRunner,
  type ServerProcess,
  type ServerStarter,
} from "@cleveragents/infrastructure/process";
import { fakeLanguageServer } from "@cleveragents/testing/services";

/** A plan's copy with language servers over it, and what is asked of them as tools. */
export class LspWorld implements AsyncDisposable {
  readonly root: string;
  readonly runtime: LspRuntime;
  readonly adapter: LSPToolAdapter;
  /** Everything that was started. */
  readonly started: ServerProcess[];
  readonly demanded: Parameters<Trust["demand"]>[0][];
  readonly #controller = new AbortController();

  private constructor(root: string, servers: readonly LspServer[], deps: Partial<LspRuntimeDeps>) {
    this.root = root;
    const started: ServerProcess[] = [];
    const demanded: Parameters<Trust["demand"]>[0][] = [];
    const runner = new ProcessCommandRunner({ env: { PATH: process.env["PATH"] }, graceMs: 500 });
    const starter: ServerStarter = {
      async open(request) {
        const opened = await runner.open(request);
        started.push(opened);
        return opened;
      },
    };
    const trust: Trust = {
      async demand(executable) {
        demanded.push(executable);
      },
    };
    this.started = started;
    this.demanded = demanded;
    this.runtime = new LspRuntime({
      starter,
      trust,
      servers: async () => servers,
      version: "1.0.0",
      settleMs: 50,
      backOffMs: 10,
      ...deps,
    });
    this.adapter = new LSPToolAdapter({ runtime: this.runtime });
  }

  static async open(
    files: Readonly<Record<string, string>>,
    servers: readonly LspServer[],
    deps: Partial<LspRuntimeDeps> = {},
  ): Promise<LspWorld> {
    const root = await realpath(await mkdtemp(path.join(tmpdir(), "lsp-")));
    const world = new LspWorld(root, servers, deps);
    for (const [file, content] of Object.entries(files)) await world.write(file, content);
    return world;
  }

  async write(file: string, content: string): Promise<void> {
    await mkdir(path.dirname(path.join(this.root, file)), { recursive: true });
    await writeFile(path.join(this.root, file), content);
  }

  async read(file: string): Promise<string> {
    return await readFile(path.join(this.root, file), "utf8");
  }

  get sandbox(): Sandbox {
    return { root: this.root, projectRoot: this.root } as Sandbox; // the tools need no more of it
  }

  async call(name: string, args: JsonObject, context: Partial<ToolContext> = {}): Promise<ToolResult> {
    return await this.adapter.call(name, args, {
      planId: "plan",
      sandbox: this.sandbox,
      signal: this.#controller.signal,
      network: false,
      ...context,
    });
  }

  /** The value of a call, as loosely typed as JSON is. */
  // biome-ignore lint/suspicious/noExplicitAny: what a tool answers is JSON, and each test knows its own
  async ask(name: string, args: JsonObject, context: Partial<ToolContext> = {}): Promise<any> {
    return (await this.call(name, args, context)).value;
  }

  /** What the fake server was told and asked. */
  async log(server: LspServer, file = "a.txt"): Promise<readonly (readonly unknown[])[]> {
    const place = { planId: "plan", sandbox: this.sandbox, signal: this.#controller.signal };
    return await this.runtime.use(server, file, place, async ({ client }) =>
      client.ask("fake/log", {}, { timeoutMs: 5000, signal: place.signal }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.runtime.close();
    await rm(this.root, { recursive: true, force: true });
  }
}

/** The fake server in some of its ways, for text files; times in seconds. */
export function fakeServer(modes: readonly string[], document: Record<string, unknown> = {}): LspServer {
  const { command, args } = fakeLanguageServer(...modes);
  return lspServerFrom(
    LspServerSchema.parse({
      name: "local/fake",
      language: "plain",
      file_patterns: ["*.txt"],
      command,
      args,
      start_timeout: 20,
      request_timeout: 20,
      diagnostics_timeout: 10,
      ...document,
    }),
  );
}
