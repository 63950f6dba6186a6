import type { Principal } from "@cleveragents/protocol";
import { planOf } from "../plans/plan-document.ts";
import { ownPlan } from "./access.ts";
import { checkpointNamed, checkpointsOf, type NamedCheckpoint } from "./plan-checkpoints.ts";
import {
  appendedTo,
  type Corrected,
  type CorrectionDeps,
  type CorrectionRequest,
  correct,
  type Impact,
  impactOf,
} from "./plan-correction.ts";
import { decisionNamed, decisionToCorrect, rootOf } from "./plan-decisions.ts";
import { type Explanation, type ExplanationDeps, explain } from "./plan-explanation.ts";
import {
  type GivenGuidance,
  type GuidanceDeps,
  type GuidanceRequest,
  giveGuidance,
} from "./plan-guidance.ts";

import { until } from "./waiting.ts";

export type DecisionServiceDeps = ExplanationDeps & GuidanceDeps & CorrectionDeps;

/** What can be asked and said about the decisions of plans. Every method sees the caller's own plans only. */
export class DecisionService {
  readonly #deps: DecisionServiceDeps;

  constructor(deps: DecisionServiceDeps) {
    this.#deps = deps;
  }

  /** One decision with all that is known of it; the root where none is named. */
  async explain(principal: Principal, planId: string, named: string | undefined): Promise<Explanation> {
    const { plan } = await ownPlan(this.#deps.store, principal, planId);
    return explain(this.#deps, plan, named === undefined ? rootOf(plan) : decisionNamed(plan, named));
  }

  /** Sends guidance to a plan that works, waits, or has stopped at an error; see {@link giveGuidance}. */
  async guide(principal: Principal, planId: string, request: GuidanceRequest): Promise<GivenGuidance> {
    return giveGuidance(this.#deps, principal, planId, request);
  }

  /** Takes a plan back before a decision and lets it decide anew; see {@link correct}. */
  async correct(
    principal: Principal,
    planId: string,
    {
      named,
      ...request
    }: Omit<CorrectionRequest, "kind" | "target" | "step"> & { readonly named?: string | undefined },
    signal: AbortSignal,
  ): Promise<Corrected> {
    const { plan } = await ownPlan(this.#deps.store, principal, planId);
    const { decisionId } = decisionToCorrect(plan, named);
    return correct(
      this.#deps,
      principal,
      planId,
      { ...request, kind: "correct", target: decisionId },
      signal,
    );
  }

  /** Adds work below a decision of a plan that is not over, and leaves all that was done; see `takeAppend`. */
  async append(
    principal: Principal,
    planId: string,
    {
      named,
      ...request
    }: Omit<CorrectionRequest, "kind" | "target" | "step"> & { readonly named?: string | undefined },
    signal: AbortSignal,
  ): Promise<Corrected> {
    const { plan } = await ownPlan(this.#deps.store, principal, planId);
    const { decisionId } = decisionToCorrect(plan, named);
    const made = await correct(
      this.#deps,
      principal,
      planId,
      { ...request, kind: "append", target: decisionId },
      signal,
    );
    const { correction } = made;
    if (correction?.decisionId === undefined) return made;
    // Its plan is told if it begins at once; one that has other work to do first is begun by and by.
    const settled = await until(this.#deps.store, planId, signal, (row) => {
      const now = planOf(row);
      const next = now.steps.find(({ status }) => status === "pending" || status === "running");
      const own = now.steps.find(({ addedBy }) => addedBy === correction.decisionId);
      const isNext = next !== undefined && next === own;
      return (
        !isNext ||
        now.open !== undefined ||
        own?.children?.some((child) => child.planId !== undefined) === true
      );
    });
    return settled === undefined ? made : { ...made, now: planOf(settled) };
  }

  /** What adding work would change; nothing is changed. */
  async appendImpact(principal: Principal, planId: string, named: string | undefined): Promise<Impact> {
    const { plan } = await ownPlan(this.#deps.store, principal, planId);
    return appendedTo(this.#deps, plan, { target: decisionToCorrect(plan, named).decisionId });
  }

  /** What a correction would undo; nothing is changed. */
  async impact(principal: Principal, planId: string, named: string | undefined): Promise<Impact> {
    const { plan } = await ownPlan(this.#deps.store, principal, planId);
    const { decisionId } = decisionToCorrect(plan, named);
    return impactOf(this.#deps, plan, { kind: "correct", target: decisionId, text: "" });
  }

  /** Takes a plan that is not applied back to a checkpoint, files and decisions together; it then waits to be started. */
  async rollback(
    principal: Principal,
    planId: string,
    { checkpoint, dryRun, messageId }: RollbackRequest,
    signal: AbortSignal,
  ): Promise<RolledBack> {
    const { plan } = await ownPlan(this.#deps.store, principal, planId);
    const to = checkpointNamed(plan, checkpoint);
    const request = { kind: "rollback" as const, step: to.step, text: `back to ${to.checkpoint}`, messageId };
    if (dryRun) {
      const impact = await impactOf(this.#deps, plan, request);
      return { ...impact, now: plan, correction: undefined, to, checkpoints: checkpointsOf(plan) };
    }
    const corrected = await correct(this.#deps, principal, planId, request, signal);
    return { ...corrected, to, checkpoints: checkpointsOf(corrected.now) };
  }
}

export interface RollbackRequest {
  readonly checkpoint?: string | undefined;
  /** Only say what would be undone. */
  readonly dryRun: boolean;
  readonly messageId?: string | undefined;
}

export interface RolledBack extends Corrected {
  readonly to: NamedCheckpoint;
  /** Those that there are afterwards. */
  readonly checkpoints: readonly NamedCheckpoint[];
}
