import { mkdir, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "@cleveragents/application";
import { SystemClock, UlidGenerator } from "@cleveragents/infrastructure/clock";
import { GitWorkspace } from "@cleveragents/infrastructure/git";
import { createSqlitePlanEngine } from "@cleveragents/infrastructure/openworkflow";
import { CommandLedger, ProcessCommandRunner } from "@cleveragents/infrastructure/process";
import { openSqliteDatabase } from "@cleveragents/infrastructure/sqlite";
import { BuiltinToolProvider } from "@cleveragents/infrastructure/tools";
import { YamlDocumentReader } from "@cleveragents/infrastructure/yaml";
import { type Composition, compose } from "./compose.ts";
import type { Environment } from "./config.ts";
import { PRODUCT_VERSION } from "./version.ts";

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly env: Environment;
  readonly logger: Logger;
}

export interface EmbeddedAgent extends Composition {
  /** Whether a plan is being worked on, so that the process should stay. */
  busy(): Promise<boolean>;
  check(): Promise<void>;
  close(graceMs?: number): Promise<void>;
}

const SECRET = /token|key|secret|pass|credential|auth|cookie|private|_url$|_uri$|_dsn$/i;

/** What `${VAR}` in a document may show: whoever registers documents is not to read the credentials of the process. */
export function withoutSecrets(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET.test(name)));
}

/** The whole product in one process on one data directory, which the caller owns. Throws the store's own errors. */
export async function openEmbedded({ dataDir, env, logger }: EmbeddedOptions): Promise<EmbeddedAgent> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // It may lie in a repository of the user's, and holds a token: never to be added there.
  await writeFile(join(dataDir, ".gitignore"), "*\n");
  await (await open(join(dataDir, "engine.db"), "a", 0o600)).close();
  const clock = new SystemClock();
  const ids = new UlidGenerator({ clock });
  const database = await openSqliteDatabase({ path: join(dataDir, "store.db"), clock, logger });
  const ledger = new CommandLedger(join(dataDir, "commands"));
  const leftovers = await ledger.endLeftovers();
  if (leftovers > 0) logger.warn({ leftovers }, "commands of a process that is gone were ended");
  const commands = new ProcessCommandRunner({ env, ledger });
  const composition = compose(
    {
      store: database.tasks,
      registry: database.registry,
      sessions: database.sessions,
      changesets: database.changesets,
      engine: createSqlitePlanEngine({ path: join(dataDir, "engine.db"), logger, exclusive: true }),
      workspace: new GitWorkspace({ dataDir, logger, env, clock }),
      commands,
      toolProviders: [new BuiltinToolProvider({ commands })],
      documents: new YamlDocumentReader({ env: withoutSecrets(env) }),
      clock,
      ids,
      logger,
    },
    { version: PRODUCT_VERSION, defaultProfile: env["CLEVERAGENTS_AUTOMATION_PROFILE"] },
  );
  return {
    ...composition,
    async busy() {
      const unfinished = await database.tasks.unfinished("plan");
      return unfinished.some((row) => row.state === "working" || row.state === "submitted");
    },
    check: () => database.check(),
    async close(graceMs = 5000) {
      await composition.stop(graceMs);
      await database.close();
    },
  };
}
