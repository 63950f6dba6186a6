import {
  type Gate,
  isFinalStage,
  isInterrupted,
  type Message,
  PHASE_GATE,
  type Plan,
  PlanStateError,
  proceeds,
  profileOf,
  type SharedBudget,
} from "@cleveragents/domain";
import { type Principal, ProtocolError } from "@cleveragents/protocol";
import type { AskService } from "../ask/ask-service.ts";
import type { PlanCanceller } from "../plans/plan-canceller.ts";
import { planOf } from "../plans/plan-document.ts";
import type { PlanPlaces } from "../plans/plan-places.ts";
import { sharedBudgets } from "../plans/shared-budgets.ts";
import type { ChangesetStore, StoredChangeset } from "../ports/changeset-store.ts";
import type { DocumentReader } from "../ports/document-reader.ts";
import { type FailPoint, WITH_FAIL_POINTS } from "../ports/fail-point.ts";
import type { Logger } from "../ports/logger.ts";
import type { KeptOutput, OutputPage, OutputStore } from "../ports/output-store.ts";
import type { PlanEngine } from "../ports/plan-engine.ts";
import type { TaskQuery, TaskRow } from "../ports/task-store.ts";
import type { GivenAnswer } from "../wire/ask.ts";
import { ownPlan, type PlanView } from "./access.ts";
import { type Choice, chooseChange, type Selection } from "./chosen-change.ts";
import { endedWords } from "./ended-words.ts";
import { planOfAlias } from "./plan-alias.ts";
import { type ApplyAsked, apply, offered, rehearse } from "./plan-applying.ts";
import { type ChildView, childViews } from "./plan-children.ts";
import { type ContinuationRequest, continued } from "./plan-continuing.ts";
import { createPlan, type PlanCreationDeps, type UseRequest } from "./plan-creation.ts";
import { type CreateRequest, createOneOff } from "./plan-one-off.ts";
import { keptOutputs, type OutputAsked, outputPage } from "./plan-outputs.ts";
import { revert } from "./plan-reverting.ts";
import { createRollback } from "./plan-rollback.ts";
import type { StepSources } from "./resolved-steps.ts";
import { until } from "./waiting.ts";

export interface PlanServiceDeps extends PlanCreationDeps {
  readonly changesets: ChangesetStore;
  readonly engine: Pick<PlanEngine, "start">;
  readonly canceller: Pick<PlanCanceller, "cancel">;
  readonly documents: DocumentReader;
  /** What steps that come with a request can be besides files and commands. */
  readonly tools?: StepSources["tools"];
  readonly skills?: StepSources["skills"];
  readonly asks: AskService;
  readonly places: Pick<PlanPlaces, "positionOf" | "places">;
  readonly logger: Logger;
  readonly outputs?: OutputStore | undefined;
  readonly failPoint?: FailPoint | undefined;
}

/** A plan's place in the line of those that wait to be carried out; without a position where another process has it. */
export interface QueueView {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly position?: number;
  /** How many plans are carried out at a time. */
  readonly places: number;
}

/** How long a call that lets a plan go on waits for it to have decided what it will do. */
const DECIDES_WITHIN_MS = 5000;

/**
 * Whether a plan is on its way to the first gate where it asks if it may begin. One that has asked before it decided is not: a call
 * that let it do so is not to let it be carried out as well when it comes twice.
 */
function mayAskToStart(state: TaskRow["state"], plan: Plan): boolean {
  if (state !== "working" || plan.stage.phase !== "strategize" || plan.parent !== undefined) return false;
  const passes = (gate: Gate) => proceeds(profileOf(plan), gate, 0);
  return passes(PHASE_GATE.strategize) && !passes(PHASE_GATE.execute);
}

/** What can be done with plans. Every method sees the caller's own plans only. */
export class PlanService {
  readonly #deps: PlanServiceDeps;

  constructor(deps: PlanServiceDeps) {
    this.#deps = deps;
  }

