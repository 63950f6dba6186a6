import {
  ActorProbe,
  ActorRunService,
  ApiKeyService,
  AskService,
  builtinPrompts,
  CardService,
  ChildPlanService,
  createDispatcher,
  createMethodHandlers,
  customToolExecutable,
  DecisionService,
  DiagnosticsService,
  EventExportService,
  EventFeed,
  EventService,
  executablesOfSkill,
  HealthService,
  InvariantService,
  LspService,
  McpService,
  MessageKeeper,
  MessageRunner,
  MessageService,
  Models,
  PlanCanceller,
  PlanDriver,
  PlanPlaces,
  PlanService,
  PlanSupervisor,
  PlanWaker,
  PolicyService,
  ProfileService,
  PushDeliverer,
  PushService,
  RegistryService,
  ResourceService,
  type RetryRules,
  SandboxJanitor,
  SandboxService,
  type Services,
  SessionCloser,
  SessionLine,
  SessionService,
  SilentHosts,
  SkillService,
  skillServers,
  standardGuards,
  subplanTools,
  TaskFeeds,
  TaskService,
  ToolRunner,
  TrustService,
  UsageService,
  ValidationService,
} from "@cleveragents/application";
import { type BudgetLimits, type CustomTool, DEFAULT_PROFILE, isTerminal } from "@cleveragents/domain";
import type { A2aVersion, Capabilities, CardConfig, Dispatcher, MessageLimits } from "@cleveragents/protocol";
import type { Adapters } from "./adapters.ts";
import { composeMinds } from "./compose-minds.ts";
import { healthChecks } from "./health-checks.ts";
import { DEFAULT_PLAN_CONCURRENCY } from "./plan-concurrency.ts";

export interface ComposeOptions {
  readonly version: string;
  /** Profile of plans for which nobody chose one. */
  readonly defaultProfile?: string | undefined;
  /** What plans of the projects of a namespace may use together in a day. */
  readonly namespaceBudgets?: Readonly<Record<string, BudgetLimits>> | undefined;
  /** No plan runs where its commands cannot be isolated. */
  readonly requireIsolation?: boolean | undefined;
  /** Real paths below which callers who may not trust programs may have projects; anywhere when absent. */
  readonly projectRoots?: readonly string[] | undefined;
  /** How many plans are carried out at a time; others stand in line. Default 4. */
  readonly planConcurrency?: number | undefined;
  /** After how long a session that nobody uses is suspended, and how many a caller may have in use. */
  readonly sessionTimeoutMs?: number | undefined;
  readonly maxSessions?: number | undefined;
  readonly limits?: MessageLimits | undefined;
  /** How long sandboxes of plans that have failed or were cancelled stay; they go at once when absent. */
  readonly sandboxKeepMs?: number | undefined;
  /** No other process works on these stores, so that whatever is unfinished at start was cut off. Default true. */
  readonly alone?: boolean | undefined;
  /** This host's name among those that share the stores; the plans that are made here are carried out here. */
  readonly host?: string | undefined;
  /** See `PlanDeps.takeOver`. */
  readonly takeOver?: ((taskId: string) => Promise<void>) | undefined;
  readonly checkResults?: boolean | undefined;
  /** When notifications are tried again; as the product does when absent. */
  readonly pushRetries?: RetryRules | undefined;
  /** What the agent's card says at the moment; without it no extended card is configured. */
  readonly card?: (() => CardConfig) | undefined;
  /** What of A2A is switched off; what is not named is on. */
  readonly capabilities?: Partial<Capabilities> | undefined;
  /** Versions of A2A that are served; all unless said otherwise. */
  readonly versions?: readonly A2aVersion[] | undefined;
}

export interface Composition {
  readonly dispatcher: Dispatcher;
  readonly services: Services;
  readonly feeds: TaskFeeds;
  /** Whether a notification is being posted. */
  posting(): boolean;
  /** Settles what was cut off, then lets plans go on. */
  start(): Promise<void>;
  /** Stops working on plans; they go on at the next start. */
  stop(graceMs?: number): Promise<void>;
}

