import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  ApiKeyStore,
  ChangesetStore,
  GraphCheckpoints,
  PushStore,
  RegistryStore,
  SessionStore,
  TaskStore,
} from "@cleveragents/application";
import {
  apiKeyStoreSuite,
  changesetStoreSuite,
  graphCheckpointsSuite,
  pushStoreSuite,
  registryStoreSuite,
  type StoreDeps,
  type StoreHarness,
  sessionStoreSuite,
  taskStoreSuite,
} from "@cleveragents/testing";
import { startPostgres } from "@cleveragents/testing/services";
import { afterAll, describe } from "vitest";
import {
  InMemoryApiKeyStore,
  InMemoryChangesetStore,
  InMemoryGraphCheckpoints,
  InMemoryPushStore,
  InMemoryRegistryStore,
  InMemorySessionStore,
  InMemoryTaskStore,
} from "../src/memory/index.ts";
import { openPostgresDatabase } from "../src/postgres/index.ts";
import { openSqliteDatabase } from "../src/sqlite/index.ts";
import { emptied } from "./postgres-fixtures.ts";

/** In memory where there is such a directory: each test makes a database, and none of them cares for the disk. */
const PARENT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

interface Stores {
  readonly tasks: TaskStore;
  readonly registry: RegistryStore;
  readonly sessions: SessionStore;
  readonly changesets: ChangesetStore;
  readonly keys: ApiKeyStore;
  readonly push: PushStore;
  readonly graphs: GraphCheckpoints;
  /** Of its harness. */
  readonly many?: number;
  close(): Promise<void>;
}

const service = await startPostgres();
const database = await service?.createDatabase();
afterAll(() => database?.[Symbol.asyncDispose]());

/** Every adapter of the stores. A new one is a line here. */
const ADAPTERS: readonly (readonly [string, (deps: StoreDeps) => Promise<Stores>])[] = [
  ["in memory", inMemory],
  ["sqlite", sqlite],
  ...(database === undefined ? [] : [["postgres", postgres(database.url)] as const]),
];

describe.each(ADAPTERS)("stores, %s", (_, open) => {
  taskStoreSuite(async (deps) => harness(await open(deps), "tasks"));
  registryStoreSuite(async (deps) => harness(await open(deps), "registry"));
  sessionStoreSuite(async (deps) => harness(await open(deps), "sessions"));
  changesetStoreSuite(async (deps) => harness(await open(deps), "changesets"));
  apiKeyStoreSuite(async (deps) => harness(await open(deps), "keys"));
  graphCheckpointsSuite(async (deps) => harness(await open(deps), "graphs"));
  pushStoreSuite(async (deps) => {
    const store = await open(deps);
    return { store, [Symbol.asyncDispose]: () => store.close() };
  });
});

async function inMemory(deps: StoreDeps): Promise<Stores> {
  const tasks = new InMemoryTaskStore(deps);
  return {
    tasks,
    registry: new InMemoryRegistryStore(),
    sessions: new InMemorySessionStore(),
    changesets: new InMemoryChangesetStore(),
    keys: new InMemoryApiKeyStore(),
    push: new InMemoryPushStore({ tasks }),
    graphs: new InMemoryGraphCheckpoints(),
    close: () => tasks.close(),
  };
}

async function sqlite(deps: StoreDeps): Promise<Stores> {
  const directory = mkdtempSync(join(PARENT, "cleveragents-stores-"));
  const database = await openSqliteDatabase({ path: join(directory, "store.db"), ...deps });
  const close = async () => {
    await database.close();
    rmSync(directory, { recursive: true });
  };
  return { ...database, close };
}

function postgres(url: string) {
  return async (deps: StoreDeps): Promise<Stores> => {
    const stores = await openPostgresDatabase({ url, poolSize: 5, connectTimeoutMs: 30_000, ...deps });
    await emptied(url);
    // Its server shares the machine with the tests: 100,000 take a minute where that has much else to do.
    return { ...stores, many: 20_000 };
  };
}

function harness<Name extends keyof Omit<Stores, "close" | "many">>(
  stores: Stores,
  name: Name,
): StoreHarness<Stores[Name]> {
  const many = stores.many === undefined ? {} : { many: stores.many };
  return { store: stores[name], ...many, [Symbol.asyncDispose]: () => stores.close() };
}
