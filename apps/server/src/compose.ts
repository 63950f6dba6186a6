import {
  AskService,
  type ChangesetStore,
  type Clock,
  type CommandRunner,
  createDispatcher,
  createMethodHandlers,
  type DocumentReader,
  type HealthCheck,
  HealthService,
  type IdGenerator,
  type Logger,
  PlanDriver,
  type PlanEngine,
  PlanService,
  PlanSupervisor,
  PlanWaker,
  RegistryService,
  type RegistryStore,
  SandboxJanitor,
  type Services,
  SessionService,
  type SessionStore,
  TaskFeeds,
  TaskService,
  type TaskStore,
  type ToolProvider,
  ToolRunner,
  type Workspace,
} from "@cleveragents/application";
import type { Dispatcher, MessageLimits } from "@cleveragents/protocol";

/** Everything that differs between a test, one process and many replicas. */
export interface Adapters {
  readonly store: TaskStore;
  readonly registry: RegistryStore;
  readonly sessions: SessionStore;
  readonly changesets: ChangesetStore;
  readonly engine: PlanEngine;
  readonly workspace: Workspace;
  readonly commands: CommandRunner;
  readonly toolProviders: readonly ToolProvider[];
  readonly documents: DocumentReader;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
}

export interface ComposeOptions {
  readonly version: string;
  /** Profile of plans for which nobody chose one. */
  readonly defaultProfile?: string | undefined;
  readonly limits?: MessageLimits | undefined;
  readonly checkResults?: boolean | undefined;
}

export interface Composition {
  readonly dispatcher: Dispatcher;
  readonly services: Services;
  readonly feeds: TaskFeeds;
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
  } = adapters;
  const tools = new ToolRunner({ providers: adapters.toolProviders });
  const feeds = new TaskFeeds(store);
  const janitor = new SandboxJanitor({ store, workspace, logger });
  const driver = new PlanDriver({
    store,
    changesets,
    workspace,
    commands,
    tools,
    clock,
    ids,
    logger,
    startNext: (input) => engine.start(input),
    clean: (taskId) => janitor.clean(taskId),
  });
  const supervisor = new PlanSupervisor({ store, engine, workspace, logger });
  const waker = new PlanWaker({ store, engine });
  const asks = new AskService({ store, clock, ids, wake: (taskId) => waker.wake(taskId) });
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
    defaultProfile: options.defaultProfile,
  });
  const services: Services = {
    plans,
    tasks: new TaskService({ store, feeds, registry, ids, asks, plans }),
    registry: new RegistryService({ registry, documents, workspace, tools, clock }),
    sessions: new SessionService({ sessions, registry, clock, ids }),
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
      checkResults: options.checkResults,
    }),
    start: () => supervisor.start(driver.workflow),
    async stop(graceMs) {
      supervisor.stop();
      await engine.close(graceMs);
    },
  };
}

function healthChecks({ store, commands }: Adapters): HealthCheck[] {
  return [
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
      remediation: "install bubblewrap for isolated commands",
      run: async () => {
        const { level, why } = await commands.probe();
        return `isolation ${level}: ${why}`;
      },
    },
  ];
}