/** Puts the product together. The only place that knows which service needs which. */
export function compose(adapters: Adapters, options: ComposeOptions): Composition {
  const {
    store,
    registry,
    sessions,
    changesets,
    engine,
    workspace,
    commands,
    environments,
    documents,
    clock,
    ids,
    logger,
    failPoint,
  } = adapters;
  const { host } = options;
  const { modelProviders, prompts = builtinPrompts } = adapters;
  const models = modelProviders && new Models({ providers: modelProviders, clock, logger });
  const minds = composeMinds(adapters, { models, prompts });
  const tools = new ToolRunner({
    providers: [...adapters.toolProviders, subplanTools],
    guards: standardGuards(adapters.shell),
  });
  const feeds = new TaskFeeds(store);
  const feed = new EventFeed(store);
  const keepMs = options.sandboxKeepMs;
  const janitor = new SandboxJanitor({
    store,
    workspace,
    clock,
    logger,
    failPoint,
    host,
    keepMs,
    ended: async (plan) => {
      await minds.afterEnd(plan);
      await children.afterEnd(plan);
    },
  });
  const places = new PlanPlaces({
    places: options.planConcurrency ?? DEFAULT_PLAN_CONCURRENCY,
    call: (planId) => engine.signal(planId),
    wants: async (planId) => (await store.load(planId))?.state === "working",
  });
  const driver = new PlanDriver({
    store,
    changesets,
    workspace,
    commands,
    tools,
    registry,
    children: {
      make: (wanted) => children.make(wanted),
      end: (planId, reason) => children.end(planId, reason),
    },
    outputs: adapters.outputs,
    sources: minds.sources,
    elsewhere: minds.elsewhere,
    sampling: models,
    requireIsolation: options.requireIsolation,
    clock,
    ids,
    logger,
    failPoint,
    takeOver: async (taskId) => {
      await options.takeOver?.(taskId);
      if (environments?.leftBehind(taskId) === true) await environments.stop({ planId: taskId });
    },
    startNext: (input) => engine.start(input),
    clean: async (taskId) => {
      await tools.rest(taskId);
      await environments?.stop({ planId: taskId, forGood: true });
      await janitor.clean(taskId);
    },
    rest: async (taskId) => {
      await children.afterAsk(taskId);
      await tools.rest(taskId);
      await environments?.stop({ planId: taskId });
    },
    places,
  });
  const silentHosts = adapters.hosts && new SilentHosts({ store, hosts: adapters.hosts, clock, ids, logger });
  const supervisor = new PlanSupervisor({
    store,
    engine,
    workspace,
    janitor,
    places,
    logger,
    failPoint,
    host,
  });
  const trust = adapters.trust ?? new TrustService({ registry, clock });
  const waker = new PlanWaker({ store, engine });
  const asks = new AskService({ store, clock, ids, wake: (taskId) => waker.wake(taskId), failPoint });
  const canceller = new PlanCanceller({ store, engine, driver, janitor, clock, logger, failPoint, host });
  const children = new ChildPlanService({
    store,
    registry,
    engine,
    canceller,
    wake: (planId) => waker.wake(planId),
    sources: minds.sources,
    clock,
    logger,
    failPoint,
  });
  const plans = new PlanService({
    store,
    registry,
    sessions,
    changesets,
    workspace,
    engine,
    canceller,
    documents,
    tools,
    skills: adapters.skills,
    asks,
    places,
    clock,
    ids,
    logger,
    failPoint,
    defaultProfile: options.defaultProfile,
    namespaceBudgets: options.namespaceBudgets,
    sources: minds.sources,
    outputs: adapters.outputs,
    host,
    commands,
    environments,
    requireIsolation: options.requireIsolation,
  });
  const decisions = new DecisionService({
    store,
    changesets,
    workspace,
    tools,
    engine,
    driver,
    clock,
    ids,
    logger,
    host,
    wake: (planId) => waker.wake(planId),
  });
  const { actor } = adapters;
  const actors = adapters.actors ?? minds.conversing(tools);
  const runner = new MessageRunner({
    store,
    actor,
    actors,
    sessions,
    plans: { plans, decisions },
    clock,
    ids,
    logger,
    over: ({ document, contextId }) => {
      if (document.session === true) void line?.call(contextId);
    },
  });
  const line = runner && new SessionLine({ store, sessions, runner, clock, logger });
  const closer = new SessionCloser({ sessions, store, plans, runner, environments, clock, logger });
  const { push: pushStore } = adapters;
  const sender = options.capabilities?.pushNotifications === false ? undefined : adapters.pushSender;
  const deliverer =
    sender &&
    new PushDeliverer({
      store,
      push: pushStore,
      sender,
      clock,
      ids,
      logger,
      retries: options.pushRetries,
    });
  const push =
    sender &&
    new PushService({
      store,
      push: pushStore,
      sender,
      clock,
      ids,
      follow: (key) => deliverer?.follow(key),
    });
  const skills = adapters.skills && new SkillService({ catalog: adapters.skills, registry, tools });
  const registered = new RegistryService({
    registry,
    sessions,
    documents,
    workspace,
    environments,
    tools,
    clock,
    projectRoots: options.projectRoots,
    trust,
    jsonSchemaProblem: adapters.jsonSchemaProblem,
    executables: {
      tool: async (document) => customToolExecutable(document as unknown as CustomTool),
      skill: (document) => executablesOfSkill(document, adapters.executables?.mcp),
      ...adapters.executables,
    },
    discovered: {
      mcp: () => skillServers(registry),
      ...adapters.discovered,
      ...(skills && { skill: () => skills.discovered() }),
    },
  });
  const keeper = new MessageKeeper({ store, runner, line, clock, ids, logger });
  const health = healthChecks(adapters);
  const tasks = new TaskService({ store, feeds, plans, runner, line });
  const messages = new MessageService({
    ...{ store, feeds, registry, sessions, ids, asks },
    ...{ plans, runner, line, push },
  });
  const services: Services = {
    plans,
    decisions,
    tasks,
    messages,
    actorRuns: new ActorRunService({ actors, registry, messages, tasks, ids }),
    push,
    registry: registered,
    skills,
    lsp:
      adapters.codeIntelligence &&
      new LspService({ registry, workspace, intelligence: adapters.codeIntelligence, ids }),
    mcp: adapters.mcp && new McpService({ registry, discovery: adapters.mcp, login: adapters.mcp, clock }),
    probe: models && new ActorProbe({ models, registry, remote: adapters.remoteAgents }),
    usage: new UsageService({ store, sessions }),
    validations: new ValidationService({ registry, clock, ids }),
    resources: new ResourceService({ registry, entries: registered.entries, environments }),
    trust,
    invariants: new InvariantService({ registry, store, tools, clock, ids }),
    profiles: new ProfileService({
      registry,
      documents,
      clock,
      defaultProfile: options.defaultProfile ?? DEFAULT_PROFILE,
    }),
    policy: new PolicyService({
      registry,
      shell: adapters.shell,
      defaultProfile: options.defaultProfile ?? DEFAULT_PROFILE,
    }),
    events: new EventService({ store, sessions, feeds, feed }),
    eventExport: new EventExportService({ store, sessions }),
    sandboxes: new SandboxService({ store, workspace, janitor, clock, host }),
    sessions: new SessionService({
      sessions,
      store,
      registry,
      closer,
      actors,
      clock,
      ids,
      timeoutMs: options.sessionTimeoutMs,
      maxSessions: options.maxSessions,
    }),
    keys: new ApiKeyService({ keys: adapters.keys, mint: adapters.mintKey, clock }),
    cards: options.card && new CardService({ card: options.card, registry }),
    health: new HealthService({ version: options.version, clock, checks: health }),
    diagnostics: new DiagnosticsService({
      version: options.version,
      clock,
      store,
      engine,
      health,
      host: adapters.hostDiagnostics,
    }),
  };
  return {
    services,
    feeds,
    dispatcher: createDispatcher({
      handlers: createMethodHandlers(services),
      clock,
      ids,
      logger,
      limits: options.limits,
      capabilities: options.capabilities,
      versions: options.versions,
      checkResults: options.checkResults,
    }),
    posting: () => deliverer?.busy ?? false,
    async start() {
      await tools.load();
      await deliverer?.start(options.alone ?? true);
      await silentHosts?.start();
      await environments?.sweep(async (planId) => {
        const row = await store.load(planId);
        return row === undefined || isTerminal(row.state);
      });
      await supervisor.start(driver.workflow);
      await keeper.start(options.alone ?? true);
      await closer.start();
    },
    async stop(graceMs = 5000) {
      supervisor.stop();
      await silentHosts?.stop();
      keeper.stop();
      closer.stop();
      await runner.close(graceMs);
      await engine.close(graceMs);
      await tools.close(graceMs);
      await deliverer?.stop();
    },
  };
}
