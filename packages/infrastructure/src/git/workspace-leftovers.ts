import { randomBytes } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type Clock,
  type FailPoint,
  type HeldSize,
  type Logger,
  WITH_FAIL_POINTS,
} from "@cleveragents/application";
import { FileLock } from "./file-lock.ts";
import { FinishedApplies } from "./finished-applies.ts";
import type { GitCommand } from "./git-command.ts";
import { placeOfSandbox, type SandboxPlace } from "./git-sandbox.ts";
import { ProjectStore } from "./project-store.ts";
import { diskUsage, lstatOrNull, namesIn, removeTree } from "./tree-walk.ts";
import { isAbsence } from "./workspace-failure.ts";

/** What nothing refers to stays this long: whoever is at work may be about to refer to it. */
const CONTENT_GRACE_MS = 24 * 60 * 60 * 1000;
/** A temporary file of this age is nobody's any more. */
const FILE_GRACE_MS = 60 * 60 * 1000;

export const PLAN_ID = /^[A-Za-z0-9_-]{1,100}$/;
const GONE = /^\.gone-([A-Za-z0-9_-]+)-[0-9a-f]{12}$/;

interface LeftoversDeps {
  /** Real path. */
  readonly dataDir: string;
  readonly git: GitCommand;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failPoint?: FailPoint | undefined;
}

/** What plans leave behind in a data directory: how it is found, and how it goes. */
export class WorkspaceLeftovers {
  readonly #deps: LeftoversDeps;
  readonly #sandboxes: string;
  readonly #stores: string;
  readonly #locks: string;
  readonly #finished: FinishedApplies;

  constructor(deps: LeftoversDeps) {
    this.#deps = deps;
    this.#sandboxes = join(deps.dataDir, "sandboxes");
    this.#stores = join(deps.dataDir, "stores");
    this.#locks = join(deps.dataDir, "journal", "locks");
    this.#finished = new FinishedApplies(join(deps.dataDir, "journal"));
  }

  async plans(): Promise<string[]> {
    const plans = new Set(await this.#finished.plans());
    for (const name of await namesIn(this.#sandboxes)) plans.add(GONE.exec(name)?.[1] ?? name);
    for (const store of (await this.#allStores()).whole)
      for (const planId of await store.plansKept()) plans.add(planId);
    // What else lies there is not ours to judge.
    return [...plans].filter((planId) => PLAN_ID.test(planId));
  }

  async since(planId: string): Promise<number | undefined> {
    const times = [
      (await lstatOrNull(this.#place(planId).directory))?.mtimeMs,
      await this.#finished.since(planId),
    ];
    const known = times.filter((time) => time !== undefined);
    return known.length === 0 ? undefined : Math.max(...known);
  }

  async weigh(planId: string): Promise<HeldSize> {
    const gone = (await namesIn(this.#sandboxes)).filter((name) => GONE.exec(name)?.[1] === planId);
    const sizes = [];
    for (const name of [planId, ...gone]) sizes.push(await diskUsage(join(this.#sandboxes, name)));
    return {
      bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
      files: sizes.reduce((sum, { files }) => sum + files, 0),
    };
  }

  /** The caller sees to it that nobody makes or uses the sandbox. */
  async remove(planId: string): Promise<void> {
    const { failPoint, clock } = this.#deps;
    await setAside(this.#place(planId), this.#sandboxes);
    for (const name of await namesIn(this.#sandboxes))
      if (GONE.exec(name)?.[1] === planId) await removeTree(join(this.#sandboxes, name));
    if (WITH_FAIL_POINTS) failPoint?.("workspace.dispose.removed");
    for (const store of (await this.#allStores()).whole)
      if ((await store.plansKept()).includes(planId)) await store.release(planId, clock.now());
    await this.#finished.forget(planId);
  }

  async tidy(): Promise<void> {
    const { clock, logger } = this.#deps;
    const now = clock.now();
    const old = now - FILE_GRACE_MS;
    await FileLock.removeLeftovers(this.#locks, old);
    const journals = join(this.#locks, "..");
    for (const name of await namesIn(journals))
      if (name.startsWith("begin-")) await removeIfOlder(join(journals, name), old);
    for (const name of await namesIn(this.#sandboxes))
      if (GONE.test(name)) await removeTree(join(this.#sandboxes, name));
    const { whole, unfinished } = await this.#allStores();
    for (const directory of unfinished) await removeIfOlder(directory, old);
    for (const store of whole) {
      for (const name of await namesIn(store.directory))
        if (name.startsWith("project-index.")) await removeIfOlder(join(store.directory, name), old);
      await using lock = await FileLock.acquire(this.#locks, store.directory, 0);
      if (lock !== null && (await store.collection.collect(now - CONTENT_GRACE_MS, now)))
        logger.debug({ store: store.directory }, "unreferenced contents were thrown away");
    }
  }

  /** Holds off collection until the store's `collection.made`. */
  async beginMaking(store: ProjectStore, planId: string): Promise<void> {
    // Collecting ends by itself; whoever waits for it longer than that has another problem.
    await using lock = await FileLock.acquire(this.#locks, store.directory, 600_000);
    if (lock === null) this.#deps.logger.warn({ planId }, "a store is being collected for very long");
    await store.collection.making(planId);
  }

  #place(planId: string): SandboxPlace {
    return placeOfSandbox(this.#sandboxes, planId);
  }

  async #allStores() {
    return await ProjectStore.all(this.#deps.git, this.#stores);
  }
}

/** From one moment to the next the sandbox is no sandbox any more, however long its removal takes. */
async function setAside(place: SandboxPlace, sandboxes: string): Promise<void> {
  const planId = place.directory.slice(sandboxes.length + 1);
  try {
    await rename(place.directory, join(sandboxes, `.gone-${planId}-${randomBytes(6).toString("hex")}`));
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}

async function removeIfOlder(path: string, than: number): Promise<void> {
  const found = await lstatOrNull(path);
  if (found === null || found.mtimeMs >= than) return;
  if (found.isDirectory()) await removeTree(path);
  else await rm(path, { force: true });
}
