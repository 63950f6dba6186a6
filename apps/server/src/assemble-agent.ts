import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type ApiKeyStore,
  type ChangesetStore,
  type Clock,
  type FailPoint,
  type GraphCheckpoints,
  type HostRegistry,
  type Logger,
  type MessageActor,
  type MessageActors,
  type PlanEngine,
  type PushStore,
  type RegistryStore,
  registeredLspServers,
  type SessionStore,
  SkillCatalog,
  type TaskStore,
  TrustService,
} from "@cleveragents/application";
import { HttpRemoteAgents } from "@cleveragents/infrastructure/a2a-agents";
import { ApiKeyAuthenticator, mintApiKey } from "@cleveragents/infrastructure/auth";
import { BubblewrapLauncher } from "@cleveragents/infrastructure/bubblewrap";
import { UlidGenerator } from "@cleveragents/infrastructure/clock";
import { DevcontainerLauncher, Devcontainers } from "@cleveragents/infrastructure/devcontainer";
import { GitWorkspace, ThrowawayRepositories } from "@cleveragents/infrastructure/git";
import { LangGraphRuntime } from "@cleveragents/infrastructure/langgraph";
import {
  LSPToolAdapter,
  LspCodeIntelligence,
  LspRuntime,
  lspExecutable,
} from "@cleveragents/infrastructure/lsp";
import { MCPRefreshHook, McpToolProvider, mcpExecutable } from "@cleveragents/infrastructure/mcp";
import { FileModelProviders, FilePrompts } from "@cleveragents/infrastructure/models";
import {
  CommandGroups,
  type CommandLedger,
  OutputFiles,
  ProcessCommandRunner,
} from "@cleveragents/infrastructure/process";
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
import type { A2aVersion, Authenticator, Capabilities, CardConfig } from "@cleveragents/protocol";
import { makeFolder } from "@cleveragents/transport-stdio/client";
import { type Composition, compose } from "./compose.ts";
import { devcontainerHostAccess, type Environment, isolationRequired, planConcurrency } from "./config.ts";
import { namespaceBudgets } from "./namespace-budgets.ts";
import { projectRoots, realRoots } from "./project-roots.ts";
import { agentsAllowed, fetchAllowed, pushAllowed } from "./push-settings.ts";
import { sandboxSettings } from "./sandbox-settings.ts";
import { sessionSettings } from "./session-settings.ts";
import { PRODUCT_VERSION } from "./version.ts";

/** What differs between one process with files of its own and several on one database. */
export interface AgentParts {
  readonly dataDir: string;
  readonly env: Environment;
  readonly logger: Logger;
  readonly failPoint?: FailPoint | undefined;
  readonly clock: Clock;
  readonly database: AgentDatabase;
  readonly engine: PlanEngine;
  /** See {@link Agent.damaged}. */
  readonly damaged?: Promise<void> | undefined;
  readonly ledger: CommandLedger;
  /** Who answers messages that are not for a plan. */
  readonly actor?: MessageActor | undefined;
  /** Who answers in sessions that name somebody. */
  readonly actors?: MessageActors | undefined;
  /** This host's name among those that share the database. */
  readonly host?: string | undefined;
  readonly hosts?: HostRegistry | undefined;
  /** See `PlanDeps.takeOver`. */
  readonly takeOver?: ((taskId: string) => Promise<void>) | undefined;
  /** What of A2A is switched off; what is not named is on. */
  readonly capabilities?: Partial<Capabilities> | undefined;
  /** Versions of A2A that are served; all unless said otherwise. */
  readonly versions?: readonly A2aVersion[] | undefined;
}

/** How long what a task has logged can be resumed from. */
export const RETENTION_SECONDS = 30 * 24 * 3600;

/** That a database was damaged; `lost` is a few words on what that has cost. */
export interface Damage {
  readonly at: string;
  readonly lost: string;
}

