import { describe, expect, test } from "vitest";
import { FakeCli, Refusal } from "../testing/fake-cli.ts";

const ADD = "_cleveragents/registry/mcp/add";
const REFRESH = "_cleveragents/registry/mcp/refresh";

function cli(refreshed: object = { servers: [{ name: "local/files", status: "refreshed", tools: 3 }] }) {
  return new FakeCli({
    calls: { [ADD]: { name: "local/files" }, [REFRESH]: refreshed },
    files: { "files.yaml": "name: files\ncommand: x" },
  });
}
const documentOf = (fake: FakeCli, method = ADD) => {
  const { document, ...rest } = fake.paramsOf(method) as { document: string };
  return { ...rest, document: JSON.parse(document) };
};

describe("an MCP server is registered", () => {
  test("by its command, with consent, and its tools are listed", async () => {
    const fake = cli();
    const typed = ["--env", "LEVEL=1", "--env-from", "TOKEN", "--network", "--readable", "/opt/x"];
    expect(await fake.run("mcp", "add", "files", ...typed, "--", "npx", "-y", "files-mcp", "--root=.")).toBe(
      0,
    );
    expect(documentOf(fake)).toEqual({
      file: "command line",
      update: false,
      trust: true,
      document: {
        name: "files",
        command: "npx",
        args: ["-y", "files-mcp", "--root=."],
        env: { LEVEL: "1" },
        env_from: ["TOKEN"],
        network: true,
        readable: ["/opt/x"],
      },
    });
    expect(fake.paramsOf(REFRESH)).toEqual({ name: "local/files" });
    expect(fake.stdout).toBe("Server:  local/files\nNext:    agents mcp test local/files\n");
    expect(fake.stderr).toBe("3 tools can be called now: agents tool list --source mcp\n");
  });

  test("by its address, over either transport, with headers in either spelling", async () => {
    const fake = cli();
    const typed = ["--header", "X-Team: a=b", "--header-from", "Authorization=TOKEN", "--sse", "--login"];
    expect(await fake.run("mcp", "add", "docs", "--url", "https://docs.example/mcp", ...typed)).toBe(0);
    expect(documentOf(fake).document).toEqual({
      name: "docs",
      url: "https://docs.example/mcp",
      transport: "sse",
      headers: { "X-Team": "a=b" },
      headers_from: { Authorization: "TOKEN" },
      oauth: { login: true },
    });
  });

  test("by its file, which is consented to only when that is said", async () => {
    const fake = cli();
    expect(await fake.run("mcp", "add", "files.yaml")).toBe(0);
    expect(fake.paramsOf(ADD)).toEqual({
      document: "name: files\ncommand: x",
      file: "files.yaml",
      update: false,
    });
    const trusted = cli();
    expect(await trusted.run("mcp", "add", "files.yaml", "--trust", "--update")).toBe(0);
    expect(trusted.paramsOf(ADD)).toMatchObject({ trust: true, update: true });
  });

  test.each([
    [
      "is refused",
      { servers: [{ status: "failed", message: "MCP server local/files: it hangs" }] },
      "it hangs",
    ],
    ["cannot be tried", new Refusal(-32603, "Internal error"), "Internal error"],
  ])("also where its first start %s, which is noted", async (_what, refreshed, why) => {
    const fake = cli(refreshed);
    expect(await fake.run("mcp", "add", "files", "--", "files-mcp")).toBe(0);
    expect(fake.stdout).toContain("local/files");
    expect(fake.stderr).toMatch(new RegExp(`^Its tools are not listed: .*${why}`));
    expect(fake.stderr).toContain("Then: agents mcp refresh local/files");
  });

  test.each([
    [["files", "--url", "https://x.example", "--", "npx"], "not both"],
    [["--url", "https://x.example"], "NAME is missing"],
    [["files.yaml", "--network"], "--network goes with a command"],
    [["files", "--env", "X", "--", "npx"], "--env is written name=value"],
    [["files", "--header", "X", "--url", "https://x.example"], "--header is written Name: value"],
    [[], "FILE is missing"],
  ])("not by %j", async (words, why) => {
    const fake = cli();
    expect(await fake.run("mcp", "add", ...words)).toBe(2);
    expect(fake.stderr).toContain(why);
    expect(fake.requests).toEqual([]);
  });
});

test("a language server is registered by its command, with consent", async () => {
  const method = "_cleveragents/registry/lsp/add";
  const fake = new FakeCli({
    calls: { [method]: { name: "local/pyright" } },
    files: { "p.yaml": "name: p" },
  });
  const words = [
    "pyright",
    "--language",
    "python",
    "--pattern",
    "*.pyi",
    "--",
    "pyright-langserver",
    "--stdio",
  ];
  expect(await fake.run("lsp", "add", ...words)).toBe(0);
  expect(documentOf(fake, method)).toMatchObject({
    trust: true,
    document: {
      name: "pyright",
      languages: ["python"],
      file_patterns: ["*.pyi"],
      command: "pyright-langserver",
      args: ["--stdio"],
    },
  });
  expect(await fake.run("lsp", "add", "p.yaml", "--language", "python")).toBe(2);
  expect(await fake.run("lsp", "add", "p", "--", "pyright-langserver")).toBe(2);
  expect(fake.stderr).toContain("say which language it serves, before --: --language L");
  expect(fake.stderr).toContain("--language goes with a command");
});
