import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type GraphCheckpoints,
  type Logger,
  type ModelProviders,
  registeredLspServers,
  type SessionStore,
  SkillCatalog,
  TrustService,
} from "@cleveragents/application";
import { HttpRemoteAgents } from "@cleveragents/infrastructure/a2a-agents";
import { mintApiKey } from "@cleveragents/infrastructure/auth";
import { SystemClock, UlidGenerator } from "@cleveragents/infrastructure/clock";
import { DevcontainerLauncher, Devcontainers } from "@cleveragents/infrastructure/devcontainer";
import { GitWorkspace } from "@cleveragents/infrastructure/git";
import { LangGraphRuntime } from "@cleveragents/infrastructure/langgraph";
import {
  LSPToolAdapter,
  LspCodeIntelligence,
  LspRuntime,
  lspExecutable,
} from "@cleveragents/infrastructure/lsp";
import { McpToolProvider, mcpExecutable } from "@cleveragents/infrastructure/mcp";
import {
  InMemoryApiKeyStore,
  InMemoryChangesetStore,
  InMemoryEngineState,
  InMemoryGraphCheckpoints,
  InMemoryPlanEngine,
  InMemoryPushStore,
  InMemoryRegistryStore,
  InMemorySessionStore,
  InMemoryTaskStore,
} from "@cleveragents/infrastructure/memory";
import { FileModelProviders } from "@cleveragents/infrastructure/models";
import { ProcessCommandRunner } from "@cleveragents/infrastructure/process";
import { HttpPushSender } from "@cleveragents/infrastructure/push";
import { UnbashShellParser } from "@cleveragents/infrastructure/shell";
import {
  AgentSkillFolders,
  AgentSkillToolProvider,
  SkillSnapshots,
} from "@cleveragents/infrastructure/skills";
import {
  BuiltinToolProvider,
  ConfinedContextFiles,
  CustomToolProvider,
  jsonSchemaProblem,
} from "@cleveragents/infrastructure/tools";
import { YamlDocumentReader } from "@cleveragents/infrastructure/yaml";
import type { CardConfig } from "@cleveragents/protocol";
import type { LogEntry, ServerOptions, ServerUnderTest } from "@cleveragents/testing";
import type { Adapters } from "../src/adapters.ts";
import { type Composition, compose } from "../src/compose.ts";
import { withRememberedInspections } from "./remembered-inspections.ts";

export const VERSION = "0.0.0-test";
const CARD: CardConfig = {
  version: VERSION,
  baseUrl: "http://localhost",
  schemes: ["bearer"],
  retentionSeconds: 3600,
};

/** What outlives a stop and start of the product. */
export interface Machine extends AsyncDisposable {
  readonly adapters: Omit<Adapters, "engine">;
  readonly logged: LogEntry[];
  /** What graphs have left behind. */
  readonly checkpoints: GraphCheckpoints;
  /** The product on this machine; stop one before starting the next. */
  start(): Promise<Composition>;
}

/**
 * A machine with its stores in memory, or with another one's, and everything that touches files and processes as it is.
 */
