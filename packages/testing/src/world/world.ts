import type { MessageActor } from "@cleveragents/application";
import type { Capabilities, Dispatcher, ParamsInputOf, ResultOf } from "@cleveragents/protocol";
import type { Caller, Harness, OpenHarness } from "../harness/harness.ts";
import { ACTIONS, type ActionName } from "./actions.ts";
import { atRest, type PlanStatus } from "./following.ts";
import { createRepository, type Repository } from "./repository.ts";

export interface LogEntry {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** What a world needs of a server; whoever runs the suites puts it together. */
export interface ServerUnderTest extends AsyncDisposable {
  readonly dispatcher: Dispatcher;
  readonly logged: readonly LogEntry[];
}

export interface ServerOptions {
  /** Listing sessions throws this: the error that nobody foresaw. */
  readonly unforeseen?: Error | undefined;
  /** Who answers messages that are not for a plan. */
  readonly actor?: MessageActor | undefined;
  /** Where models are, as `providers.yaml`; there are none when absent. */
  readonly providers?: string | undefined;
  /** What of A2A is switched off; what is not named is on. */
  readonly capabilities?: Partial<Capabilities> | undefined;
  /** Whether an extended card is configured; it is unless said otherwise. */
  readonly extendedCard?: boolean | undefined;
}

export type OpenServer = (options: ServerOptions) => Promise<ServerUnderTest>;

/** A server with a user's repository, as the project `demo`, and the test actions, behind a binding. */
export interface World extends Harness {
  readonly repository: Repository;
  readonly logged: readonly LogEntry[];
  /** Another one behind the same binding. */
  another(options: WorldOptions): Promise<World>;
}

export interface WorldOptions extends ServerOptions {
  /** No project and no actions. */
  readonly bare?: boolean | undefined;
  /** What the project is; a git repository by default. */
  readonly project?: "git" | "plain" | undefined;
}

export type OpenWorld = (options?: WorldOptions) => Promise<World>;

export async function openWorld(
  openHarness: OpenHarness,
  openServer: OpenServer,
  options: WorldOptions = {},
): Promise<World> {
  const server = await openServer(options);
  const harness = await openHarness(server);
  const repository = await createRepository(options.project);
  if (options.bare !== true) await furnish(harness, repository);
  return {
    ...harness,
    repository,
    logged: server.logged,
    another: (others) => openWorld(openHarness, openServer, others),
    async [Symbol.asyncDispose]() {
      await harness[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await repository[Symbol.asyncDispose]();
    },
  };
}

/** Registers the repository as the project `local/demo`, and the test actions. */
async function furnish({ client }: Caller, repository: Repository): Promise<void> {
  await client.call("_cleveragents/registry/project/add", { name: "demo", path: repository.root });
  for (const [name, document] of Object.entries(ACTIONS)) {
    await client.call("_cleveragents/registry/action/add", { document, file: `${name}.yaml` });
  }
}

type UseParams = ParamsInputOf<"_cleveragents/plan/use">;

/** Makes a plan of a test action. Without a profile it is `manual`: nothing happens until somebody says so. */
export function use(
  { client }: Caller,
  action: ActionName,
  params: Omit<UseParams, "action_name"> = {},
): Promise<ResultOf<"_cleveragents/plan/use">> {
  return client.call("_cleveragents/plan/use", {
    automation_profile: "manual",
    project: "demo",
    ...params,
    action_name: action,
  });
}

/** Makes a plan that goes on by itself and waits until it is over or asks for something: its changeset, as a rule. */
export async function toGate(
  caller: Caller,
  action: ActionName,
  params: Omit<UseParams, "action_name"> = {},
): Promise<PlanStatus> {
  const { plan_id } = await use(caller, action, { automation_profile: "trusted", ...params });
  return atRest(caller.client, plan_id);
}

let callers = 0;

/** A caller that nobody has been before, so that a test may count what it sees. */
export function stranger(harness: Harness): Caller {
  return harness.as(`stranger-${++callers}`);
}
