import {
  ApiKeyService,
  type ApiKeyStore,
  AskService,
  CardService,
  type ChangesetStore,
  type Clock,
  type CommandRunner,
  createDispatcher,
  createMethodHandlers,
  type DocumentReader,
  EventFeed,
  EventService,
  type FailPoint,
  type HealthCheck,
  HealthService,
  type HostRegistry,
  type IdGenerator,
  type Logger,
  type MessageActor,
  MessageKeeper,
  MessageRunner,
  MessageService,
  type MintKey,
  PlanDriver,
  type PlanEngine,
  PlanService,
  PlanSupervisor,
  PlanWaker,
  PolicyService,
  ProfileService,
  PushDeliverer,
  type PushSender,
  PushService,
  type PushStore,
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
  type Workspace,
} from "@cleveragents/application";
import { DEFAULT_PROFILE, type ShellParser } from "@cleveragents/domain";
import type { A2aVersion, Capabilities, CardConfig, Dispatcher, MessageLimits } from "@cleveragents/protocol";

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
  const driver = new PlanDriver({
    store,
    changesets,
    workspace,
    commands,
    tools,
    requireIsolation: options.requireIsolation,
    clock,
    ids,
    logger,
    failPoint,
    takeOver: options.takeOver,
    startNext: (input) => engine.start(input),
    clean: (taskId) => janitor.clean(taskId),
  });
  const silentHosts = adapters.hosts && new SilentHosts({ store, hosts: adapters.hosts, clock, ids, logger });
  const supervisor = new PlanSupervisor({ store, engine, workspace, janitor, logger, failPoint, host });
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
    asks,
    clock,
    ids,
    logger,
    failPoint,
    defaultProfile: options.defaultProfile,
    host,
    commands,
    requireIsolation: options.requireIsolation,
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
    tasks: new TaskService({ store, feeds, plans, runner }),
    messages: new MessageService({ store, feeds, registry, sessions, ids, asks, plans, runner, push }),
    push,
    registry: new RegistryService({ registry, documents, workspace, tools, clock }),
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
    sessions: new SessionService({ sessions, registry, clock, ids }),
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

function healthChecks({ store, commands, damages = [] }: Adapters): HealthCheck[] {
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
    {
      id: "commands",
      required: false,
      remediation:
        "install bubblewrap and let it use user namespaces (docs/guides/run-a-server.md), then start the agent anew",
      run: async () => {
        const { level, why } = await commands.probe();
        const summary = `isolation ${level}: ${why}`;
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