  /** Makes a plan and queues it; how far it goes by itself is its profile's to say. */
  async use(principal: Principal, request: UseRequest): Promise<Plan> {
    const plan = await createPlan(this.#deps, principal, request);
    if (WITH_FAIL_POINTS) this.#deps.failPoint?.("service.use.created");
    await this.#start(plan);
    if (WITH_FAIL_POINTS) this.#deps.failPoint?.("service.use.queued");
    return plan;
  }

  /** Whole outputs of its commands that were too long for its log; a page of one where that is asked for. */
  async outputs(
    principal: Principal,
    planId: string,
    asked?: OutputAsked,
  ): Promise<{ readonly kept: readonly KeptOutput[]; readonly page?: OutputPage }> {
    const { plan } = await this.find(principal, planId);
    const kept = await keptOutputs(this.#deps, plan);
    return asked === undefined ? { kept } : { kept, page: await outputPage(this.#deps, plan, asked) };
  }

  /** Makes a plan of steps that came with the request; the same request again, by the caller's id, is the same plan. */
  async create(principal: Principal, request: CreateRequest): Promise<Plan> {
    return createOneOff(this.#deps, principal, request, (use) => this.use(principal, use));
  }

  /** The plan that a caller has given an id of its own. */
  async named(principal: Principal, alias: string): Promise<string | undefined> {
    return planOfAlias(this.#deps.store, principal, alias);
  }

  async find(principal: Principal, planId: string): Promise<PlanView> {
    return ownPlan(this.#deps.store, principal, planId);
  }

  /**
   * Lets a plan go on: starts what waits to be started, tries again what failed. One that is about to ask for the first time whether
   * it shall begin is waited for a while. `already` if there was nothing to do.
   */
  async execute(
    principal: Principal,
    planId: string,
    signal: AbortSignal,
    timeoutMs?: number,
  ): Promise<{ plan: Plan; already: boolean; askedAt: number }> {
    const { store, asks, clock } = this.#deps;
    const askedAt = clock.now();
    let { row, plan } = await this.find(principal, planId);
    if (plan.stage.state === "applied") return { plan, already: true, askedAt };
    if (isFinalStage(plan.stage)) throw new PlanStateError(planId, plan.stage, endedWords(plan));
    if (row.state === "submitted") {
      // Just made: it may be about to ask whether it shall start, which is what this call answers.
      const seen = await until(store, planId, signal, (now) => now.state !== "submitted");
      if (seen !== undefined) ({ row, plan } = { row: seen, plan: planOf(seen) });
    }
    if (mayAskToStart(row.state, plan)) {
      // The same while it decides what to do. Who decides for long is not waited for: then it is asked for later.
      const within = AbortSignal.any([signal, AbortSignal.timeout(DECIDES_WITHIN_MS)]);
      const seen = await until(store, planId, within, (now) => !mayAskToStart(now.state, planOf(now)));
      if (seen !== undefined) ({ row, plan } = { row: seen, plan: planOf(seen) });
    }
    const open = isInterrupted(row.state) ? plan.open : undefined;
    if (open === undefined || (open.kind !== "start" && open.kind !== "retry"))
      return { plan, already: true, askedAt };
    const choice = open.kind === "start" ? "yes" : "retry";
    const details = timeoutMs === undefined ? {} : { details: { timeout_ms: timeoutMs } };
    await asks.answer(row, { request: open, choice, ...details }, principal.id);
    const taken = await until(store, planId, signal, (now) => planOf(now).open?.requestId !== open.requestId);
    return { plan: taken === undefined ? plan : planOf(taken), already: false, askedAt };
  }

  /** The changeset that a plan offers. Throws `PlanStateError` while there is none. */
  async changeset(
    principal: Principal,
    planId: string,
  ): Promise<PlanView & { readonly stored: StoredChangeset }> {
    const { row, plan } = await this.find(principal, planId);
    return { row, plan, stored: await offered(this.#deps, plan) };
  }

  /** The part of the offered changeset that a selection means, with the digest that approves it. */
  async selected(principal: Principal, planId: string, selection: Selection): Promise<PlanView & Choice> {
    const view = await this.find(principal, planId);
    const { stage } = view.plan;
    if (view.plan.open?.kind !== "apply")
      throw new PlanStateError(
        planId,
        stage,
        "parts of its changes can be chosen while they wait to be applied",
      );
    return { ...view, ...(await chooseChange(this.#deps, view.plan, selection)) };
  }

  /** What was left out when a part of the changes was applied. */
  async leftOut(
    principal: Principal,
    planId: string,
  ): Promise<PlanView & { readonly stored: StoredChangeset }> {
    const view = await this.find(principal, planId);
    const { changeset, stage } = view.plan;
    const stored =
      changeset?.leftOut === undefined
        ? undefined
        : await this.#deps.changesets.get(changeset.leftOut.digest);
    if (stored === undefined) throw new PlanStateError(planId, stage, "nothing of its changes was left out");
    return { ...view, stored };
  }

  /** See {@link continued}. */
  async continued(principal: Principal, before: Plan, request: ContinuationRequest): Promise<Plan> {
    const { store, ids } = this.#deps;
    const use = (who: Principal, wanted: UseRequest) => this.use(who, wanted);
    return continued({ store, ids, use }, principal, before, request);
  }

  /** See {@link rehearse}. */
  async rehearse(principal: Principal, planId: string, request: ApplyAsked): ReturnType<typeof rehearse> {
    return rehearse(this.#deps, principal, planId, request);
  }

  /** See {@link apply}. */
  async apply(
    principal: Principal,
    planId: string,
    request: ApplyAsked,
    signal: AbortSignal,
  ): ReturnType<typeof apply> {
    return apply(this.#deps, principal, planId, request, signal);
  }

  /** See {@link revert}. */
  async revert(
    principal: Principal,
    planId: string,
    request: Parameters<typeof revert>[3],
    signal: AbortSignal,
  ): Promise<Plan> {
    return revert(this.#deps, principal, planId, request, signal);
  }

  /** Makes the plan that undoes one that was applied; see {@link createRollback}. */
  async rollback(
    principal: Principal,
    planId: string,
    messageId?: string,
  ): ReturnType<typeof createRollback> {
    const { plan } = await this.find(principal, planId);
    const made = await createRollback(this.#deps, plan, messageId);
    await this.#start(made.plan);
    return made;
  }

  /** Answers what a plan asks; see {@link AskService}. */
  async answer(
    principal: Principal,
    planId: string,
    given: GivenAnswer,
    reject: boolean,
  ): Promise<{ plan: Plan; requestId: string; choice: string }> {
    const { row, plan } = await this.find(principal, planId);
    if (plan.open === undefined) {
      const { phase, state } = plan.stage;
      throw new ProtocolError("NothingOpen", {
        message: `The plan is ${phase}/${state} and asks nothing`,
        details: { plan_id: planId, phase, state },
      });
    }
    // A question has no yes to fall back on: it takes an option or a text, and says so.
    const fallback =
      plan.open.kind === "question" || plan.open.kind === "conflict" ? undefined : reject ? "no" : "yes";
    const choice = given.choice ?? fallback;
    const decision = this.#deps.asks.read(plan, choice === undefined ? given : { ...given, choice });
    await this.#deps.asks.answer(row, decision, principal.id);
    return { plan, requestId: decision.request.requestId, choice: decision.choice };
  }

  /** Where a plan stands among those that wait for a place; undefined where it waits for none. */
  queueOf({ planId, queuedSince, stage }: Plan): QueueView | undefined {
    if (queuedSince === undefined || isFinalStage(stage)) return undefined;
    const { places } = this.#deps;
    const position = places.positionOf(planId);
    return { since: queuedSince, places: places.places, ...(position === undefined ? {} : { position }) };
  }

  /** Sends guidance to a plan that works or waits. */
  async guide(row: TaskRow, message: Message, text: string): Promise<void> {
    await this.#deps.store.commit({
      taskId: row.taskId,
      expect: { states: [row.state] },
      inbox: { add: [{ key: `guide:${message.messageId}`, body: { text } }] },
      claimMessage: { principal: row.principal, messageId: message.messageId },
      events: [
        {
          key: `guide:${message.messageId}`,
          event: {
            type: "status",
            state: row.state,
            received: { ...message, taskId: row.taskId, contextId: row.contextId },
            domain: { name: "plan.guidance_queued" },
          },
        },
      ],
    });
  }

  /**
   * Ends a plan: durable at once, then what runs is stopped. Throws `PlanStateError` once it is final, and while its
   * changeset is being written, which must end one way or the other.
   */
  async cancel(principal: Principal, planId: string, reason: string | undefined): Promise<PlanView> {
    await this.#deps.canceller.cancel(() => this.find(principal, planId), reason);
    return this.find(principal, planId);
  }

  /** The plans that one has started, as they stand now. */
  async children(plan: Plan): Promise<readonly ChildView[]> {
    return childViews(this.#deps.store, plan);
  }

  /** The budgets that a plan shares with others, as they stand now. */
  async sharedBudgets(plan: Plan): Promise<readonly SharedBudget[]> {
    return sharedBudgets(this.#deps.store, plan, this.#deps.clock.now());
  }

  async list(query: TaskQuery): ReturnType<PlanCreationDeps["store"]["list"]> {
    return this.#deps.store.list({ ...query, kind: "plan" });
  }

  async #start({ planId }: Plan): Promise<void> {
    try {
      await this.#deps.engine.start({ taskId: planId, epoch: 1, part: 0 });
    } catch (error) {
      // The plan is there and the supervisor gives it its run; a caller who is told otherwise makes a second one.
      this.#deps.logger.error({ taskId: planId, error: String(error) }, "a plan's run was not queued");
    }
  }
}
