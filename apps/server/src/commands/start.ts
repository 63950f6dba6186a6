import { setTimeout as sleep } from "node:timers/promises";
import type { FailPoint, Logger } from "@cleveragents/application";
import { SystemClock, UlidGenerator } from "@cleveragents/infrastructure/clock";
import type { CardConfig } from "@cleveragents/protocol";
import { type Config, ConfigError, type DatabaseConfig, type Environment } from "../config.ts";
import { prepareDemo } from "../demo/prepare-demo.ts";
import { DataDirTakenError } from "../owner/data-dir-lock.ts";
import { withFrontedCard } from "../owner/fronted-card.ts";
import { FrontedOwner } from "../owner/fronted-owner.ts";
import { untilVanished } from "../owner/idle-exit.ts";
import { LocalTokens } from "../owner/local-tokens.ts";
import { readinessOf } from "../owner/readiness.ts";
import { type Owner, runOwner } from "../owner/run-owner.ts";
import { warnOfMissingProfile } from "./default-profile.ts";
import { serveHttp } from "./serve-http.ts";
import { untilDamaged, untilTold } from "./stopping.ts";

export interface StartDeps {
  readonly config: Config;
  readonly env: Environment;
  readonly cwd: string;
  readonly logger: Logger;
  readonly pid: number;
  readonly uid: number;
  readonly failPoint?: FailPoint | undefined;
  readonly say: (line: string) => void;
}

/** How long an owner that cannot be reached, because it is about to begin or to leave, is waited for. */
const PATIENCE_MS = 15_000;
const LOOK_AGAIN_MS = 100;

/** Serves HTTP and the socket until told to stop. Where another process owns the directory, HTTP alone, through it. */
export async function start(deps: StartDeps): Promise<void> {
  const { dataDir, database } = deps.config;
  if (database !== undefined) return startOwner(deps, await share(deps, database));
  for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(LOOK_AGAIN_MS)) {
    const owner = await tryToOwn(deps);
    if (owner !== undefined) return startOwner(deps, owner);
    const front = await FrontedOwner.reach({
      dataDir,
      logger: deps.logger,
      own: (token) => tryToOwn(deps, token),
    });
    if (front !== undefined) return startFront(deps, front);
    if (performance.now() >= deadline)
      throw new Error(
        `another process owns ${dataDir} and does not say how to reach it; see ${dataDir}/owner.log`,
      );
  }
}

/** A process that owns the directory without a database cannot be joined, and its plans cannot be seen. */
async function share(deps: StartDeps, database: DatabaseConfig): Promise<Owner> {
  const { config, env, logger, pid, uid, failPoint } = deps;
  // A server without a database does not load its driver.
  const { runReplica } = await import("../replica/run-replica.ts");
  try {
    return await runReplica({ dataDir: config.dataDir, env, logger, pid, uid, failPoint, database });
  } catch (error) {
    if (!(error instanceof DataDirTakenError)) throw error;
    throw new ConfigError(
      `DATABASE_URL is set, but a process without a database owns ${config.dataDir}: stop it, or use another --data-dir`,
    );
  }
}

/** Undefined when another process owns the directory. */
async function tryToOwn(
  { config, env, logger, pid, uid, failPoint }: StartDeps,
  token?: string,
): Promise<Owner | undefined> {
  try {
    return await runOwner({ dataDir: config.dataDir, env, logger, pid, uid, failPoint, token });
  } catch (error) {
    if (error instanceof DataDirTakenError) return undefined;
    throw error;
  }
}

async function startOwner(deps: StartDeps, owner: Owner): Promise<void> {
  const { config, logger, say } = deps;
  const told = untilTold();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => owner.close());
  const { server, url, insteadOf } = await serveHttp({
    config,
    dispatcher: owner.agent.dispatcher,
    local: new LocalTokens(owner.token),
    keys: owner.agent.authenticator,
    describe: (card) => owner.agent.describe(card),
    ready: () => readinessOf(owner.agent, logger),
    logger,
  });
  stack.defer(() => server.close(5000));
  await owner.announce({ url });
  await warnOfMissingProfile(
    owner.agent.services.profiles,
    deps.env["CLEVERAGENTS_AUTOMATION_PROFILE"],
    logger,
  );
  if (insteadOf !== undefined) say(`Port ${insteadOf} is taken; using ${new URL(url).port} instead.`);
  const demo = config.demo
    ? await prepareDemo({ services: owner.agent.services, dataDir: config.dataDir, env: deps.env })
    : undefined;
  // One piece: whoever waits for the ready line has the commands with it.
  const next = demo?.lines({ cwd: deps.cwd, dataDir: config.dataDir }) ?? [];
  say([`CleverAgents is ready at ${url} (data in ${config.dataDir})`, ...next].join("\n"));
  const why = await Promise.race([told, untilVanished(config.dataDir), untilDamaged(owner)]);
  say(lastWords(why, config.dataDir));
}

/** The directory has an owner already: serve HTTP in front of it, and own it when it has none any more. */
async function startFront({ config, logger, say }: StartDeps, front: FrontedOwner): Promise<void> {
  const told = untilTold();
  await using stack = new AsyncDisposableStack();
  stack.use(front);
  const { pid, http } = front.discovery;
  if (http !== undefined)
    say(`Process ${pid} serves ${config.dataDir} at ${http.url} already; this one serves it too.`);
  const clock = new SystemClock();
  let card: CardConfig | undefined;
  const { server, url, insteadOf } = await serveHttp({
    config,
    dispatcher: withFrontedCard({
      dispatcher: front.dispatcher,
      card: () => {
        if (card === undefined) throw new Error("the card is asked for before the server listens");
        return card;
      },
      clock,
      ids: new UlidGenerator({ clock }),
      logger,
    }),
    describe(described) {
      card = described;
      return described;
    },
    local: front.tokens,
    keys: front.keys,
    ready: () => front.ready(),
    logger,
  });
  stack.defer(() => server.close(5000));
  await front.serveAt(url);
  if (insteadOf !== undefined) say(`Port ${insteadOf} is taken; using ${new URL(url).port} instead.`);
  say(`CleverAgents is ready at ${url} (data in ${config.dataDir}, owned by process ${pid})`);
  const why = await Promise.race([told, untilVanished(config.dataDir), front.damaged]);
  say(why === "damaged" ? lastWords(why, config.dataDir) : `${why}: stopping.`);
}

function lastWords(why: NodeJS.Signals | "vanished" | "damaged", dataDir: string): string {
  if (why === "vanished") return `${dataDir} is gone: stopping.`;
  if (why === "damaged")
    return `A database in ${dataDir} is damaged: stopping. The next start repairs it, and plans go on.`;
  return `${why}: stopping; plans go on at the next start.`;
}
