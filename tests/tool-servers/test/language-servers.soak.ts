import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Sandbox } from "@cleveragents/application";
import { type JsonObject, LspServerSchema, lspServerFrom } from "@cleveragents/domain";
import { LSPToolAdapter, LspCodeIntelligence, LspRuntime } from "@cleveragents/infrastructure/lsp";
import { ProcessCommandRunner, type ServerProcess } from "@cleveragents/infrastructure/process";
import { describe, expect, test } from "vitest";

const modules = fileURLToPath(new URL("../node_modules/", import.meta.url));
const bin = (name: string) => path.join(modules, ".bin", name);
const TIMES = { start_timeout: 60, request_timeout: 60, diagnostics_timeout: 30 };

/** Real servers of other people over a folder. */
class Folder implements AsyncDisposable {
  readonly root: string;
  readonly #runtime: LspRuntime;
  readonly #adapter: LSPToolAdapter;
  readonly #started: ServerProcess[] = [];
  readonly #server;

  private constructor(root: string, document: JsonObject) {
    this.root = root;
    const server = lspServerFrom(LspServerSchema.parse({ ...TIMES, ...document }));
    this.#server = server;
    const runner = new ProcessCommandRunner({ env: { PATH: process.env["PATH"], HOME: root } });
    this.#runtime = new LspRuntime({
      starter: {
        open: async (request) => {
          const opened = await runner.open(request);
          this.#started.push(opened);
          return opened;
        },
      },
      trust: { demand: async () => undefined },
      servers: async () => [server],
      version: "1.0.0",
    });
    this.#adapter = new LSPToolAdapter({ runtime: this.#runtime });
  }

  static async with(files: Readonly<Record<string, string>>, document: JsonObject): Promise<Folder> {
    const folder = new Folder(await realpath(await mkdtemp(path.join(tmpdir(), "servers-"))), document);
    for (const [file, content] of Object.entries(files)) await folder.write(file, content);
    return folder;
  }

  async write(file: string, content: string): Promise<void> {
    await mkdir(path.dirname(path.join(this.root, file)), { recursive: true });
    await writeFile(path.join(this.root, file), content);
  }

  get #place() {
    const sandbox = { root: this.root, projectRoot: this.root } as Sandbox; // the tools need no more of it
    return { planId: "plan", sandbox, signal: new AbortController().signal };
  }

  async ask(name: string, args: JsonObject): Promise<JsonObject> {
    return (await this.#adapter.call(name, args, { ...this.#place, network: false })).value;
  }

  async tested() {
    return await new LspCodeIntelligence({ runtime: this.#runtime }).test(
      this.#server,
      this.#place.sandbox,
      this.#place.signal,
    );
  }

  /** Every process that was started is gone, after all is closed. */
  async closed(): Promise<void> {
    await this.#runtime.close();
    for (const started of this.#started) {
      await started.ended;
      expect(await started.count()).toBe(0);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closed();
    await rm(this.root, { recursive: true, force: true });
  }
}

const TYPESCRIPT = {
  "package.json": '{ "type": "module" }',
  "tsconfig.json": '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] } }',
  "src/greet.ts":
    'export const party = "🎉"; export function gret(name: string): string { return party + name; }\n',
  "src/main.ts": 'import { greet } from "./greet";\nexport const said = greet("you");\n',
};
const PYTHON = {
  "pyproject.toml": "",
  "src/greet.py": 'party = "🎉"\n\n\ndef gret(name: str) -> str:\n    return party + name\n',
  "src/main.py": 'from greet import greet\n\nsaid: str = greet("you")\n',
};
const LANGUAGES: Readonly<
  Record<string, readonly [JsonObject, Readonly<Record<string, string>>, string, string]>
> = {
  "typescript-language-server": [
    {
      name: "local/tsls",
      language: "typescript",
      command: bin("typescript-language-server"),
      args: ["--stdio"],
      init_options: { tsserver: { path: path.join(modules, "typescript-6/lib/tsserver.js") } },
    },
    TYPESCRIPT,
    "src/greet.ts",
    "src/main.ts",
  ],
  pyright: [
    { name: "local/pyright", language: "python", command: bin("pyright-langserver"), args: ["--stdio"] },
    PYTHON,
    "src/greet.py",
    "src/main.py",
  ],
};

describe("language servers of other people", () => {
  for (const [name, [document, files, greet, main]] of Object.entries(LANGUAGES))
    test(`${name} judges, finds, renames, and hears of what others write`, async () => {
      await using folder = await Folder.with(files, document);
      expect(await folder.ask("lsp/diagnostics", {})).toMatchObject({ checked: 2, errors: 1, stale: false });
      expect(await folder.ask("lsp/hover", { path: greet, symbol: "gret" })).toMatchObject({
        contents: expect.stringContaining("gret"),
      });
      expect(await folder.ask("lsp/symbols", { path: greet })).toMatchObject({
        symbols: expect.arrayContaining([expect.objectContaining({ name: "gret", kind: "function" })]),
      });
      expect(
        await folder.ask("lsp/rename", { path: greet, symbol: "gret", new_name: "greet" }),
      ).toMatchObject({ files: [{ path: greet, change: "changed" }] });
      expect(await folder.ask("lsp/diagnostics", {})).toMatchObject({ errors: 0, stale: false });
      const use = { path: main, line: (files[main] as string).trimEnd().split("\n").length, symbol: "greet" };
      expect(await folder.ask("lsp/references", use)).toMatchObject({ total: 3 });
      expect(await folder.ask("lsp/definition", use)).toMatchObject({
        locations: [{ path: greet }],
      });
      await folder.write(greet, (files[greet] as string).replace("gret", "grete"));
      expect(await folder.ask("lsp/diagnostics", { path: main })).toMatchObject({ errors: 1, stale: false });
      expect(await folder.tested()).toMatchObject({ leftRunning: 0, tried: { stale: false } });
    });

  test("bash-language-server judges a script", async () => {
    await using folder = await Folder.with(
      { "run.sh": "#!/bin/bash\nif true; then\n  echo hello\n" },
      { name: "local/bash", language: "bash", command: bin("bash-language-server"), args: ["start"] },
    );
    expect(await folder.ask("lsp/diagnostics", {})).toMatchObject({ stale: false });
    await folder.write("run.sh", "#!/bin/bash\ngreet() {\n  echo hello\n}\ngreet\n");
    expect(await folder.ask("lsp/symbols", { path: "run.sh" })).toMatchObject({
      symbols: [expect.objectContaining({ name: "greet", line: 2 })],
    });
    expect(
      await folder.ask("lsp/rename", { path: "run.sh", line: 5, symbol: "greet", new_name: "say" }),
    ).toMatchObject({
      total: 1,
    });
  });

  test("yaml-language-server judges a document, in the words of its settings", async () => {
    await using folder = await Folder.with(
      { "a.yaml": "one: 1\none: 2\n" },
      {
        name: "local/yaml",
        language: "yaml",
        command: bin("yaml-language-server"),
        args: ["--stdio"],
        settings: { yaml: { validate: true, schemaStore: { enable: false } } },
      },
    );
    expect(await folder.ask("lsp/diagnostics", {})).toMatchObject({
      stale: false,
      errors: expect.any(Number),
      total: expect.any(Number),
    });
    await folder.write("a.yaml", "one: 1\ntwo: 2\n");
    expect(await folder.ask("lsp/diagnostics", { path: "a.yaml" })).toMatchObject({ total: 0, stale: false });
  });
});
