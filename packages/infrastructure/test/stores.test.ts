import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChangesetStore, RegistryStore, SessionStore, TaskStore } from "@cleveragents/application";
import {
  changesetStoreSuite,
  registryStoreSuite,
  type StoreDeps,
  type StoreHarness,
  sessionStoreSuite,
  taskStoreSuite,
} from "@cleveragents/testing";
import { describe } from "vitest";
import {
  InMemoryChangesetStore,
  InMemoryRegistryStore,
  InMemorySessionStore,
  InMemoryTaskStore,
} from "../src/memory/index.ts";
import { openSqliteDatabase } from "../src/sqlite/index.ts";

/** In memory where there is such a directory: each test makes a database, and none of them cares for the disk. */
const PARENT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

interface Stores {
  readonly tasks: TaskStore;
  readonly registry: RegistryStore;
  readonly sessions: SessionStore;
  readonly changesets: ChangesetStore;
  close(): Promise<void>;
}

/** Every adapter of the stores. A new one is a line here. */
const ADAPTERS: readonly (readonly [string, (deps: StoreDeps) => Promise<Stores>])[] = [
  ["in memory", inMemory],
  ["sqlite", sqlite],
];

describe.each(ADAPTERS)("stores, %s", (_, open) => {
  taskStoreSuite(async (deps) => harness(await open(deps), "tasks"));
  registryStoreSuite(async (deps) => harness(await open(deps), "registry"));
  sessionStoreSuite(async (deps) => harness(await open(deps), "sessions"));
  changesetStoreSuite(async (deps) => harness(await open(deps), "changesets"));
});

async function inMemory(deps: StoreDeps): Promise<Stores> {
  const tasks = new InMemoryTaskStore(deps);
  return {
    tasks,
    registry: new InMemoryRegistryStore(),
    sessions: new InMemorySessionStore(),
    changesets: new InMemoryChangesetStore(),
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

function harness<Name extends keyof Omit<Stores, "close">>(
  stores: Stores,
  name: Name,
): StoreHarness<Stores[Name]> {
  return { store: stores[name], [Symbol.asyncDispose]: () => stores.close() };
}