export interface AgentDatabase {
  readonly tasks: TaskStore;
  readonly registry: RegistryStore;
  readonly sessions: SessionStore;
  readonly keys: ApiKeyStore;
  readonly push: PushStore;
  readonly changesets: ChangesetStore;
  readonly graphs: GraphCheckpoints;
  /** Damage that was repaired, for as long as what is left of it is kept. */
  readonly damages?: readonly Damage[];
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface Agent extends Composition {
  /** Knows callers by the API keys that were made here. */
  readonly authenticator: Authenticator;
  /** What the card says from now on: where and by whom the agent is reached. */
  describe(card: CardConfig): CardConfig;
  /** Whether a plan or a message is being worked on or a notification posted, so that the process should stay. */
  busy(): Promise<boolean>;
  check(): Promise<void>;
  /** Resolves when what it writes on is damaged in a way that only its next start repairs. */
  readonly damaged: Promise<void>;
  close(graceMs?: number): Promise<void>;
}

const SECRET = /token|key|secret|pass|credential|auth|cookie|private|_url$|_uri$|_dsn$/i;

/** What `${VAR}` in a document may show: whoever registers documents is not to read the credentials of the process. */
export function withoutSecrets(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET.test(name)));
}

/** Makes a data directory where there is none. */
export async function makeDataDir(dataDir: string): Promise<void> {
  await makeFolder(dataDir);
  // It may lie in a repository of the user's, and holds a token: never to be added there.
  // Once: written anew at each start, a full disk would leave it empty.
  const ignore = join(dataDir, ".gitignore");
  if ((await readFile(ignore, "utf8").catch(() => "")) !== "*\n") await writeFile(ignore, "*\n");
}

/** Whether an agent is reached from its own host alone; one that is not served by HTTP is. */
function isLoopback(baseUrl: string | undefined): boolean {
  return baseUrl === undefined || /^https?:\/\/(localhost|127\.[\d.]+|\[::1\])(:|\/|$)/.test(baseUrl);
}

