import { setTimeout as delay } from "node:timers/promises";
import type { PlanRun, PlanRunInput, PlanWorkflow } from "@cleveragents/application";
import type { JsonValue } from "@cleveragents/domain";
import { type PassRecorder, RetryLater, StepFailed, Suspended } from "./pass-recorder.ts";

const DEFAULT_ATTEMPTS = 3;
/** A stopped run gives up its place after this long, even if a step ignores the signal. */
const ABANDON_AFTER_MS = 5_000;

export interface PlanRunPassDeps {
  readonly runId: string;
  readonly input: PlanRunInput;
  readonly signal: AbortSignal;
  readonly recorder: PassRecorder;
  readonly abandonAfterMs?: number;
}

/**
 * One call of the workflow for a run. The workflow is called again from its top after a wait, a retry or a crash, and
 * what it has finished is answered from the record. So code between the steps must have no effects of its own.
 *
 * - A call that has to wait, or whose step is tried again later, is left where it stands and never returned to: its
 *   `catch` and `finally` do not run. Only a step that failed for good and a stopped run reject.
 * - Steps may run beside each other. A wait, a retry and the end of the run come only after all of them have settled,
 *   so that no finished work is forgotten.
 * - A run that was stopped or that has failed does not end otherwise, whatever the workflow does then.
 */
export class PlanRunPass implements PlanRun {
  readonly runId: string;
  readonly input: PlanRunInput;
  readonly signal: AbortSignal;

  readonly #recorder: PassRecorder;
  readonly #abandonAfterMs: number;
  readonly #steps = new Map<string, Promise<JsonValue>>();
  readonly #waits = new Map<string, number>();
  readonly #inFlight = new Set<Promise<unknown>>();
  readonly #suspended = Promise.withResolvers<void>();
  #failure: { readonly error: unknown; readonly outcome: unknown } | undefined;
  #retry: RetryLater | undefined;
  #parked: Suspended | undefined;

  constructor(deps: PlanRunPassDeps) {
    this.runId = deps.runId;
    this.input = deps.input;
    this.signal = deps.signal;
    this.#recorder = deps.recorder;
    this.#abandonAfterMs = deps.abandonAfterMs ?? ABANDON_AFTER_MS;
  }

  step<T extends JsonValue>(
    name: string,
    run: () => Promise<T>,
    options?: { readonly attempts?: number },
  ): Promise<T> {
    let outcome = this.#steps.get(name);
    if (outcome === undefined) {
      const attempts = Math.max(1, Math.trunc(options?.attempts ?? DEFAULT_ATTEMPTS));
      outcome = this.#enter(() => this.#recorder.step(name, attempts, () => this.#runBody(run)));
      this.#steps.set(name, outcome);
    }
    return outcome as Promise<T>; // what is remembered under a name has the type that was put there
  }

  waitForInput(name: string, timeoutMs: number): Promise<void> {
    // Every wait is a wait of its own, also in a loop; the count makes its name the same in every pass.
    const count = (this.#waits.get(name) ?? 0) + 1;
    this.#waits.set(name, count);
    return this.#enter(() => this.#recorder.wait(count === 1 ? name : `${name}:${count}`, timeoutMs));
  }

  /** Calls the workflow. Resolves when the run is complete; rejects with what the engine must act on. */
  async play(workflow: PlanWorkflow): Promise<void> {
    const end: { returned: boolean; thrown?: { readonly error: unknown } } = { returned: false };
    const played = Promise.resolve()
      .then(() => workflow(this))
      .then(
        () => {
          end.returned = true;
        },
        (error: unknown) => {
          end.thrown = { error };
        },
      );
    const abandoned = this.#abandoned();
    await Promise.race([played, this.#suspended.promise, abandoned.promise]);
    while (this.#inFlight.size > 0 && !abandoned.now()) {
      await Promise.race([Promise.allSettled(this.#inFlight), abandoned.promise]);
    }
    abandoned.clear();

    this.signal.throwIfAborted();
    if (this.#failure !== undefined) throw this.#failure.outcome;
    if (end.thrown !== undefined) throw end.thrown.error;
    if (this.#retry !== undefined) throw this.#retry.outcome;
    if (this.#parked !== undefined && !end.returned) throw this.#parked.outcome;
  }

  async #runBody<T extends JsonValue>(run: () => Promise<T>): Promise<JsonValue> {
    this.signal.throwIfAborted();
    const result: unknown = await run();
    // Here, so that a result that is not JSON fails the step and not the record.
    return result === undefined ? null : (JSON.parse(JSON.stringify(result)) as JsonValue);
  }

  #enter<T>(begin: () => Promise<T>): Promise<T> {
    const outcome = this.#outcome(begin);
    // The workflow may have stopped listening; that must not become an unhandled rejection.
    outcome.catch(() => undefined);
    return outcome;
  }

  async #outcome<T>(begin: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#retry !== undefined || this.#parked !== undefined) return never();
    const flight = begin();
    this.#inFlight.add(flight);
    try {
      return await flight;
    } catch (error) {
      return this.#notContinued(error);
    } finally {
      this.#inFlight.delete(flight);
    }
  }

  #notContinued(error: unknown): Promise<never> {
    this.signal.throwIfAborted();
    if (error instanceof Suspended) {
      this.#parked = error;
    } else if (error instanceof RetryLater) {
      this.#retry = error;
    } else {
      const failed = error instanceof StepFailed;
      const shown = failed ? error.cause : error;
      this.#failure ??= { error: shown, outcome: failed ? error.outcome : error };
      throw shown;
    }
    this.#suspended.resolve();
    return never();
  }

  /** Settles some time after the signal fires, and `clear` forgets it. */
  #abandoned(): { promise: Promise<void>; now: () => boolean; clear: () => void } {
    const over = new AbortController();
    let gone = false;
    const { promise, resolve } = Promise.withResolvers<void>();
    const fired = (): void => {
      delay(this.#abandonAfterMs, undefined, { signal: over.signal }).then(
        () => {
          gone = true;
          resolve();
        },
        () => undefined,
      );
    };
    if (this.signal.aborted) fired();
    else this.signal.addEventListener("abort", fired, { once: true, signal: over.signal });
    return { promise, now: () => gone, clear: () => over.abort() };
  }
}

function never(): Promise<never> {
  return new Promise<never>(() => undefined);
}
