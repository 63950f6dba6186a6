import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Client,
  type ClientTransport,
  createClient,
  type ResultOf,
  TransportError,
} from "@cleveragents/protocol";
import { type PostgresService, startPostgres, type TestDatabase } from "@cleveragents/testing/services";
import { createHttpTransport } from "@cleveragents/transport-http/client";
import { git, Place, type RunningServer, until } from "./support.ts";

export type PlanStatus = ResultOf<"_cleveragents/plan/status">;

/** Where several servers share a database, each with a data directory of its host. */
export class Replicas extends Place {
  readonly #database: TestDatabase;
  readonly project: string;

  private constructor(database: TestDatabase) {
    super({
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: "6",
      CLEVERAGENTS_SANDBOX_KEEP_HOURS: "0",
    });
    this.#database = database;
    this.project = join(this.dir, "project");
    mkdirSync(this.project);
    writeFileSync(join(this.project, "README.md"), "hello\n");
    git(this.project, "init", "-q", "-b", "main");
    git(this.project, "add", "-A");
    git(this.project, "commit", "-q", "-m", "start");
  }

  static async on(postgres: PostgresService): Promise<Replicas> {
    return new Replicas(await postgres.createDatabase());
  }

  get url(): string {
    return this.#database.url;
  }

  /** A client of one server, with the local user's token, which all servers of a host take. */
  client(server: RunningServer, dataDir = this.dataDir): Client {
    return createClient(createHttpTransport({ url: `${server.url}/a2a`, token: tokenOf(dataDir) }));
  }

  /** Registers the project and an action whose only steps these are. */
  async furnish(
    client: Client,
    name: string,
    steps: readonly string[],
    args: readonly string[] = [],
  ): Promise<void> {
    const known = await client.call("_cleveragents/registry/project/list", {});
    if (known.total === 0)
      await client.call("_cleveragents/registry/project/add", { name: "p", path: this.project });
    const list = (items: readonly string[]) => items.map((item) => `    - ${item}\n`).join("");
    const declared = args.length === 0 ? "" : `arguments:\n${list(args)}`;
    const document = `name: ${name}\ndescription: d\ndefinition_of_done: d\n${declared}script:\n  steps:\n${list(steps)}`;
    await client.call("_cleveragents/registry/action/add", { document, file: `${name}.yaml` });
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await this.#database[Symbol.asyncDispose]();
  }
}

let service: Promise<PostgresService | undefined> | undefined;
/** Undefined where there is no PostgreSQL: the tests skip themselves. */
export const postgresForTests = (): Promise<PostgresService | undefined> => (service ??= startPostgres());

export function tokenOf(dataDir: string): string {
  return (JSON.parse(readFileSync(join(dataDir, "host.json"), "utf8")) as { token: string }).token;
}

export async function statusOf(client: Client, planId: string): Promise<PlanStatus> {
  return client.call("_cleveragents/plan/status", { plan_id: planId });
}

export async function untilState(client: Client, planId: string, state: string): Promise<PlanStatus> {
  let status = await statusOf(client, planId);
  await until(async () => {
    status = await statusOf(client, planId);
    const over = /COMPLETED|FAILED|CANCELED|REJECTED/.test(status.task_state);
    if (over && status.task_state !== `TASK_STATE_${state}`)
      throw new Error(`the plan is ${status.task_state}: ${JSON.stringify(status)}`);
    return status.task_state === `TASK_STATE_${state}`;
  }, 60_000);
  return status;
}

/** Processes with this word among their arguments. */
export function processesWith(word: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(word);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Whether a process descends from a server. */
export function startedBy(pid: number, server: RunningServer): boolean {
  for (let at = pid; at > 1; ) {
    if (at === server.child.pid) return true;
    const stat = readFileSync(`/proc/${at}/stat`, "utf8");
    at = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  }
  return false;
}

/** Each call, and each stream after some items, goes to whichever of the servers chance names. */
export function wandering(
  random: () => number,
  servers: () => readonly RunningServer[],
  dataDir: string,
): ClientTransport {
  const pick = (): ClientTransport => {
    const all = servers();
    const server = all[Math.floor(random() * all.length)] as RunningServer;
    return createHttpTransport({ url: `${server.url}/a2a`, token: tokenOf(dataDir) });
  };
  return {
    async request(request, options) {
      return pick().request(request, options);
    },
    async *stream(request, options) {
      let left = 1 + Math.floor(random() * 12);
      for await (const frame of pick().stream(request, options)) {
        yield frame;
        if (--left === 0) throw new TransportError("CONNECTION_LOST", "let go");
      }
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** Repeats what a server that was killed did not answer. */
export async function persistently<T>(call: () => Promise<T>): Promise<T> {
  for (let n = 0; ; n++) {
    try {
      return await call();
    } catch (error) {
      if (!TransportError.is(error) || n > 300) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** More than it takes to take a plan over, on a busy machine too. */
const SECONDS = 20;
/** An argument that no other process has. */
export const mark = (): string => `9${Math.random().toString().slice(2, 8)}`;

/** Two servers, and a plan in the middle of a step that takes its time and has an effect at its end. */
export async function inTheMiddle(place: Replicas) {
  const [a, b] = [await place.server(), await place.server()];
  const word = mark();
  // Long enough that a command which nobody ended would write beside the one that is run again.
  const step = `sh -c 'sleep ${SECONDS}; echo effect >> effect.txt' ${word}`;
  await place.furnish(place.client(a), "slow", [`run: { command: "${step}" }`]);
  const { plan_id: id } = await place.client(a).call("_cleveragents/plan/use", {
    action_name: "slow",
    automation_profile: "trusted",
  });
  await until(() => processesWith(word).length > 0);
  const running = processesWith(word);
  const [worker, other] = startedBy(running[0] as number, a) ? [a, b] : [b, a];
  return { id, word, running, worker, other, client: place.client(other) };
}
