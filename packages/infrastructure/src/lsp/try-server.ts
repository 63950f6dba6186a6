import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type LspTested, LspUnavailableError, type Sandbox, ToolError } from "@cleveragents/application";
import type { LspCapability, LspServer } from "@cleveragents/domain";
import type { ServerCapabilities } from "vscode-languageserver-protocol/node";
import type { ServerProcess, ServerStarter } from "../process/server-process.ts";
import { diagnosticsOf } from "./file-diagnostics.ts";
import { LanguageServer, type LanguageServerDeps, type LspSession } from "./language-server.ts";
import { workspaceFolder } from "./workspace-folder.ts";

const SAID: Readonly<Record<Exclude<LspCapability, "diagnostics">, keyof ServerCapabilities>> = {
  hover: "hoverProvider",
  definition: "definitionProvider",
  references: "referencesProvider",
  completions: "completionProvider",
  signature: "signatureHelpProvider",
  symbols: "documentSymbolProvider",
  "workspace-symbols": "workspaceSymbolProvider",
  rename: "renameProvider",
  "code-actions": "codeActionProvider",
  format: "documentFormattingProvider",
};

export interface TryDeps extends Pick<LanguageServerDeps, "trust" | "version" | "logger"> {
  readonly starter: ServerStarter;
  readonly settleMs: number;
}

/**
 * Starts a server for nobody else, sees what it offers and, where there is a file for it, what it says of that, and stops
 * it. Throws `LspUnavailableError` or what trust says; nothing is left running either way.
 */
export async function tryServer(
  deps: TryDeps,
  server: LspServer,
  sandbox: Pick<Sandbox, "root" | "projectRoot"> | undefined,
  file: string,
  signal: AbortSignal,
): Promise<LspTested> {
  const empty = sandbox === undefined ? await mkdtemp(path.join(tmpdir(), "cleveragents-lsp-")) : undefined;
  const where = sandbox ?? { root: empty as string, projectRoot: empty as string };
  let process: ServerProcess | undefined;
  const starter: ServerStarter = {
    async open(request) {
      process = await deps.starter.open(request);
      return process;
    },
  };
  const folder = await workspaceFolder(
    where.root,
    { ...server, ...(sandbox === undefined ? NO_FOLDER : {}) },
    file,
  );
  const life = new LanguageServer({ ...deps, server, sandbox: where, folder, starter });
  const begun = performance.now();
  try {
    const found = await life.use(signal, async (session) => {
      const startedMs = Math.round(performance.now() - begun);
      return { startedMs, ...(await lookedAt(session, deps.settleMs, file, signal)) };
    });
    await life.stop();
    const { level, count } = process as unknown as ServerProcess; // it was used
    return { ...found, level, leftRunning: await count() };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new LspUnavailableError(server.name, error.reason, error.message, { cause: error });
  } finally {
    await life.stop();
    if (empty !== undefined) await rm(empty, { recursive: true, force: true });
  }
}

/** An empty folder has no folders in it. */
const NO_FOLDER = { workspaceMapping: "explicit", rootPath: "." } as const;

async function lookedAt(
  { client, documents }: LspSession,
  settleMs: number,
  file: string,
  signal: AbortSignal,
): Promise<Omit<LspTested, "startedMs" | "level" | "leftRunning">> {
  const { server, capabilities, info = {} } = client;
  const tried = file === "" ? undefined : await judged(file);
  const offered = server.capabilities.filter(
    (capability) => capability === "diagnostics" || client.serves("", SAID[capability]),
  );
  const pulls = client.serves("textDocument/diagnostic", "diagnosticProvider");
  const { name, version } = info as { name?: string; version?: string };
  return {
    server: { ...(name === undefined ? {} : { name }), ...(version === undefined ? {} : { version }) },
    capabilities: offered,
    encoding: capabilities.positionEncoding ?? "utf-16",
    diagnostics: pulls ? "pull" : "push",
    ...(tried === undefined ? {} : { tried }),
  };

  async function judged(path: string): Promise<NonNullable<LspTested["tried"]>> {
    const document = await documents.prepare(path);
    const { diagnosticsTimeoutMs: deadlineMs } = server;
    const { items, stale } = await diagnosticsOf(client, document, { settleMs, deadlineMs, signal });
    const count = (wanted: number) => items.filter(({ severity = 1 }) => severity === wanted).length;
    return { path, errors: count(1), warnings: count(2), stale };
  }
}
