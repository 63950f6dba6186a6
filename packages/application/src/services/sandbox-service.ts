import { isTerminal, type Plan, PlanNotFoundError } from "@cleveragents/domain";
import { type Principal, ProtocolError } from "@cleveragents/protocol";
import { isHere, planOf } from "../plans/plan-document.ts";
import type { SandboxJanitor } from "../plans/sandbox-janitor.ts";
import { holdsUnappliedWork } from "../plans/unapplied-work.ts";
import type { Clock } from "../ports/clock.ts";
import type { TaskRow, TaskStore } from "../ports/task-store.ts";
import type { HeldSize, Workspace } from "../ports/workspace.ts";
import { mayUse } from "./access.ts";

/** What is kept for one plan. */
export interface HeldSandbox {
  readonly planId: string;
  readonly row: TaskRow;
  readonly plan: Plan;
  readonly unappliedWork: boolean;
  /** Whether the plan is over. */
  readonly removable: boolean;
  /** When it goes by itself, in milliseconds; undefined while the plan is not over, and if it goes at the next occasion. */
  readonly keptUntil: number | undefined;
}

export interface WeighedSandbox extends HeldSandbox, HeldSize {
  /** When it was made; milliseconds. */
  readonly since: number | undefined;
}

export interface CollectRequest {
  readonly planId?: string | undefined;
  /** How long the plan must have been over. */
  readonly olderThanMs?: number | undefined;
  readonly dryRun: boolean;
}

export interface SandboxServiceDeps {
  readonly store: Pick<TaskStore, "load">;
  readonly workspace: Pick<Workspace, "holdings" | "weigh" | "heldSince">;
  readonly janitor: Pick<SandboxJanitor, "remove" | "keptUntil">;
  readonly clock: Clock;
  /** This host, where several share the store: sandboxes of the others are not here. */
  readonly host?: string | undefined;
}

/** What the caller's plans keep on this host's disk. */
export class SandboxService {
  readonly #deps: SandboxServiceDeps;

  constructor(deps: SandboxServiceDeps) {
    this.#deps = deps;
  }

  /** By plan id, ascending: oldest plans first. What no plan of the store owns is the supervisor's to remove. */
  async list(principal: Principal): Promise<readonly HeldSandbox[]> {
    const held: HeldSandbox[] = [];
    for (const planId of [...(await this.#deps.workspace.holdings())].sort()) {
      const found = await this.#find(principal, planId);
      if (found !== undefined) held.push(found);
    }
    return held;
  }

  /** Reads every directory of the sandbox. */
  async weigh(held: HeldSandbox): Promise<WeighedSandbox> {
    const { workspace } = this.#deps;
    const [size, since] = [await workspace.weigh(held.planId), await workspace.heldSince(held.planId)];
    return { ...held, ...size, since };
  }

  /**
   * Removes sandboxes of plans that are over: all without unapplied work, or the one that is named, with whatever is in
   * it. Throws `PlanNotFoundError` for unknown and foreign plans, and `InvalidState` for one that still needs it.
   */
  async collect(
    principal: Principal,
    { planId, olderThanMs = 0, dryRun }: CollectRequest,
  ): Promise<readonly (WeighedSandbox & { readonly removed: boolean })[]> {
    const { clock, janitor } = this.#deps;
    const chosen =
      planId === undefined
        ? (await this.list(principal)).filter(({ removable, unappliedWork }) => removable && !unappliedWork)
        : await this.#named(principal, planId);
    const collected: (WeighedSandbox & { readonly removed: boolean })[] = [];
    for (const held of chosen) {
      if (clock.now() - held.row.statusAt < olderThanMs) continue;
      const weighed = await this.weigh(held);
      collected.push({ ...weighed, removed: !dryRun && (await janitor.remove(held.planId)) });
    }
    return collected;
  }

  async #named(principal: Principal, planId: string): Promise<readonly HeldSandbox[]> {
    const held = await this.#find(principal, planId);
    if (held === undefined) throw new PlanNotFoundError(planId);
    if (!held.removable)
      throw new ProtocolError("InvalidState", {
        message: `The plan ${planId} is not over: it needs its sandbox`,
        details: { plan_id: planId },
        hint: "cancel the plan first",
      });
    return (await this.#deps.workspace.holdings()).includes(planId) ? [held] : [];
  }

  async #find(principal: Principal, planId: string): Promise<HeldSandbox | undefined> {
    const row = await this.#deps.store.load(planId);
    if (row === undefined || row.kind !== "plan" || !mayUse(principal, row)) return undefined;
    const plan = planOf(row);
    if (!isHere(plan, this.#deps.host)) return undefined;
    const removable = isTerminal(row.state);
    const keptUntil = removable ? this.#deps.janitor.keptUntil(row) : undefined;
    return { planId, row, plan, unappliedWork: holdsUnappliedWork(row, plan), removable, keptUntil };
  }
}
