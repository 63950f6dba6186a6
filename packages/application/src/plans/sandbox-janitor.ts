import { FencedError, isTerminal, type Plan } from "@cleveragents/domain";
import type { Clock } from "../ports/clock.ts";
import { type FailPoint, WITH_FAIL_POINTS } from "../ports/fail-point.ts";
import type { Logger } from "../ports/logger.ts";
import type { TaskRow, TaskStore } from "../ports/task-store.ts";
import type { Workspace } from "../ports/workspace.ts";
import { documentOf, isHere, planOf } from "./plan-document.ts";
import { holdsUnappliedWork } from "./unapplied-work.ts";

/** A plan that the store does not know may be another store's, or one that was lost: what is kept for it stays this long at least. */
const UNKNOWN_GRACE_MS = 24 * 60 * 60 * 1000;

export interface SandboxJanitorDeps {
  readonly store: Pick<TaskStore, "load" | "commit">;
  readonly workspace: Pick<Workspace, "release" | "heldSince">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failPoint?: FailPoint | undefined;
  /** This host, where several share the store: sandboxes of the others are not here. */
  readonly host?: string | undefined;
  /** How long work stays that a plan has done and nobody has applied, counted from the plan's end. */
  readonly keepMs?: number | undefined;
  /** Told of each plan that is over before anything of it is removed, as often as it is looked at. */
  readonly ended?: ((plan: Plan) => Promise<void>) | undefined;
}

/** Removes what is kept for plans that are over. Idempotent; what cannot be removed is logged and tried at a later call. */
export class SandboxJanitor {
  readonly #deps: SandboxJanitorDeps;

  constructor(deps: SandboxJanitorDeps) {
    this.#deps = deps;
  }

  /** For one plan; does nothing while it is not over, or while its sandbox is to be kept. */
  async clean(taskId: string): Promise<void> {
    const row = await this.#over(taskId);
    if (row !== undefined) await this.#deps.ended?.(planOf(row));
    if (row !== undefined && !this.#isKept(row)) await this.#clean(row);
  }

  /** The same at once, however long the sandbox was to be kept. False if nothing was removed. */
  async remove(taskId: string): Promise<boolean> {
    const row = await this.#over(taskId);
    return row !== undefined && (await this.#clean(row));
  }

  async #over(taskId: string): Promise<TaskRow | undefined> {
    const row = await this.#deps.store.load(taskId);
    return row !== undefined && isTerminal(row.state) && isHere(planOf(row), this.#deps.host)
      ? row
      : undefined;
  }

  /** Until when the sandbox of a plan that is over stays unless its removal is asked for; undefined if it goes at once. */
  keptUntil(row: TaskRow): number | undefined {
    const { keepMs = 0 } = this.#deps;
    return keepMs > 0 && holdsUnappliedWork(row, planOf(row)) ? row.statusAt + keepMs : undefined;
  }

  #isKept(row: TaskRow): boolean {
    return this.#deps.clock.now() < (this.keptUntil(row) ?? 0);
  }

  async #clean(row: TaskRow): Promise<boolean> {
    if (!(await this.#release(row.taskId))) return false;
    if (WITH_FAIL_POINTS) this.#deps.failPoint?.("plan.clean.disposed");
    await this.#note(row);
    return true;
  }

  /**
   * For plans for which something is kept, and which were not among the unfinished at any time after that was seen:
   * those that are over, and, after a day or as long as work is kept, those that the store has never heard of.
   */
  async collect(planIds: readonly string[]): Promise<void> {
    const { store, workspace, clock, logger, keepMs = 0 } = this.#deps;
    const grace = Math.max(UNKNOWN_GRACE_MS, keepMs);
    for (const planId of planIds) {
      try {
        if ((await store.load(planId)) !== undefined) {
          await this.clean(planId);
          continue;
        }
        const since = await workspace.heldSince(planId);
        if (since !== undefined && clock.now() - since < grace) continue;
        if (await this.#release(planId))
          logger.info({ taskId: planId }, "what was kept for a plan that is not known is removed");
      } catch (error) {
        logger.warn({ taskId: planId, error: String(error) }, "what a plan left behind could not be removed");
      }
    }
  }

  async #release(taskId: string): Promise<boolean> {
    const { workspace, logger } = this.#deps;
    try {
      return await workspace.release(taskId);
    } catch (error) {
      logger.warn({ taskId, error: String(error) }, "a sandbox could not be removed");
      return false;
    }
  }

  async #note(row: TaskRow): Promise<void> {
    const plan = planOf(row);
    const { sandbox } = plan;
    if (sandbox === undefined || sandbox.disposed === true) return;
    try {
      await this.#deps.store.commit({
        taskId: row.taskId,
        expect: { revision: row.revision },
        document: documentOf({ ...plan, sandbox: { ...sandbox, disposed: true } }),
      });
      if (WITH_FAIL_POINTS) this.#deps.failPoint?.("plan.clean.committed");
    } catch (error) {
      if (!(error instanceof FencedError)) throw error; // somebody else has cleaned up meanwhile
    }
  }
}
