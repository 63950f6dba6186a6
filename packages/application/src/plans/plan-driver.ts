import {
  type AskAnswer,
  FencedError,
  IsolationError,
  isTerminal,
  type Plan,
  type PlanFailure,
  TaskNotFoundError,
  TaskStateError,
} from "@cleveragents/domain";
import { WITH_FAIL_POINTS } from "../ports/fail-point.ts";
import { ModelError } from "../ports/language-model.ts";
import type { PlanRun, PlanRunInput } from "../ports/plan-engine.ts";
import { storageErrorIn } from "../ports/storage-error.ts";
import { ToolError } from "../ports/tool-provider.ts";
import { WorkspaceError } from "../ports/workspace.ts";
import { ExpressionError } from "../script/expression.ts";
import { takeAnswer } from "./answering.ts";
import { apply, beginApply } from "./apply.ts";
import { CORRECTION, takeCorrection } from "./correcting.ts";
import { beginExecute, execute } from "./execute.ts";
import { fail } from "./failing.ts";
import { guardingOf } from "./guarding-call.ts";
import { planOf } from "./plan-document.ts";
import type { PlanPlaces } from "./plan-places.ts";
import { PlanWriter } from "./plan-writer.ts";
import { SharedBudgetUsedUpError, sharedBudgets } from "./shared-budgets.ts";
import { withStep } from "./step-progress.ts";
import { beginStrategize, leaveStrategize, strategize } from "./strategize.ts";
import { stepWithChildren } from "./subplans/tending.ts";
import { GUIDANCE, takeGuidance } from "./taking-guidance.ts";
import { takePlace } from "./taking-place.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";
import { whenLost } from "./when-lost.ts";

/** Turns of one engine run; the engine remembers a bounded number of steps per run, so long plans go on in further runs. */
const TURNS_PER_RUN = 400;
/**
 * How long a plan that waits for somebody sleeps at most. Wake-ups make it look at once, and the supervisor repeats
 * lost ones; many plans that look for themselves would keep an idle server busy.
 */
const WAIT_MS = 30 * 24 * 60 * 60 * 1000;

const STAGES: Readonly<Record<string, (deps: PlanDeps, turn: Turn) => Promise<TurnOutcome>>> = {
  "strategize/queued": beginStrategize,
  "strategize/processing": strategize,
  "strategize/complete": leaveStrategize,
  "execute/queued": beginExecute,
  "execute/processing": execute,
  "apply/queued": beginApply,
  "apply/processing": apply,
};

/**
 * Carries plans out, turn by turn. All state is in the store: a turn reads the plan, does one thing, commits it. The
 * engine only leases, wakes and takes over, so a turn that was cut off is simply taken again.
 */
export class PlanDriver {
  readonly #deps: PlanDeps;
  readonly #startNext: (input: PlanRunInput) => Promise<string>;
  readonly #clean: (taskId: string) => Promise<void>;
  readonly #rest: (taskId: string) => Promise<void>;
  readonly #places: PlanPlaces;
  readonly #running = new Map<string, { readonly stop: AbortController; readonly ended: Promise<unknown> }>();

  constructor(
    deps: PlanDeps & {
      /** Queues the run that a long plan goes on in. */
      readonly startNext: (input: PlanRunInput) => Promise<string>;
      /** Called once a plan is over. */
      readonly clean: (taskId: string) => Promise<void>;
      /** Called when a plan waits for somebody. */
      readonly rest?: (taskId: string) => Promise<void>;
      readonly places: PlanPlaces;
    },
  ) {
    this.#deps = deps;
    this.#startNext = deps.startNext;
    this.#clean = deps.clean;
    this.#rest = deps.rest ?? (async () => undefined);
    this.#places = deps.places;
  }

