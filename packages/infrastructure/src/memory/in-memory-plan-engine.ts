import type { PlanEngine, PlanRunInput, PlanRunStatus, PlanWorkflow } from "@cleveragents/application";
import type { JsonValue } from "@cleveragents/domain";
import { type PassRecorder, RetryLater, StepFailed, Suspended } from "../openworkflow/pass-recorder.ts";
import { PlanRunPass } from "../openworkflow/plan-run-pass.ts";
import { RunStoppedError, type StopReason } from "../openworkflow/run-stopped-error.ts";

/** One engine's hold on one run. */
class Hold {
  readonly #abort = new AbortController();
  #over = false;

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Fires the signal; what a step in flight finishes may still be recorded. */
  drain(): void {
    this.#abort.abort(new RunStoppedError("closing"));
  }

  stop(reason: StopReason): void {
    this.#over = true;
    this.#abort.abort(new RunStoppedError(reason));
  }

  /** What a dead process does: nothing more. */
  vanish(): void {
    this.#over = true;
  }

  assertMayBegin(): void {
    this.#abort.signal.throwIfAborted();
    this.assertMayRecordResult();
  }

  assertMayRecordResult(): void {
    if (this.#over) throw new RunStoppedError("lost");
  }
}

interface RunRecord {
  readonly id: string;
  readonly input: PlanRunInput;
  readonly results: Map<string, JsonValue>;
  readonly failures: Map<string, number>;
  /** The waits that have begun and not ended. */
  readonly waits: Map<string, { readonly until: number; woken: boolean }>;
  ended: "completed" | "failed" | "canceled" | undefined;
  hold: Hold | undefined;
  availableAt: number;
}

/** What durable storage is to the other engines: give it to a second engine, and it goes on where the first stopped. */
export class InMemoryEngineState {
  readonly #runs = new Map<string, RunRecord>();
  readonly #listeners = new Set<() => void>();

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  add(input: PlanRunInput): RunRecord {
    const id = `run:${input.taskId}:${input.epoch}:${input.part}`;
    const known = this.#runs.get(id);
    if (known !== undefined) return known;
    const { taskId, epoch, part } = input;
    const run: RunRecord = {
      id,
      input: { taskId, epoch, part },
      results: new Map(),
      failures: new Map(),
      waits: new Map(),
      ended: undefined,
      hold: undefined,
      availableAt: Date.now(),
    };
    this.#runs.set(id, run);
    return run;
  }

  get(runId: string): RunRecord | undefined {
    return this.#runs.get(runId);
  }

  claim(hold: Hold): RunRecord | undefined {
    const now = Date.now();
    const run = this.#free().find((candidate) => candidate.availableAt <= now);
    if (run !== undefined) run.hold = hold;
    return run;
  }

  nextAvailableAt(): number {
    return Math.min(...this.#free().map((run) => run.availableAt));
  }

  wake(taskId: string): void {
    for (const run of this.#runs.values()) {
      if (run.input.taskId !== taskId || run.waits.size === 0) continue;
      for (const wait of run.waits.values()) wait.woken = true;
      run.availableAt = Date.now();
    }
    this.changed();
  }

  end(run: RunRecord, how: "completed" | "failed" | "canceled"): void {
    run.ended = how;
    run.hold = undefined;
  }

  release(run: RunRecord, availableAt: number): void {
    run.hold = undefined;
    run.availableAt = availableAt;
  }

  /** As if a worker elsewhere took the run and died `forMs` later. */
  takeAway(runId: string, forMs: number): void {
    const run = this.#runs.get(runId);
    if (run === undefined || run.ended !== undefined) return;
    run.hold?.stop("lost");
    const elsewhere = new Hold();
    run.hold = elsewhere;
    setTimeout(() => {
      if (run.hold !== elsewhere) return;
      this.release(run, Date.now());
      this.changed();
    }, forMs);
  }

  #free(): RunRecord[] {
    return [...this.#runs.values()].filter((run) => run.ended === undefined && run.hold === undefined);
  }
}

/** When a pass that did not end the run is played again; asked when it is over, since a signal may have come. */
interface Later {
  at(): number;
}

class InMemoryRecorder implements PassRecorder {
  readonly #run: RunRecord;
  readonly #hold: Hold;
  readonly #retryDelayMs: number;

  constructor(run: RunRecord, hold: Hold, retryDelayMs: number) {
    this.#run = run;
    this.#hold = hold;
    this.#retryDelayMs = retryDelayMs;
  }

  async step(name: string, attempts: number, run: () => Promise<JsonValue>): Promise<JsonValue> {
    const { results, failures } = this.#run;
    this.#hold.assertMayBegin();
    const known = results.get(name);
    if (known !== undefined) return structuredClone(known);
    try {
      const result = await run();
      this.#hold.assertMayRecordResult();
      results.set(name, structuredClone(result));
      return result;
    } catch (error) {
      this.#hold.assertMayBegin(); // a step that throws because it was stopped has not failed
      const failed = (failures.get(name) ?? 0) + 1;
      failures.set(name, failed);
      if (failed >= attempts) throw new StepFailed(error, error);
      const again = Date.now() + this.#retryDelayMs * 2 ** (failed - 1);
      throw new RetryLater({ at: () => again } satisfies Later);
    }
  }

