import { describe, expect, test } from "vitest";
import { languageIds, languageOf } from "./languages.ts";
import { AUTO_BINDING, boundServers, LspBindingError, LspBindingSchema } from "./lsp-binding.ts";
import { LSP_CAPABILITIES, LspServerSchema, lspCapability, lspServerFrom } from "./lsp-server-schema.ts";
import { servedAs, serverFor } from "./serving.ts";

const pyright = {
  name: "local/pyright",
  language: "python",
  command: "pyright-langserver",
  args: ["--stdio"],
};
const server = (document: Record<string, unknown>) => lspServerFrom(LspServerSchema.parse(document));
const problems = (document: Record<string, unknown>): readonly string[] =>
  LspServerSchema.safeParse(document).error?.issues.map(({ path, message }) => `${path}: ${message}`) ?? [];

describe("the document of a language server", () => {
  test("is read as the protocol documents have it", () => {
    expect(server({ ...pyright, env: {}, workspace_mapping: "auto" })).toMatchObject({
      languages: ["python"],
      args: ["--stdio"],
      workspaceMapping: "auto",
      capabilities: LSP_CAPABILITIES,
    });
  });

  test("is read as the registry pages have it", () => {
    const read = server({
      name: "local/ts",
      description: "TypeScript",
      languages: ["typescript", "javascript"],
      command: "tsc",
      root_path: "packages/app",
      initialization: { a: 1 },
      capabilities: ["hover", "textDocument/completion", "lsp.code_action"],
    });
    expect(read).toMatchObject({
      languages: ["typescript", "typescriptreact", "javascript", "javascriptreact"],
      workspaceMapping: "explicit",
      rootPath: "packages/app",
      initOptions: { a: 1 },
      capabilities: ["hover", "completions", "code-actions"],
    });
  });

  test("says what it lacks, and what it says twice", () => {
    expect(problems({ name: "local/x", command: "x" })).toEqual([
      "language: a server has a language: say `language`, or `languages`",
    ]);
    expect(problems({ ...pyright, languages: ["go"] }).join()).toContain("not both");
    expect(problems({ ...pyright, init_options: 1, initialization: 2 }).join()).toContain(
      "it says the same as `init_options`",
    );
    expect(problems({ ...pyright, language: "wdl" }).join()).toContain("say `file_patterns`");
    expect(problems({ ...pyright, language: "wdl", file_patterns: ["*.wdl"] })).toEqual([]);
    expect(problems({ ...pyright, capabilities: ["telepathy"] }).join()).toContain("not one of diagnostics");
    expect(problems({ ...pyright, root_path: "../x" }).join()).toContain("relative to it");
    expect(problems({ ...pyright, workspace_mapping: "auto", root_path: "x" }).join()).toContain("is found");
    expect(problems({ ...pyright, colour: "blue" }).join()).toContain("colour");
  });

  test("names capabilities by tool, by dotted tool and by method", () => {
    expect(
      ["diagnostics", "lsp.signature_help", "textDocument/rename", "workspace/symbol", "x"].map(
        lspCapability,
      ),
    ).toEqual(["diagnostics", "signature", "rename", "workspace-symbols", undefined]);
  });
});

describe("languages", () => {
  test("are known by extensions and whole names, in any case", () => {
    expect(
      ["a/b.tsx", "Dockerfile", "x.PY", "x.unknown", "Makefile", ".bashrc", "noext", "a.d/file"].map(
        languageOf,
      ),
    ).toEqual([
      "typescriptreact",
      "dockerfile",
      "python",
      undefined,
      "makefile",
      "shellscript",
      undefined,
      undefined,
    ]);
    expect(languageIds("Bash")).toEqual(["shellscript"]);
  });

  test("decide which server a file is asked of", () => {
    const ts = server({ ...pyright, name: "local/ts", language: "typescript" });
    const odd = server({ ...pyright, name: "local/odd", language: "wdl", file_patterns: ["flows/*.txt"] });
    const quiet = server({ ...pyright, capabilities: ["hover"] });
    expect(servedAs(ts, "src/a.tsx")).toBe("typescriptreact");
    expect(servedAs(odd, "flows/a.txt")).toBe("wdl");
    expect(servedAs(odd, "a.txt")).toBeUndefined();
    expect(serverFor([quiet, ts], "a.py", "rename")).toBeUndefined();
    expect(serverFor([ts, quiet], "a.py", "hover")?.name).toBe("local/pyright");
  });
});

describe("a binding", () => {
  const python = server(pyright);
  const ts = server({ ...pyright, name: "local/ts", language: "typescript" });
  const bind = (raw: unknown, found: readonly string[] = []) =>
    boundServers(LspBindingSchema.parse(raw), [python, ts], found).map(({ name }) => name);

  test("by language takes a server of that language, also of one dialect of it", () => {
    expect(bind({ language: "python" })).toEqual(["local/pyright"]);
    const plain = { ...ts, languages: ["typescript"] };
    expect(boundServers(LspBindingSchema.parse({ language: "typescript" }), [plain], [])).toEqual([plain]);
  });

  test("by server takes that one, in any spelling of its name", () => {
    expect(bind({ server: "ts" })).toEqual(["local/ts"]);
    expect(bind({ lsp_servers: ["ts", "local/pyright"] })).toEqual(["local/ts", "local/pyright"]);
  });

  test("that is automatic takes those of the languages that lie in the project", () => {
    expect(bind({ mode: "auto" }, ["markdown", "typescript"])).toEqual(["local/ts"]);
    expect(boundServers(AUTO_BINDING, [python], ["go"])).toEqual([]);
  });

  test("to what is not there says so", () => {
    expect(() => bind({ language: "go" })).toThrow(new LspBindingError(["for go"]));
    expect(() => bind({ server: "gopls" })).toThrow("there is no language server local/gopls");
    expect(LspBindingSchema.safeParse({}).success).toBe(false);
    expect(LspBindingSchema.safeParse({ mode: "manual" }).success).toBe(false);
  });
});