/** The whole product, on a database and an engine that somebody has opened; closing it closes both. */
export function assembleAgent(parts: AgentParts): Agent {
  const { dataDir, env, logger, failPoint, clock, database, engine, ledger, host, takeOver } = parts;
  const { capabilities, versions } = parts;
  const sandboxes = sandboxSettings(env);
  // Until somebody serves HTTP, the agent is reached over stdio and the socket alone.
  let card: CardConfig = {
    version: PRODUCT_VERSION,
    schemes: [],
    retentionSeconds: RETENTION_SECONDS,
    capabilities,
    versions,
  };
  const isolation = new BubblewrapLauncher({ env, hidden: [dataDir], logger });
  const repositories = new ThrowawayRepositories({ env, logger });
  const environments = new Devcontainers({ env, dataDir, logger, hostAccess: devcontainerHostAccess(env) });
  const commands = new ProcessCommandRunner({
    env,
    ledger,
    isolation,
    environments: new DevcontainerLauncher(environments),
    repositories,
    copyAtMost: sandboxes.dependencyBytes,
    groups: new CommandGroups({ env }),
  });
  const trust = new TrustService({ registry: database.registry, clock });
  const lsp = new LspRuntime({
    starter: commands,
    trust,
    servers: () => registeredLspServers(database.registry),
    version: PRODUCT_VERSION,
    logger,
  });
  const changedTools = new MCPRefreshHook(
    { refreshAll: () => composition.services.skills?.refreshAll() },
    logger,
  );
  const mcp = new McpToolProvider({
    onToolsChanged: changedTools.onToolsChanged,
    processes: commands,
    env,
    folder: join(dataDir, "mcp"),
    credentials: join(dataDir, "mcp-credentials.json"),
    registry: database.registry,
    trust,
    clientVersion: PRODUCT_VERSION,
    logger,
    now: () => clock.now(),
  });
  const skills = new SkillCatalog({
    registry: database.registry,
    folders: new AgentSkillFolders({ home: env["HOME"], searchPath: env["CLEVERAGENTS_SKILLS_PATH"] }),
    clock,
  });
  const documents = new YamlDocumentReader({ env: withoutSecrets(env) });
  const providers = new FileModelProviders({ folder: dataDir, documents, env });
  const composition = compose(
    {
      store: database.tasks,
      registry: database.registry,
      sessions: database.sessions,
      keys: database.keys,
      mintKey: mintApiKey,
      push: database.push,
      pushSender: new HttpPushSender({ allow: pushAllowed(env) }),
      changesets: database.changesets,
      graphs: new LangGraphRuntime({ checkpoints: database.graphs }),
      engine,
      workspace: new GitWorkspace({
        dataDir,
        logger,
        env,
        clock,
        sandboxQuota: sandboxes.quotaBytes,
        failPoint,
      }),
      commands,
      outputs: new OutputFiles({
        folder: join(dataDir, "outputs"),
        quota: sandboxes.outputBytes,
        keepMs: RETENTION_SECONDS * 1000,
        now: () => clock.now(),
        logger,
      }),
      environments,
      toolProviders: [
        new BuiltinToolProvider({ commands, fetch: { allow: fetchAllowed(env) } }),
        new CustomToolProvider({ registry: database.registry, commands, trust, logger }),
        mcp,
        new AgentSkillToolProvider({
          catalog: skills,
          commands,
          trust,
          snapshots: new SkillSnapshots({ folder: join(dataDir, "skill-copies") }),
        }),
        new LSPToolAdapter({ runtime: lsp }),
      ],
      skills,
      mcp,
      codeIntelligence: new LspCodeIntelligence({ runtime: lsp }),
      contextFiles: new ConfinedContextFiles(),
      trust,
      jsonSchemaProblem,
      executables: { mcp: mcpExecutable, lsp: lspExecutable },
      shell: new UnbashShellParser(),
      documents,
      modelProviders: providers,
      remoteAgents: new HttpRemoteAgents({
        env,
        dataDir,
        allow: agentsAllowed(env),
        // Whoever serves others is not to be led to what only this host can reach.
        loopback: () => host === undefined && isLoopback(card.baseUrl),
        isOwn: (url) => card.baseUrl !== undefined && url.origin === new URL(card.baseUrl).origin,
      }),
      hostDiagnostics: async () => {
        const { NodeHostDiagnostics } = await import("@cleveragents/infrastructure/diagnostics");
        return new NodeHostDiagnostics({ dataDir, env, registry: database.registry, providers });
      },
      prompts: new FilePrompts({ folder: dataDir }),
      actor: parts.actor,
      actors: parts.actors,
      clock,
      ids: new UlidGenerator({ clock }),
      logger,
      failPoint,
      damages: database.damages,
      hosts: parts.hosts,
    },
    {
      version: PRODUCT_VERSION,
      defaultProfile: env["CLEVERAGENTS_AUTOMATION_PROFILE"],
      namespaceBudgets: namespaceBudgets(env["CLEVERAGENTS_NAMESPACE_BUDGETS"]),
      requireIsolation: isolationRequired(env),
      projectRoots: realRoots(projectRoots(env)),
      planConcurrency: planConcurrency(env),
      ...sessionSettings(env),
      sandboxKeepMs: sandboxes.keepMs,
      host,
      takeOver,
      card: () => card,
      capabilities,
      versions,
      // On a database of its own there is nobody else.
      alone: host === undefined,
    },
  );
  return {
    ...composition,
    authenticator: new ApiKeyAuthenticator({ clock, keys: database.keys }),
    describe(described) {
      card = { ...described, capabilities, versions };
      return card;
    },
    async busy() {
      if (composition.posting()) return true;
      const working = await Promise.all([
        database.tasks.count("plan", ["submitted", "working"]),
        database.tasks.count("message", ["submitted", "working"]),
      ]);
      return working.some((tasks) => tasks > 0);
    },
    check: () => database.check(),
    damaged: parts.damaged ?? new Promise(() => {}),
    async close(graceMs = 5000) {
      await composition.stop(graceMs);
      await lsp.close();
      await database.close();
    },
  };
}
