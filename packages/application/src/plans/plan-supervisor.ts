import { FencedError } from "@cleveragents/domain";
import { type FailPoint, WITH_FAIL_POINTS } from "../ports/fail-point.ts";
import type { Logger } from "../ports/logger.ts";
import type { PlanEngine, PlanWorkflow } from "../ports/plan-engine.ts";
import type { TaskHead, TaskStore } from "../ports/task-store.ts";
import type { Workspace } from "../ports/workspace.ts";
import { CORRECTION } from "./correcting.ts";
import { isHere, planOf } from "./plan-document.ts";
import type { PlanPlaces } from "./plan-places.ts";
import type { SandboxJanitor } from "./sandbox-janitor.ts";

const SWEEP_MS = 30_000;
/** The first look for what nothing refers to comes when a start has calmed down. */
const FIRST_TIDY_MS = 60_000;
const TIDY_MS = 60 * 60 * 1000;
const PAGE = 1000;

export interface PlanSupervisorDeps {
  readonly store: Pick<TaskStore, "unfinishedHeads" | "load" | "inbox" | "commit">;
  readonly engine: Pick<PlanEngine, "open" | "start" | "status" | "signal">;
  readonly workspace: Pick<Workspace, "recover" | "holdings" | "tidy">;
  readonly janitor: Pick<SandboxJanitor, "collect">;
  readonly places: Pick<PlanPlaces, "recall" | "tidy" | "stop">;
  readonly logger: Logger;
  readonly failPoint?: FailPoint | undefined;
  /** This host, where several share the store: runs of the others' plans are in engines of their own. */
  readonly host?: string | undefined;
}

/**
 * Keeps plans, engine and workspace in step: at start, and every 30 seconds, each plan that should go on is compared
 * with its run, and what plans left behind is removed. A plan without a run gets it; one whose run has ended without
 * it gets a new epoch and run; one whose answer nobody has taken is woken. One that waits for its answer costs nothing.
 */
export class PlanSupervisor {
  readonly #deps: PlanSupervisorDeps;
  #timers: ReturnType<typeof setInterval>[] = [];
  #collecting: Promise<void> | undefined;

  constructor(deps: PlanSupervisorDeps) {
    this.#deps = deps;
  }

  /** Finishes applies that were cut off, then lets plans go on. What was left behind is removed beside that. */
  async start(workflow: PlanWorkflow): Promise<void> {
    const { workspace, engine, logger } = this.#deps;
    for (const recovered of await workspace.recover())
      logger.warn({ ...recovered }, "an apply was cut off and has been settled");
    if (WITH_FAIL_POINTS) this.#deps.failPoint?.("owner.recovered");
    await this.#recall();
    await engine.open(workflow);
    await this.sweep();
    this.#every(SWEEP_MS, () => this.sweep(), "plans could not be compared with their runs");
    this.#every(SWEEP_MS, () => this.#deps.places.tidy(), "the line of plans could not be looked through");
    const tidy = () => workspace.tidy();
    const first = setTimeout(() => this.#attempt(tidy, NOT_TIDIED), FIRST_TIDY_MS);
    first.unref?.();
    this.#timers.push(first);
    this.#every(TIDY_MS, tidy, NOT_TIDIED);
  }

  stop(): void {
    this.#deps.places.stop();
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  /** Resolves when every plan that should go on does; removing what was left behind may take longer. */
  async sweep(): Promise<void> {
    // Before the plans: what is made for a plan after this is not looked at, and a plan comes before what is made for it.
    const held = await this.#held();
    const unfinished = new Set<string>();
    for (let page = await this.#page(); page.length > 0; page = await this.#page(page.at(-1))) {
      for (const head of page) {
        unfinished.add(head.taskId);
        await this.#look(head);
      }
    }
    const over = held.filter((planId) => !unfinished.has(planId));
    // One at a time: removing a large sandbox may take longer than it is to the next sweep.
    if (over.length === 0 || this.#collecting !== undefined) return;
    this.#collecting = this.#deps.janitor.collect(over).finally(() => {
      this.#collecting = undefined;
    });
  }

  /** Resolves when what the last sweep found to be removed is removed. */
  async collected(): Promise<void> {
    await this.#collecting;
  }

  /** The line of those that wait for a place is what it was when the process ended. */
  async #recall(): Promise<void> {
    for (let page = await this.#page(); page.length > 0; page = await this.#page(page.at(-1))) {
      for (const { taskId, state } of page) {
        if (state !== "working") continue;
        const row = await this.#deps.store.load(taskId);
        if (row !== undefined && isHere(planOf(row), this.#deps.host)) this.#deps.places.recall(planOf(row));
      }
    }
  }

  #page(after?: TaskHead): Promise<readonly TaskHead[]> {
    return this.#deps.store.unfinishedHeads("plan", PAGE, after);
  }

  async #held(): Promise<readonly string[]> {
    try {
      return await this.#deps.workspace.holdings();
    } catch (error) {
      this.#deps.logger.error({ error: String(error) }, "what plans left behind could not be listed");
      return [];
    }
  }

  async #look(head: TaskHead): Promise<void> {
    const waits = head.state === "input-required" || head.state === "auth-required";
    try {
      if (!waits || (head.mail && (await this.#isAnswered(head.taskId)))) await this.#ensureRun(head);
    } catch (error) {
      this.#deps.logger.error(
        { taskId: head.taskId, error: String(error) },
        "a plan could not be compared with its run",
      );
    }
  }

  /** Guidance waits for the answer, too: waking the plan for it would be in vain. */
  async #isAnswered(taskId: string): Promise<boolean> {
    const row = await this.#deps.store.load(taskId);
    if (row === undefined) return false;
    const { open } = planOf(row);
    const inbox = await this.#deps.store.inbox(taskId);
    return (
      open === undefined ||
      inbox.some(({ key }) => key === `answer:${open.requestId}` || key.startsWith(CORRECTION))
    );
  }

  async #ensureRun({ taskId, epoch, runId, mail }: TaskHead): Promise<void> {
    const { engine, store } = this.#deps;
    let status = runId === null ? undefined : await engine.status(runId);
    if (status === undefined) {
      if (!(await this.#isHere(taskId))) return;
      if (runId === null) status = await engine.status(await engine.start({ taskId, epoch, part: 0 }));
    }
    if (status === "waiting" || status === "running") {
      if (mail && runId !== null) await engine.signal(taskId);
      return;
    }
    try {
      const { epoch: next } = await store.commit({
        taskId,
        expect: { epoch, runId },
        bumpEpoch: true,
        runId: null,
      });
      await engine.start({ taskId, epoch: next, part: 0 });
    } catch (error) {
      if (!(error instanceof FencedError)) throw error; // it has moved on by itself
    }
  }

  async #isHere(taskId: string): Promise<boolean> {
    const row = await this.#deps.store.load(taskId);
    return row !== undefined && isHere(planOf(row), this.#deps.host);
  }

  #every(ms: number, work: () => Promise<void>, failed: string): void {
    const timer = setInterval(() => this.#attempt(work, failed), ms);
    timer.unref?.();
    this.#timers.push(timer);
  }

  #attempt(work: () => Promise<void>, failed: string): void {
    work().catch((error: unknown) => this.#deps.logger.error({ error: String(error) }, failed));
  }
}

const NOT_TIDIED = "what nothing refers to could not be thrown away";
