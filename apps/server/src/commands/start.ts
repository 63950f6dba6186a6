import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@cleveragents/application";
import { LOCAL_PRINCIPAL, TransportError } from "@cleveragents/protocol";
import { type Discovery, readDiscovery } from "@cleveragents/transport-stdio/client";
import type { Config, Environment } from "../config.ts";
import { prepareDemo } from "../demo/prepare-demo.ts";
import { DataDirTakenError } from "../owner/data-dir-lock.ts";
import { type Forwarding, forwardTo } from "../owner/forwarding-dispatcher.ts";
import { untilVanished } from "../owner/idle-exit.ts";
import { type Owner, runOwner } from "../owner/run-owner.ts";
import { serveHttp } from "./serve-http.ts";
import { untilTold } from "./stopping.ts";

export interface StartDeps {
  readonly config: Config;
  readonly env: Environment;
  readonly cwd: string;
  readonly logger: Logger;
  readonly pid: number;
  readonly uid: number;
  readonly say: (line: string) => void;
}

/** How long an owner that cannot be reached, because it is about to begin or to leave, is waited for. */
const PATIENCE_MS = 15_000;
const LOOK_AGAIN_MS = 100;

/** Serves HTTP and the socket until told to stop. Where another process owns the directory, HTTP alone, through it. */
export async function start(deps: StartDeps): Promise<void> {
  const { dataDir } = deps.config;
  for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(LOOK_AGAIN_MS)) {
    const owner = await tryToOwn(deps);
    if (owner !== undefined) return startOwner(deps, owner);
    const other = await reach(dataDir);
    if (other !== undefined) return startFront(deps, other);
    if (performance.now() >= deadline)
      throw new Error(
        `another process owns ${dataDir} and does not say how to reach it; see ${dataDir}/owner.log`,
      );
  }
}

/** Undefined when another process owns the directory. */
async function tryToOwn({ config, env, logger, pid, uid }: StartDeps): Promise<Owner | undefined> {
  try {
    return await runOwner({ dataDir: config.dataDir, env, logger, pid, uid });
  } catch (error) {
    if (error instanceof DataDirTakenError) return undefined;
    throw error;
  }
}

interface OtherOwner {
  readonly discovery: Discovery;
  readonly forwarding: Forwarding;
}

/** Undefined when the owner does not answer. */
async function reach(dataDir: string): Promise<OtherOwner | undefined> {
  const discovery = await readDiscovery(dataDir);
  if (discovery === undefined) return undefined;
  try {
    return { discovery, forwarding: await forwardTo(dataDir) };
  } catch (error) {
    if (TransportError.is(error)) return undefined;
    throw error;
  }
}

async function startOwner(deps: StartDeps, owner: Owner): Promise<void> {
  const { config, logger, say } = deps;
  await using stack = new AsyncDisposableStack();
  stack.defer(() => owner.close());
  const { server, url, insteadOf } = await serveHttp({
    config,
    dispatcher: owner.agent.dispatcher,
    token: owner.token,
    ready: async () => {
      await owner.agent.check();
      return { ready: true, checks: { store: "ok" } };
    },
    logger,
  });
  stack.defer(() => server.close(5000));
  await owner.announce({ url });
  if (insteadOf !== undefined) say(`Port ${insteadOf} is taken; using ${new URL(url).port} instead.`);
  const demo = config.demo
    ? await prepareDemo({ services: owner.agent.services, dataDir: config.dataDir, env: deps.env })
    : undefined;
  // One piece: whoever waits for the ready line has the commands with it.
  const next = demo?.lines({ cwd: deps.cwd, dataDir: config.dataDir }) ?? [];
  say([`CleverAgents is ready at ${url} (data in ${config.dataDir})`, ...next].join("\n"));
  const why = await Promise.race([untilTold(), untilVanished(config.dataDir)]);
  say(
    why === "vanished"
      ? `${config.dataDir} is gone: stopping.`
      : `${why}: stopping; plans go on at the next start.`,
  );
}

/** The directory has an owner already: serve HTTP in front of it. */
async function startFront({ config, logger, say }: StartDeps, other: OtherOwner): Promise<void> {
  const { discovery } = other;
  await using forwarding = other.forwarding;
  if (discovery.http !== undefined)
    say(
      `Process ${discovery.pid} serves ${config.dataDir} at ${discovery.http.url} already; this one serves it too.`,
    );
  const { server, url, insteadOf } = await serveHttp({
    config,
    dispatcher: forwarding.dispatcher,
    token: discovery.token,
    ready: async () => ({ ready: await forwarding.alive(LOCAL_PRINCIPAL), checks: { owner: discovery.pid } }),
    logger,
  });
  if (insteadOf !== undefined) say(`Port ${insteadOf} is taken; using ${new URL(url).port} instead.`);
  say(`CleverAgents is ready at ${url} (data in ${config.dataDir}, owned by process ${discovery.pid})`);
  const why = await Promise.race([untilTold(), untilVanished(config.dataDir)]);
  say(`${why}: stopping.`);
  await server.close(5000);
}
