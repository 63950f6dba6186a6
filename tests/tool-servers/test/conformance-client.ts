import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  InputNeededError,
  McpUnavailableError,
  storeListing,
  type ToolContext,
} from "@cleveragents/application";
import { type JsonObject, type McpServer, McpServerSchema } from "@cleveragents/domain";
import { McpToolProvider } from "@cleveragents/infrastructure/mcp";
import { InMemoryRegistryStore } from "@cleveragents/infrastructure/memory";
import { ProcessCommandRunner } from "@cleveragents/infrastructure/process";

/**
 * What the conformance package starts for each scenario, with a server's address as its last argument: the product's own
 * provider does what `mcp add`, `mcp login`, `mcp refresh` and a plan's call make it do. Whoever logs in visits the
 * address that is shown.
 */
const BACK = "http://127.0.0.1:33418/callback";
const METADATA = "https://conformance-test.local/client-metadata.json";
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "initialize";
const given = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as Record<string, string>;
const url = process.argv.at(-1) ?? "";
const never = new AbortController().signal;
const env = { ...process.env, CLIENT_SECRET: given["client_secret"] };
const folder = mkdtempSync(path.join(tmpdir(), "mcp-conformance-"));
const registry = new InMemoryRegistryStore();
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const provider = new McpToolProvider({
  processes: new ProcessCommandRunner({ env: process.env }),
  env,
  folder,
  credentials: path.join(folder, "credentials.json"),
  registry,
  trust: { demand: async () => undefined },
  clientVersion: "1.0.0",
  logger: silent,
  now: () => Date.now(),
});

/** What an operator looks up who is to name it. */
async function issuer(): Promise<string> {
  const at = new URL("/.well-known/oauth-protected-resource/mcp", url);
  const answer = (await (await fetch(at)).json()) as { authorization_servers: string[] };
  return answer.authorization_servers[0] ?? "";
}

async function oauth(): Promise<JsonObject | undefined> {
  if (!scenario.startsWith("auth/")) return undefined;
  const { client_id } = given;
  if (scenario.includes("client-credentials"))
    return { client_id: client_id ?? "", client_secret_env: "CLIENT_SECRET", issuer: await issuer() };
  if (scenario === "auth/basic-cimd") return { login: true, client_id: METADATA };
  if (client_id !== undefined)
    return { login: true, client_id, client_secret_env: "CLIENT_SECRET", issuer: await issuer() };
  return { login: true };
}

async function login(server: McpServer): Promise<void> {
  const { url: address, state } = await provider.begin(server, BACK, never);
  const response = await fetch(address, { redirect: "manual" });
  const back = new URL(response.headers.get("location") ?? "").searchParams;
  const iss = back.get("iss");
  await provider.finish(state, { code: back.get("code") ?? "", ...(iss === null ? {} : { iss }) }, never);
}

/** As often as somebody would log in again. */
async function withLogin<T>(server: McpServer, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      const { reason } = error as { reason?: string };
      if (
        reason !== "MCP_AUTHENTICATION" ||
        tries === 2 ||
        !JSON.stringify(server.oauth ?? {}).includes("login")
      )
        throw error;
      await login(server);
    }
}

/** The user accepts what a form proposes. */
async function call(name: string, args: JsonObject): Promise<void> {
  const inputs: { key: string; value: JsonObject }[] = [];
  for (;;) {
    const context = {
      planId: "plan",
      sandbox: {},
      signal: never,
      network: true,
      inputs,
    } as unknown as ToolContext;
    try {
      await provider.call(name, args, context);
      return;
    } catch (error) {
      if (!(error instanceof InputNeededError)) throw error;
      inputs.push({ key: error.question.key, value: { choice: "text", text: "{}" } });
    }
  }
}

const asked = await oauth();
const document = {
  name: "local/c",
  url,
  protocol: "legacy",
  // Its tools change nothing, so that a call can be made again with an answer.
  read_only_tools: ["*"],
  ...(asked === undefined ? {} : { oauth: asked }),
};
const server = McpServerSchema.parse(document);
await registry.add({
  kind: "mcp",
  name: server.name,
  document: JSON.parse(JSON.stringify(server)) as JsonObject,
  createdAt: 1,
  updatedAt: 1,
});
try {
  const { listing } = await withLogin(server, () => provider.discover(server, never));
  await storeListing(registry, server.name, { ...listing, found_at: 1 });
  await provider.load();
  for (const { name } of provider.list()) {
    const args: JsonObject = name.endsWith("add_numbers") ? { a: 5, b: 3 } : {};
    await withLogin(server, () => call(name, args));
  }
} catch (error) {
  process.stderr.write(`${error instanceof McpUnavailableError ? error.reason : ""} ${String(error)}\n`);
  process.exitCode = 1;
} finally {
  await provider.close();
}
