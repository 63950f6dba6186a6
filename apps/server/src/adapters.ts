import type {
  ApiKeyStore,
  ChangesetStore,
  Clock,
  CodeIntelligence,
  CommandEnvironments,
  CommandRunner,
  ContextFiles,
  DecisionSource,
  DocumentReader,
  FailPoint,
  GraphRuntime,
  HostDiagnostics,
  HostRegistry,
  IdGenerator,
  Logger,
  McpDiscovery,
  McpLogin,
  MessageActor,
  MessageActors,
  MintKey,
  ModelProviders,
  OutputStore,
  PlanEngine,
  Prompts,
  PushSender,
  PushStore,
  RegistryServiceDeps,
  RegistryStore,
  RemoteAgents,
  RemoteNodes,
  SessionStore,
  SkillCatalog,
  TaskStore,
  ToolProvider,
  TrustService,
  Workspace,
} from "@cleveragents/application";
import type { ShellParser } from "@cleveragents/domain";

/** Everything that differs between a test, one process and many replicas. */
export interface Adapters {
  readonly store: TaskStore;
  readonly registry: RegistryStore;
  readonly sessions: SessionStore;
  readonly keys: ApiKeyStore;
  readonly mintKey: MintKey;
  readonly push: PushStore;
  readonly pushSender: PushSender;
  readonly changesets: ChangesetStore;
  readonly engine: PlanEngine;
  readonly workspace: Workspace;
  readonly commands: CommandRunner;
  /** Where commands can be run besides the host. */
  readonly environments?: CommandEnvironments | undefined;
  /** Where outputs go that are too long for a plan's log. */
  readonly outputs?: OutputStore | undefined;
  readonly toolProviders: readonly ToolProvider[];
  /** Finds out what MCP servers offer; without one they cannot be tested or refreshed. */
  readonly mcp?: (McpDiscovery & McpLogin) | undefined;
  /** What language servers know; without it none can be tested. */
  readonly codeIntelligence?: CodeIntelligence | undefined;
  /** Reads what projects want models to be told; nothing is told where it is absent. */
  readonly contextFiles?: ContextFiles | undefined;
  /** Which skills there are; without it none are looked for. */
  readonly skills?: SkillCatalog | undefined;
  /** Who may be started, where adapters ask for that; made of the registry when absent. */
  readonly trust?: TrustService | undefined;
  /** Why a JSON Schema cannot be used, if it cannot. */
  readonly jsonSchemaProblem?: RegistryServiceDeps["jsonSchemaProblem"];
  /** What documents of a kind would start, for whoever trusts them by registering them. */
  readonly executables?: RegistryServiceDeps["executables"];
  /** What is there of a kind without being registered. */
  readonly discovered?: RegistryServiceDeps["discovered"];
  readonly documents: DocumentReader;
  /** Who decides for plans whose actors are no scripts and no models. */
  readonly sources?: readonly DecisionSource[] | undefined;
  /** Where models are; without any, no actor is one. */
  readonly modelProviders?: ModelProviders | undefined;
  /** What moves graphs on; without it no actor is one. */
  readonly graphs?: GraphRuntime | undefined;
  /** Who carries out nodes of graphs that are elsewhere, besides those of `remoteAgents`. */
  readonly remoteNodes?: readonly RemoteNodes[] | undefined;
  /** Actors that work elsewhere; without it there are none. */
  readonly remoteAgents?: RemoteAgents | undefined;
  /** What models are told to be; what is built in when absent. */
  readonly prompts?: Prompts | undefined;
  readonly shell: ShellParser;
  /** Who answers messages that are not for a plan; when nobody does, the answer says what can be done instead. */
  readonly actor?: MessageActor | undefined;
  /** Who answers in sessions that name somebody. */
  readonly actors?: MessageActors | undefined;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
  /** Damage of the database that was repaired, of which the user is still to be told. */
  readonly damages?: readonly { readonly at: string; readonly lost: string }[] | undefined;
  /** What can be said of the machine; loaded when somebody asks. */
  readonly hostDiagnostics?: (() => Promise<HostDiagnostics>) | undefined;
  /** Where several hosts share the stores. */
  readonly hosts?: HostRegistry | undefined;
  /** For tests; a release has none. */
  readonly failPoint?: FailPoint | undefined;
}