  /** The workflow that the engine runs. */
  readonly workflow = async (run: PlanRun): Promise<void> => {
    const { taskId, part } = run.input;
    let begun: Promise<number | undefined> | undefined;
    const begin = () => (begun ??= this.#begin(run));
    const clean = () =>
      run.step("clean", async () => {
        await this.#clean(taskId);
        return null;
      });
    // A plan that was cancelled before its run could claim it may have a sandbox of an earlier run.
    if (!(await run.step("claim", () => this.#claim(run)))) return void (await clean());
    for (let n = 0; n < TURNS_PER_RUN; n++) {
      const outcome = await run.step(`turn:${n}`, () => this.#turn(run, begin));
      if (outcome === "done") return void (await clean());
      if (outcome === "wait") {
        await this.#rest(taskId);
        await run.waitForInput(`wait:${n}`, WAIT_MS);
      }
      if (typeof outcome === "object") {
        const ms = outcome.until - this.#deps.clock.now();
        await run.waitForInput(`wait:${n}`, Math.max(0, ms));
      }
    }
    await run.step("next", async () => {
      const epoch = await begin();
      // The next run may be another process's.
      this.#places.leave(taskId);
      return epoch === undefined ? null : this.#startNext({ taskId, epoch, part: part + 1 });
    });
  };

  /**
   * Stops what runs of a plan in this process; resolves when it has stopped, or after `graceMs`. False if nothing ran
   * here; another process hears of it from the store.
   */
  async stop(taskId: string, graceMs = 5000): Promise<boolean> {
    const running = this.#running.get(taskId);
    if (running === undefined) this.#places.leave(taskId);
    if (running === undefined) return false;
    running.stop.abort();
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([running.ended, new Promise((resolve) => (timer = setTimeout(resolve, graceMs)))]);
    clearTimeout(timer);
    return true;
  }

  /** One run per epoch: whoever writes its id first has it. */
  async #claim(run: PlanRun): Promise<boolean> {
    const { taskId, epoch, part } = run.input;
    try {
      await this.#deps.store.commit({
        taskId,
        expect: part === 0 ? { epoch, runId: null } : { epoch },
        runId: run.runId,
      });
      if (WITH_FAIL_POINTS) this.#deps.failPoint?.("plan.claimed");
      return true;
    } catch (error) {
      if (!isStale(error)) throw error;
      return (await this.#deps.store.load(taskId))?.runId === run.runId;
    }
  }

  /**
   * A pass of a run writes under an epoch of its own. Whoever had the run before and has not heard yet that it was
   * taken over, since it stood still or was cut off, can then write nothing more. Undefined when the plan is over or
   * has another run.
   */
  async #begin(run: PlanRun): Promise<number | undefined> {
    const { taskId } = run.input;
    const row = await this.#deps.store.load(taskId);
    run.signal.throwIfAborted();
    // It ended while nobody worked on it, and somebody may still not know.
    if (row !== undefined && isTerminal(row.state)) await this.#deps.takeOver?.(taskId);
    if (row === undefined || row.runId !== run.runId || isTerminal(row.state)) return undefined;
    const { epoch } = await this.#deps.store.commit({
      taskId,
      expect: { epoch: row.epoch, runId: run.runId },
      bumpEpoch: true,
      // A new epoch is nobody's unless it is said whose.
      runId: run.runId,
    });
    await this.#deps.takeOver?.(taskId);
    return epoch;
  }

