import {
  type AskRequest,
  BaseDriftError,
  ChangesetRefusedError,
  type ChosenChange,
  DigestMismatchError,
  isFinalStage,
  type JsonObject,
  MAX_REVERSIONS,
  type Message,
  type Plan,
  PlanNotFoundError,
  PlanStateError,
  reversionProblem,
  type SharedBudget,
} from "@cleveragents/domain";
import { type Principal, ProtocolError } from "@cleveragents/protocol";
import type { AskService } from "../ask/ask-service.ts";
import { approvedChange } from "../plans/approved-change.ts";
import type { PlanCanceller } from "../plans/plan-canceller.ts";
import { isHere, planOf } from "../plans/plan-document.ts";
import type { PlanPlaces } from "../plans/plan-places.ts";
import { revertChoice } from "../plans/reverting.ts";
import { sharedBudgets } from "../plans/shared-budgets.ts";
import type { ChangesetStore, StoredChangeset } from "../ports/changeset-store.ts";
import type { DocumentReader } from "../ports/document-reader.ts";
import { type FailPoint, WITH_FAIL_POINTS } from "../ports/fail-point.ts";
import type { Logger } from "../ports/logger.ts";
import type { KeptOutput, OutputPage, OutputStore } from "../ports/output-store.ts";
import type { PlanEngine } from "../ports/plan-engine.ts";
import { MessageSeenError, type TaskQuery, type TaskRow } from "../ports/task-store.ts";
import type { GivenAnswer } from "../wire/ask.ts";
import { ownPlan } from "./access.ts";
import { assertSeen, type Choice, chooseChange, type Selection, selects } from "./chosen-change.ts";
import { assertKept, assertUnconstrained } from "./constrained.ts";
import { planOfAlias } from "./plan-alias.ts";
import { type ChildView, childViews } from "./plan-children.ts";
import { createPlan, type PlanCreationDeps, type UseRequest } from "./plan-creation.ts";
import { type CreateRequest, createOneOff } from "./plan-one-off.ts";
import { keptOutputs, type OutputAsked, outputPage } from "./plan-outputs.ts";
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

export interface PlanView {
  readonly row: TaskRow;
  readonly plan: Plan;
}

/** A plan's place in the line of those that wait to be carried out; without a position where another process has it. */
export interface QueueView {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly position?: number;
  /** How many plans are carried out at a time. */
  readonly places: number;
}

function reversionRefusal(plan: Plan, to: "strategize" | "execute"): string | undefined {
  if (plan.reverses !== undefined) return "it undoes another plan, and has no phases to go back to";
  switch (reversionProblem(plan.stage, to, plan.reversions ?? 0)) {
    case undefined:
      return undefined;
    case "final":
      return `it is ${plan.stage.state} for good; use the action again for a new plan`;
    case "running":
      return "it can be taken back when it waits or has stopped; cancel it to end it now";
    case "not begun":
      return "it has not begun";
    case "phase":
      return `there is no way back from ${plan.stage.phase} to ${to}`;
    case "limit":
      return `it was taken back ${MAX_REVERSIONS} times already; use the action again for a new plan`;
  }
}

/** How a plan's changes are to be applied. A selection is approved by its own digest alone. */
export interface ApplyAsked extends Selection {
  readonly digest?: string | undefined;
  readonly branch?: string | undefined;
}

export interface ContinuationRequest {
  readonly text: string;
  /** What does the work; the plan's own action when absent. */
  readonly action?: { readonly name: string; readonly arguments: JsonObject } | undefined;
  readonly messageId?: string | undefined;
}

/** Before anything of the plan is looked at, so that a selection of an applied plan is compared with what was applied. */
function assertDigest(plan: Plan, { digest, ...request }: ApplyAsked): void {
  const applied = plan.stage.state === "applied";
  if (digest === undefined || plan.changeset === undefined || (selects(request) && !applied)) return;
  if (digest !== plan.changeset.digest)
    throw new DigestMismatchError(plan.planId, digest, plan.changeset.digest);
}

