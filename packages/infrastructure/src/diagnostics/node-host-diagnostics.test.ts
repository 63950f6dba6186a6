import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ModelError, type ModelProviders, type RegistryEntry } from "@cleveragents/application";
import { providersWith } from "@cleveragents/domain";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NodeHostDiagnostics, type NodeHostDiagnosticsDeps } from "./node-host-diagnostics.ts";

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "diagnostics-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const entry = (name: string, document: object) =>
  ({ kind: "mcp", name, document }) as unknown as RegistryEntry;

function diagnostics(deps: Partial<NodeHostDiagnosticsDeps> = {}) {
  return new NodeHostDiagnostics({
    dataDir,
    env: { PATH: process.env["PATH"] },
    registry: { list: async () => [] },
    ...deps,
  });
}

/** What a check answers; the text of an error it throws. */
async function found(id: string, deps: Partial<NodeHostDiagnosticsDeps> = {}) {
  const check = diagnostics(deps)
    .checks()
    .find((one) => one.id === id);
  return check?.run().catch((error: unknown) => `failed: ${String(error)}`);
}

test("a machine with everything lacks nothing", async () => {
  expect(await found("git")).toMatch(/^2\./);
  expect(await found("runtime")).toMatch(/^Node\.js v/);
  expect(await found("permissions")).toBe("the data directory can be written, by this user alone");
  expect(await found("mcp")).toBe("0 MCP servers");
});

test("without git nothing goes", async () => {
  expect(await found("git", { env: { PATH: "/nowhere" } })).toMatch(/^failed/);
});

test("a data directory that others may enter is told, with what they could read in it", async () => {
  await writeFile(join(dataDir, "owner.json"), "{}", { mode: 0o644 });
  await chmod(dataDir, 0o755);
  expect(await found("permissions")).toEqual({
    lacking: "others may enter the data directory; others may read owner.json",
  });
  await chmod(dataDir, 0o700);
});

test("programs of servers are looked for, and none is started; a path of projects is theirs", async () => {
  const list = async () => [
    entry("local/there", { command: "git" }),
    entry("local/gone", { command: "no-such-program" }),
    entry("local/of-the-project", { command: "./server" }),
    entry("local/elsewhere", { url: "https://mcp.example" }),
  ];
  expect(await found("mcp", { registry: { list } })).toEqual({
    lacking: "4 MCP servers; not found: local/gone (no-such-program)",
  });
});

test("providers are told by whether they have a key, and settings that cannot be read are lacking", async () => {
  const providers = (all: ModelProviders["all"]) => ({ all }) as ModelProviders;
  const env = { PATH: "", ANTHROPIC_API_KEY: "sk-1234567890" };
  const told = await found("models", { env, providers: providers(async () => providersWith({})) });
  expect(told).toMatch(/^keys of anthropic; none for .*openai/);
  expect(told).not.toContain("sk-1");
  const broken = providers(async () => {
    throw new ModelError("MODEL_NOT_CONFIGURED", "providers.yaml:3: no such member");
  });
  expect(await found("models", { providers: broken })).toEqual({
    lacking: "providers.yaml:3: no such member",
  });
});

test("what is handed on holds no credentials: neither settings nor the log", async () => {
  const env = {
    API_KEY: "bootstrap-secret-1",
    CLEVERAGENTS_SERVER_TOKEN: "short",
    DATABASE_URL: "postgres://me:pw-of-the-database@db/x",
    HTTPS_PROXY: "http://user:proxy-secret@proxy:3128",
    LOG_LEVEL: "debug",
    MY_OWN: "nobody's business",
  };
  await writeFile(
    join(dataDir, "owner.log"),
    `${"x".repeat(70_000)}\n{"msg":"sent Bearer abc.def.ghi, bootstrap-secret-1"}\n`,
  );
  const files = await diagnostics({ env }).files();
  const text = JSON.stringify(files);
  for (const secret of [
    "bootstrap-secret-1",
    "short",
    "pw-of-the-database",
    "proxy-secret",
    "abc.def",
    "nobody",
  ])
    expect(text).not.toContain(secret);
  expect(files).toEqual([
    {
      name: "environment.txt",
      text: expect.stringContaining("API_KEY=[redacted]\nCLEVERAGENTS_SERVER_TOKEN=[redacted]\n"),
    },
    { name: "owner.log", text: '{"msg":"sent Bearer [redacted], [redacted]"}\n' },
  ]);
  expect(files[0]?.text).toContain("LOG_LEVEL=debug");
});