export async function bootMachine(options: ServerOptions = {}, stored?: Machine): Promise<Machine> {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), "cleveragents-data-")));
  const env = { PATH: process.env["PATH"], HOME: dataDir, LANG: "C.UTF-8" };
  const logged: LogEntry[] = [];
  const logger = loggerInto(logged);
  const clock = new SystemClock();
  const ids = new UlidGenerator({ clock });
  const environments = new Devcontainers({ env, dataDir, logger });
  const commands = new ProcessCommandRunner({
    env,
    graceMs: 200,
    environments: new DevcontainerLauncher(environments),
  });
  const store = stored?.adapters.store ?? new InMemoryTaskStore({ clock, logger });
  const runs = new InMemoryEngineState();
  const registry = new InMemoryRegistryStore();
  const trust = new TrustService({ registry, clock });
  const mcp = new McpToolProvider({
    ...{ processes: commands, env, registry, trust, logger },
    folder: join(dataDir, "mcp"),
    credentials: join(dataDir, "mcp-credentials.json"),
    clientVersion: VERSION,
    now: () => clock.now(),
  });
  const lsp = new LspRuntime({
    starter: commands,
    trust,
    servers: () => registeredLspServers(registry),
    version: VERSION,
    logger,
    settleMs: 50,
  });
  const skills = new SkillCatalog({ registry, folders: new AgentSkillFolders({ home: dataDir }), clock });
  const checkpoints = new InMemoryGraphCheckpoints();
  const adapters = {
    store,
    registry,
    trust,
    jsonSchemaProblem,
    sessions: sessionsOf(options),
    keys: new InMemoryApiKeyStore(),
    mintKey: mintApiKey,
    push: stored?.adapters.push ?? new InMemoryPushStore({ tasks: store }),
    pushSender: new HttpPushSender({ allow: ["127.0.0.1"] }),
    changesets: new InMemoryChangesetStore(),
    graphs: new LangGraphRuntime({ checkpoints }),
    workspace: withRememberedInspections(new GitWorkspace({ dataDir, logger, env, clock })),
    commands,
    environments,
    executables: { lsp: lspExecutable, mcp: mcpExecutable },
    mcp,
    codeIntelligence: new LspCodeIntelligence({ runtime: lsp }),
    contextFiles: new ConfinedContextFiles(),
    // The builtin one first: tests put their own in its place.
    toolProviders: [
      new BuiltinToolProvider({ commands }),
      new LSPToolAdapter({ runtime: lsp }),
      mcp,
      new CustomToolProvider({ registry, commands, trust, logger }),
      new AgentSkillToolProvider({
        catalog: skills,
        commands,
        trust,
        snapshots: new SkillSnapshots({ folder: join(dataDir, "skill-copies") }),
      }),
    ],
    shell: new UnbashShellParser(),
    skills,
    documents: new YamlDocumentReader({ env }),
    actor: options.actor,
    modelProviders: await modelsOf(options, dataDir),
    remoteAgents: new HttpRemoteAgents({ env, dataDir, loopback: () => true }),
    clock,
    ids,
    logger,
  };
  return {
    adapters,
    logged,
    checkpoints,
    async start() {
      const engine = new InMemoryPlanEngine({ state: runs, concurrency: 12, retryDelayMs: 5 });
      const composition = compose(
        { ...adapters, engine },
        {
          version: VERSION,
          checkResults: true,
          // For who wants to see what becomes of plans of a namespace that has nothing left.
          namespaceBudgets: { spent: { tool_calls: 0 } },
          capabilities: options.capabilities,
          card: options.extendedCard === false ? undefined : () => CARD,
        },
      );
      await composition.start();
      return composition;
    },
    async [Symbol.asyncDispose]() {
      await lsp.close();
      await store.close();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The product on a machine of its own, for as long as a test needs it. */
export async function openServer(options: ServerOptions): Promise<ServerUnderTest> {
  const machine = await bootMachine(options);
  const { dispatcher, stop } = await machine.start();
  return {
    dispatcher,
    logged: machine.logged,
    async [Symbol.asyncDispose]() {
      await stop();
      await machine[Symbol.asyncDispose]();
    },
  };
}

async function modelsOf({ providers }: ServerOptions, folder: string): Promise<ModelProviders | undefined> {
  if (providers === undefined) return undefined;
  await writeFile(join(folder, "providers.yaml"), providers);
  return new FileModelProviders({ folder, documents: new YamlDocumentReader({ env: {} }), env: {} });
}

function sessionsOf({ unforeseen }: ServerOptions): SessionStore {
  const sessions = new InMemorySessionStore();
  if (unforeseen !== undefined) {
    sessions.list = async () => {
      throw unforeseen;
    };
  }
  return sessions;
}

function loggerInto(entries: LogEntry[]): Logger {
  const level = (name: LogEntry["level"]) => (fields: Record<string, unknown>, message: string) =>
    void entries.push({ level: name, fields, message });
  return { debug: level("debug"), info: level("info"), warn: level("warn"), error: level("error") };
}