  async wait(name: string, timeoutMs: number): Promise<void> {
    const { results, waits } = this.#run;
    const key = `wait:${name}`;
    if (results.has(key)) return;
    this.#hold.assertMayBegin();
    const wait = waits.get(key) ?? { until: Date.now() + timeoutMs, woken: false };
    waits.set(key, wait);
    if (!wait.woken && Date.now() < wait.until) {
      throw new Suspended({ at: () => (wait.woken ? 0 : wait.until) } satisfies Later);
    }
    waits.delete(key);
    results.set(key, null);
  }
}

export interface InMemoryPlanEngineDeps {
  readonly state?: InMemoryEngineState;
  readonly concurrency?: number;
  /** Pause before a step's second attempt; it doubles from there. */
  readonly retryDelayMs?: number;
}

/** The durable engine's semantics without the durability: runs live as long as their state object. */
export class InMemoryPlanEngine implements PlanEngine {
  readonly #state: InMemoryEngineState;
  readonly #concurrency: number;
  readonly #retryDelayMs: number;
  readonly #playing = new Map<Hold, { readonly run: RunRecord; readonly over: Promise<void> }>();
  #workflow: PlanWorkflow | undefined;
  #stopListening: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor({ state, concurrency = 4, retryDelayMs = 500 }: InMemoryPlanEngineDeps = {}) {
    this.#state = state ?? new InMemoryEngineState();
    this.#concurrency = concurrency;
    this.#retryDelayMs = retryDelayMs;
  }

  async open(workflow: PlanWorkflow): Promise<void> {
    if (this.#workflow !== undefined) throw new Error("The engine is open already.");
    this.#assertNotClosed();
    this.#workflow = workflow;
    this.#stopListening = this.#state.listen(() => this.#claim());
    this.#claim();
  }

  async start(input: PlanRunInput): Promise<string> {
    this.#assertNotClosed();
    const { id } = this.#state.add(input);
    this.#state.changed();
    return id;
  }

  async signal(taskId: string): Promise<void> {
    this.#assertNotClosed();
    this.#state.wake(taskId);
  }

  async cancel(runId: string): Promise<void> {
    this.#assertNotClosed();
    const run = this.#state.get(runId);
    if (run === undefined || run.ended !== undefined) return;
    const { hold } = run;
    this.#state.end(run, "canceled");
    hold?.stop("canceled");
  }

  async status(runId: string): Promise<PlanRunStatus | undefined> {
    this.#assertNotClosed();
    const run = this.#state.get(runId);
    if (run === undefined) return undefined;
    return run.ended ?? (run.hold === undefined ? "waiting" : "running");
  }

  async close(graceMs = 5_000): Promise<void> {
    this.#leave();
    for (const hold of this.#playing.keys()) hold.drain();
    await this.#settled(graceMs);
    for (const [hold, { run }] of this.#playing) {
      hold.stop("closing");
      if (run.hold === hold) this.#state.release(run, Date.now());
    }
    this.#state.changed();
  }

  /** Ends as by SIGKILL: no signal fires, nothing more is recorded, and the runs are free for another engine. */
  kill(): void {
    this.#leave();
    for (const [hold, { run }] of this.#playing) {
      hold.vanish();
      if (run.hold === hold) this.#state.release(run, Date.now());
    }
    this.#state.changed();
  }

  #leave(): void {
    this.#closed = true;
    this.#stopListening?.();
    clearTimeout(this.#timer);
  }

  #assertNotClosed(): void {
    if (this.#closed) throw new Error("The engine is closed.");
  }

  async #settled(atMostMs: number): Promise<void> {
    const timeOut = Promise.withResolvers<void>();
    const timer = setTimeout(timeOut.resolve, atMostMs);
    await Promise.race([Promise.all([...this.#playing.values()].map(({ over }) => over)), timeOut.promise]);
    clearTimeout(timer);
  }

  #claim(): void {
    if (this.#closed || this.#workflow === undefined) return;
    clearTimeout(this.#timer);
    while (this.#playing.size < this.#concurrency) {
      const hold = new Hold();
      const run = this.#state.claim(hold);
      if (run === undefined) break;
      const over = this.#play(run, hold, this.#workflow).finally(() => {
        this.#playing.delete(hold);
        this.#claim();
      });
      this.#playing.set(hold, { run, over });
    }
    const wait = this.#state.nextAvailableAt() - Date.now();
    // A busy engine looks again when a place is free; timers cannot reach further than 2^31 ms.
    if (this.#playing.size < this.#concurrency && wait < 2 ** 31) {
      this.#timer = setTimeout(() => this.#claim(), Math.max(0, wait));
    }
  }

  async #play(run: RunRecord, hold: Hold, workflow: PlanWorkflow): Promise<void> {
    const recorder = new InMemoryRecorder(run, hold, this.#retryDelayMs);
    const pass = new PlanRunPass({ runId: run.id, input: run.input, signal: hold.signal, recorder });
    const outcome: unknown = await pass.play(workflow).then(
      () => "completed",
      (error: unknown) => error,
    );
    if (run.hold !== hold) return; // cancelled, or with another engine by now
    if (hold.signal.aborted) this.#state.release(run, Date.now());
    else if (outcome === "completed") this.#state.end(run, "completed");
    else if (isLater(outcome)) this.#state.release(run, outcome.at());
    else this.#state.end(run, "failed");
  }
}

function isLater(outcome: unknown): outcome is Later {
  return typeof outcome === "object" && outcome !== null && !(outcome instanceof Error) && "at" in outcome;
}
