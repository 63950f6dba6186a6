import {
  ApiKeyService,
  type ApiKeyStore,
  AskService,
  CardService,
  type ChangesetStore,
  type Clock,
  type CommandEnvironments,
  type CommandRunner,
  createDispatcher,
  createMethodHandlers,
  DecisionService,
  type DocumentReader,
  EventFeed,
  EventService,
  type FailPoint,
  type HealthCheck,
  HealthService,
  type HostRegistry,
  type IdGenerator,
  InvariantService,
  type Logger,
  type MessageActor,
  MessageKeeper,
  MessageRunner,
  MessageService,
  type MintKey,
  type OutputStore,
  PlanDriver,
  type PlanEngine,
  PlanPlaces,
  PlanService,
  PlanSupervisor,
  PlanWaker,
  PolicyService,
  ProfileService,
  PushDeliverer,
  type PushSender,
  PushService,
  type PushStore,
  pushHealth,
  RegistryService,
  type RegistryStore,
  type RetryRules,
  SandboxJanitor,
  SandboxService,
  type Services,
  SessionService,
  type SessionStore,
  SilentHosts,
  standardGuards,
  TaskFeeds,
  TaskService,
  type TaskStore,
  type ToolProvider,
  ToolRunner,
  ValidationService,
  type Workspace,
} from "@cleveragents/application";
import { DEFAULT_PROFILE, isTerminal, type ShellParser } from "@cleveragents/domain";
import type { A2aVersion, Capabilities, CardConfig, Dispatcher, MessageLimits } from "@cleveragents/protocol";
import { DEFAULT_PLAN_CONCURRENCY } from "./plan-concurrency.ts";

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
  readonly documents: DocumentReader;
  readonly shell: ShellParser;
  /** Who answers messages that are not for a plan; when nobody does, the answer says what can be done instead. */
  readonly actor?: MessageActor | undefined;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
  /** Damage of the database that was repaired, of which the user is still to be told. */
  readonly damages?: readonly { readonly at: string; readonly lost: string }[] | undefined;
  /** Where several hosts share the stores. */
  readonly hosts?: HostRegistry | undefined;
  /** For tests; a release has none. */
  readonly failPoint?: FailPoint | undefined;
}

export interface ComposeOptions {
  readonly version: string;
  /** Profile of plans for which nobody chose one. */
  readonly defaultProfile?: string | undefined;
  /** No plan runs where its commands cannot be isolated. */
  readonly requireIsolation?: boolean | undefined;
  /** How many plans are carried out at a time; others stand in line. Default 4. */
  readonly planConcurrency?: number | undefined;
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
  const tools = new ToolRunner({
    providers: adapters.toolProviders,
    guards: standardGuards(adapters.shell),
  });
  const feeds = new TaskFeeds(store);
  const feed = new EventFeed(store);
  const keepMs = options.sandboxKeepMs;
  const janitor = new SandboxJanitor({ store, workspace, clock, logger, failPoint, host, keepMs });
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
    outputs: adapters.outputs,
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
      await environments?.stop({ planId: taskId, forGood: true });
      await janitor.clean(taskId);
    },
    rest: async (taskId) => environments?.stop({ planId: taskId }),
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
  const waker = new PlanWaker({ store, engine });
  const asks = new AskService({ store, clock, ids, wake: (taskId) => waker.wake(taskId), failPoint });
  const plans = new PlanService({
    store,
    registry,
    sessions,
    changesets,
    workspace,
    engine,
    driver,
    janitor,
    documents,
    asks,
    places,
    clock,
    ids,
    logger,
    failPoint,
    defaultProfile: options.defaultProfile,
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
  const runner =
    adapters.actor === undefined
      ? undefined
      : new MessageRunner({ store, actor: adapters.actor, clock, ids, logger });
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
  const keeper = new MessageKeeper({ store, runner, clock, ids, logger });
  const services: Services = {
    plans,
    decisions,
    tasks: new TaskService({ store, feeds, plans, runner }),
    messages: new MessageService({ store, feeds, registry, sessions, ids, asks, plans, runner, push }),
    push,
    registry: new RegistryService({ registry, documents, workspace, environments, tools, clock }),
    validations: new ValidationService({ registry, documents, tools, clock, ids }),
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
    sandboxes: new SandboxService({ store, workspace, janitor, clock, host }),
    sessions: new SessionService({ sessions, registry, clock, ids, environments }),
    keys: new ApiKeyService({ keys: adapters.keys, mint: adapters.mintKey, clock }),
    cards: options.card && new CardService({ card: options.card, registry }),
    health: new HealthService({ version: options.version, clock, checks: healthChecks(adapters) }),
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
      await deliverer?.start(options.alone ?? true);
      await silentHosts?.start();
      await environments?.sweep(async (planId) => {
        const row = await store.load(planId);
        return row === undefined || isTerminal(row.state);
      });
      await supervisor.start(driver.workflow);
      await keeper.start(options.alone ?? true);
    },
    async stop(graceMs = 5000) {
      supervisor.stop();
      await silentHosts?.stop();
      keeper.stop();
      await runner?.close(graceMs);
      await engine.close(graceMs);
      await deliverer?.stop();
    },
  };
}

function healthChecks({ store, commands, push, clock, damages = [] }: Adapters): HealthCheck[] {
  return [
    ...damageChecks(damages),
    {
      id: "store",
      required: true,
      remediation: "look into the agent's log; the data directory may be full or read-only",
      run: async () => {
        await store.check();
        return "answers";
      },
    },
    pushHealth({ push, clock }),
    {
      id: "commands",
      required: false,
      remediation:
        "install bubblewrap and let it use user namespaces (docs/guides/run-a-server.md), then start the agent anew",
      run: async () => {
        const { level, why, limits } = await commands.probe();
        const summary = `isolation ${level}: ${why}${limits === undefined ? "" : `; ${limits}`}`;
        return level === "none" ? { lacking: summary } : summary;
      },
    },
  ];
}

/** For as long as the damaged files are kept, so that nobody misses that something was lost. */
function damageChecks(damages: NonNullable<Adapters["damages"]>): HealthCheck[] {
  if (damages.length === 0) return [];
  const lacking = damages.map(({ at, lost }) => `the database was damaged and repaired at ${at}: ${lost}`);
  return [
    {
      id: "damage",
      required: false,
      remediation:
        "the .json beside each damaged file in the data directory names what was lost; move both away when you have seen it",
      run: async () => ({ lacking: lacking.join("; ") }),
    },
  ];
}