  async #turn(run: PlanRun, begin: () => Promise<number | undefined>): Promise<TurnOutcome> {
    const { signal: runSignal, runId } = run;
    const { taskId } = run.input;
    const epoch = await begin();
    if (epoch === undefined) {
      this.#places.leave(taskId);
      return "done";
    }
    const stop = new AbortController();
    const unwatch = whenLost(this.#deps.store, taskId, epoch, () => stop.abort());
    const signal = AbortSignal.any([stop.signal, runSignal]);
    const work = this.#take(taskId, epoch, signal);
    this.#running.set(taskId, { stop, ended: work.catch(() => undefined) });
    this.#places.works(taskId, true);
    let goesOn = false;
    try {
      const outcome = await work;
      goesOn = outcome === "continue" && !runSignal.aborted;
      // Cut off by the engine and not by a cancellation: nothing may be remembered of this turn, it is taken again.
      if (runSignal.aborted) throw runSignal.reason;
      return outcome;
    } catch (error) {
      if (!isStale(error)) throw error;
      const row = await this.#deps.store.load(taskId);
      // The run is still the plan's: another pass of it has begun, and whichever of the two has the lease goes on.
      if (row !== undefined && row.runId === runId && !isTerminal(row.state)) throw error;
      return "done";
    } finally {
      unwatch();
      this.#running.delete(taskId);
      this.#places.works(taskId, false);
      // Whoever stands in line is called when it is their turn, and has nothing to give up.
      if (!goesOn && this.#places.positionOf(taskId) === undefined) this.#places.leave(taskId);
    }
  }

  async #take(taskId: string, epoch: number, signal: AbortSignal): Promise<TurnOutcome> {
    const { store } = this.#deps;
    const row = await store.load(taskId);
    if (row === undefined || row.epoch !== epoch || isTerminal(row.state)) return "done";
    if (WITH_FAIL_POINTS) this.#deps.failPoint?.("plan.turn.read");
    const stored = planOf(row);
    const found = await this.#withShared(stored);
    const inbox = await store.inbox(taskId);
    const writer = new PlanWriter(store, epoch, { plan: stored, clock: this.#deps.clock });
    const placed = needsPlace(found)
      ? await takePlace(this.#deps, this.#places, { plan: found, writer })
      : found;
    const plan = placed ?? found;
    const turn: Turn = { plan, writer, inbox, signal };
    const answered = inbox.some(({ key }) => key === `answer:${plan.open?.requestId}`);
    const correction = inbox.find(({ key }) => key.startsWith(CORRECTION));
    if (correction !== undefined && !answered) return takeCorrection(this.#deps, turn, correction);
    // Before guidance, which waits for the answer: nothing may follow the question in the log while it is open.
    if (plan.open !== undefined) {
      const key = `answer:${plan.open.requestId}`;
      const entry = inbox.find((candidate) => candidate.key === key);
      return entry === undefined
        ? "wait"
        : takeAnswer(this.#deps, turn, plan.open, key, entry.body as unknown as AskAnswer);
    }
    const guidance = inbox.filter((entry) => entry.key.startsWith(GUIDANCE));
    if (guidance.length > 0) return takeGuidance(this.#deps, turn, guidance);
    const work = STAGES[`${plan.stage.phase}/${plan.stage.state}`];
    if (work === undefined || placed === undefined) return "wait";
    try {
      return await work(this.#deps, turn);
    } catch (error) {
      if (isStale(error) || signal.aborted) throw error;
      // Taken again it finds the budget used up, and asks.
      if (error instanceof SharedBudgetUsedUpError) return "continue";
      return this.#failed(turn, error);
    }
  }

  async #withShared(plan: Plan): Promise<Plan> {
    if (plan.accounts === undefined) return plan;
    const shared = await sharedBudgets(this.#deps.store, plan, this.#deps.clock.now());
    return { ...plan, guarding: { ...guardingOf(plan), shared } };
  }

  /** What the turn had committed before it failed stands: a step that has begun may have had its effect. */
  async #failed(turn: Turn, error: unknown): Promise<TurnOutcome> {
    const failure = this.#failureOf(turn, error);
    const row = await this.#deps.store.load(turn.plan.planId);
    const plan = row === undefined ? turn.plan : planOf(row);
    const step = plan.steps.find((candidate) => candidate.status === "running");
    if (step === undefined) return fail(this.#deps, turn, plan, failure);
    const stopped = withStep(plan, { ...step, status: "failed", detail: failure.message });
    return fail(this.#deps, turn, stopped, { ...failure, step: step.index });
  }

  #failureOf({ plan }: Turn, error: unknown): PlanFailure {
    if (error instanceof ExpressionError)
      return { reason: "SCRIPT_EXPRESSION", message: error.message, recoverable: false };
    if (error instanceof WorkspaceError)
      return { reason: error.reason, message: error.message, recoverable: true };
    // Language servers that are bound and not there: of calls, tools' failures are told where they are made.
    if (error instanceof ToolError)
      return { reason: error.reason, message: error.message, recoverable: true };
    if (error instanceof ModelError)
      return { reason: error.reason, message: error.message, recoverable: true };
    if (error instanceof IsolationError)
      return { reason: "ISOLATION_UNAVAILABLE", message: error.message, recoverable: true };
    const storage = storageErrorIn(error);
    if (storage !== undefined) return { reason: storage.reason, message: storage.summary, recoverable: true };
    // A mistake of ours must neither hang the plan nor end it: the log has the cause, the user may try again.
    this.#deps.logger.error(
      { taskId: plan.planId, error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      "a plan's turn failed",
    );
    return {
      reason: "INTERNAL_ERROR",
      message: "something went wrong inside the agent",
      recoverable: true,
    };
  }
}

/** Carrying out takes long; everything else a plan does at once. */
function needsPlace(plan: Plan): boolean {
  const { stage, open } = plan;
  return (
    open === undefined &&
    // While its subplans are carried out it only looks after them, and they have places of their own.
    stepWithChildren(plan) === undefined &&
    stage.phase === "execute" &&
    (stage.state === "queued" || stage.state === "processing")
  );
}

/** The plan has gone on without this worker: cancelled, taken over, or finished. */
function isStale(error: unknown): boolean {
  return (
    error instanceof FencedError || error instanceof TaskStateError || error instanceof TaskNotFoundError
  );
}