function notApplicable({ stage, parent }: Plan): string {
  if (isFinalStage(stage)) return `it is ${stage.state} for good`;
  return parent === undefined
    ? "it has no changeset to apply yet"
    : `what it changes becomes part of plan ${parent.planId}, and is applied with that`;
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
    try {
      await this.#deps.engine.start({ taskId: plan.planId, epoch: 1, part: 0 });
    } catch (error) {
      // The plan is there and the supervisor gives it its run; a caller who is told otherwise makes a second one.
      this.#deps.logger.error({ taskId: plan.planId, error: String(error) }, "a plan's run was not queued");
    }
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

  /**
   * Adds work to a plan that was applied: a new one in the same context, that refers to it and has the text as guidance.
   * The same message again is the same plan.
   */
  async continued(
    principal: Principal,
    before: Plan,
    { text, action, messageId = this.#deps.ids.next() }: ContinuationRequest,
  ): Promise<Plan> {
    const { planId, contextId, project, profile, stage } = before;
    if (stage.state !== "applied")
      throw new PlanStateError(planId, stage, `it is ${stage.state} for good; use the action again`);
    if (action === undefined && before.oneOff !== undefined)
      throw new PlanStateError(
        planId,
        stage,
        "it was made of steps of its own; name an action that does the rest",
      );
    try {
      return await this.use(principal, {
        action: action?.name ?? before.action,
        arguments: action?.arguments ?? before.arguments,
        project: project.name,
        profile: profile.name,
        guidance: [text],
        contextId,
        message: { messageId, role: "user", parts: [{ kind: "text", text }], referenceTaskIds: [planId] },
      });
    } catch (error) {
      if (!(error instanceof MessageSeenError)) throw error;
      const { plan } = await this.find(principal, error.taskId);
      if (plan.contextId !== contextId)
        throw new ProtocolError("InvalidParams", {
          violations: [{ field: "message_id", description: "this id belongs to another message" }],
        });
      return plan;
    }
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

  /** Lets a plan go on: starts what waits to be started, tries again what failed. `already` if there was nothing to do. */
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
    if (isFinalStage(plan.stage))
      throw new PlanStateError(
        planId,
        plan.stage,
        `it is ${plan.stage.state} for good; use the action again for a new plan`,
      );
    if (row.state === "submitted") {
      // Just made: it may be about to ask whether it shall start, which is what this call answers.
      const seen = await until(store, planId, signal, (now) => now.state !== "submitted");
      if (seen !== undefined) ({ row, plan } = { row: seen, plan: planOf(seen) });
    }
    const open = row.state === "input-required" ? plan.open : undefined;
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
    if (plan.changeset === undefined)
      throw new PlanStateError(planId, plan.stage, "it has no changes to show yet; execute it first");
    const stored = await this.#deps.changesets.get(plan.changeset.digest);
    if (stored === undefined) {
      const empty = { version: 1 as const, files: [], stats: plan.changeset.summary, risks: [] };
      return { row, plan, stored: { digest: plan.changeset.digest, changeset: empty, patch: "" } };
    }
    return { row, plan, stored };
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

  /** Verifies all that an apply would verify, and says what it would do; writes nothing. Throws what it would throw. */
  async rehearse(
    principal: Principal,
    planId: string,
    request: ApplyAsked,
  ): Promise<PlanView & { chosen?: ChosenChange; stored: StoredChangeset; done: readonly string[] }> {
    const { row, plan } = await this.find(principal, planId);
    assertDigest(plan, request);
    assertUnconstrained(plan);
    if (plan.open?.kind !== "apply")
      throw new PlanStateError(planId, plan.stage, "it has no changeset to apply now");
    if (!isHere(plan, this.#deps.host))
      throw new PlanStateError(planId, plan.stage, "its files are on another host; ask there");
    const choice = await this.#choose(plan, request);
    const change = await approvedChange(
      this.#deps.workspace,
      choice === undefined ? plan : { ...plan, chosen: choice.chosen },
    );
    const done = await this.#deps.workspace.check(change.target, change.request);
    const stored = choice?.stored ?? (await this.changeset(principal, planId)).stored;
    return { row, plan, stored, done, ...(choice === undefined ? {} : { chosen: choice.chosen }) };
  }

  /** Makes the plan that undoes one that was applied; see {@link createRollback}. */
  async rollback(principal: Principal, planId: string): Promise<Awaited<ReturnType<typeof createRollback>>> {
    const { plan } = await this.find(principal, planId);
    const made = await createRollback(this.#deps, plan);
    try {
      await this.#deps.engine.start({ taskId: made.plan.planId, epoch: 1, part: 0 });
    } catch (error) {
      this.#deps.logger.error(
        { taskId: made.plan.planId, error: String(error) },
        "a plan's run was not queued",
      );
    }
    return made;
  }

  /** What is to be applied in place of the offered changeset, if the request asks for that. */
  async #choose(plan: Plan, request: ApplyAsked): Promise<Choice | undefined> {
    const isPart = selects(request);
    if (!isPart && request.branch === undefined) return undefined;
    const choice = await chooseChange(this.#deps, plan, request, request.branch);
    if (isPart) assertSeen(plan.planId, request.digest, choice);
    assertKept(plan, choice.stored.changeset);
    return choice;
  }

  /**
   * Answers the gate before Apply with yes and waits for the outcome. Throws `DigestMismatchError`, `BaseDriftError`
   * or `ChangesetRefusedError` with nothing written. Applied already: nothing is done again.
   */
  async apply(
    principal: Principal,
    planId: string,
    request: ApplyAsked,
    signal: AbortSignal,
  ): Promise<{ view: PlanView; already: boolean }> {
    const { store } = this.#deps;
    const { row, plan } = await this.find(principal, planId);
    assertDigest(plan, request);
    if (plan.stage.state === "applied") return { view: { row, plan }, already: true };
    assertUnconstrained(plan);
    const open = plan.open;
    if (
      plan.stage.phase !== "apply" &&
      (open?.kind !== "apply" || (plan.sandbox ?? plan.reverses) === undefined)
    ) {
      throw new PlanStateError(planId, plan.stage, notApplicable(plan));
    }
    if (open !== undefined && row.state === "input-required") {
      try {
        await this.#approve(principal, row, plan, open, request);
      } catch (error) {
        // Answered by somebody else meanwhile: what became of the plan counts, not how the files look by now.
        const now = await this.find(principal, planId);
        if (now.row.state === "input-required" && now.plan.open?.requestId === open.requestId) throw error;
      }
    }
    const settled = await until(store, planId, signal, (now) => {
      const then = planOf(now);
      return isFinalStage(then.stage) || (then.open !== undefined && then.open.requestId !== open?.requestId);
    });
    if (settled === undefined) return { view: { row, plan }, already: false };
    const after = planOf(settled);
    if (after.stage.state !== "applied") throw await this.#refusal(settled, after);
    return { view: { row: settled, plan: after }, already: false };
  }

  /** Yes to the gate before Apply, if the files are as they were, or once more to an apply that has failed. */
  async #approve(
    principal: Principal,
    row: TaskRow,
    plan: Plan,
    open: AskRequest,
    request: ApplyAsked,
  ): Promise<void> {
    const { workspace, asks } = this.#deps;
    if (open.kind !== "apply") {
      if (selects(request) || request.branch !== undefined)
        throw new PlanStateError(
          plan.planId,
          plan.stage,
          "it tries again what was approved, and nothing else",
        );
      await asks.answer(row, { request: open, choice: "retry" }, principal.id);
      return;
    }
    const choice = await this.#choose(plan, request);
    // Another host has the files; it looks at them itself before it writes.
    if (choice !== undefined) {
      const change = await approvedChange(workspace, { ...plan, chosen: choice.chosen });
      await workspace.check(change.target, change.request);
    } else if (isHere(plan, this.#deps.host)) {
      const { stored } = await this.changeset(principal, plan.planId);
      const drifted = await workspace.drift({ projectRoot: plan.project.path }, stored.changeset);
      if (drifted.length > 0) throw new BaseDriftError(plan.planId, drifted);
    }
    const chosen = choice === undefined ? {} : { chosen: choice.chosen };
    await asks.answer(row, { request: open, choice: "yes", ...chosen }, principal.id);
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

  /**
   * Takes a plan that waits for somebody back to the beginning of a phase, and waits until it is there. Throws
   * `PlanStateError` where that is not possible, or was done too often; another answer that came first stands.
   */
  async revert(
    principal: Principal,
    planId: string,
    request: { readonly to?: "strategize" | "execute" | undefined; readonly reason?: string | undefined },
    signal: AbortSignal,
  ): Promise<Plan> {
    const { row, plan } = await this.find(principal, planId);
    const to = request.to ?? "strategize";
    const why = reversionRefusal(plan, to);
    if (why !== undefined) throw new PlanStateError(planId, plan.stage, why);
    const open = plan.open;
    if (open === undefined || row.state !== "input-required")
      throw new PlanStateError(planId, plan.stage, "it is about to go on; look at it again");
    const answer = { request: open, choice: revertChoice(to) };
    await this.#deps.asks.answer(
      row,
      request.reason === undefined ? answer : { ...answer, text: request.reason },
      principal.id,
    );
    const taken = await until(
      this.#deps.store,
      planId,
      signal,
      (now) => planOf(now).open?.requestId !== open.requestId,
    );
    return taken === undefined ? plan : planOf(taken);
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

  /** What went wrong with an apply, as the error that a caller can act on. */
  async #refusal(row: TaskRow, plan: Plan): Promise<Error> {
    const { workspace } = this.#deps;
    const reason = plan.failure?.reason;
    if (reason === "PLAN_BASE_DRIFT" && plan.changeset !== undefined && isHere(plan, this.#deps.host)) {
      const stored = await this.#deps.changesets.get(plan.changeset.digest);
      const project = { projectRoot: plan.project.path };
      return new BaseDriftError(
        plan.planId,
        stored === undefined ? [] : await workspace.drift(project, stored.changeset),
      );
    }
    const refused = plan.failure?.refused;
    if (refused !== undefined) return new ChangesetRefusedError(plan.planId, refused.path, refused.why);
    if (plan.stage.state === "cancelled")
      return new PlanStateError(plan.planId, plan.stage, "it was cancelled");
    if (row.kind !== "plan") return new PlanNotFoundError(plan.planId);
    return new PlanStateError(plan.planId, plan.stage, plan.failure?.message ?? "it was not applied");
  }
}
