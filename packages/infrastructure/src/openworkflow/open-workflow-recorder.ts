import { type FailPoint, WITH_FAIL_POINTS } from "@cleveragents/application";
import type { JsonValue } from "@cleveragents/domain";
import type { Lease } from "./lease.ts";
import { type PassRecorder, RetryLater, StepFailed, Suspended } from "./pass-recorder.ts";
import { RunStoppedError } from "./run-stopped-error.ts";

/** The part of OpenWorkflow's step API that we use; it exports no name for it. */
export interface StepApi {
  run<T>(
    config: {
      readonly name: string;
      readonly retryPolicy: {
        readonly initialInterval: `${number}ms`;
        readonly backoffCoefficient: number;
        readonly maximumInterval: `${number}ms`;
        readonly maximumAttempts: number;
      };
    },
    step: () => Promise<T>,
  ): Promise<T>;
  waitForSignal(options: {
    readonly name: string;
    readonly signal: string;
    readonly timeout: number;
  }): Promise<unknown>;
}

export interface OpenWorkflowRecorderDeps {
  readonly step: StepApi;
  readonly lease: Lease;
  readonly signalName: string;
  readonly retryDelayMs: number;
  readonly failPoint?: FailPoint | undefined;
}

const LONGEST_RETRY_DELAY_MS = 30_000;
/** Dates have an end; nobody waits longer. */
const LONGEST_WAIT_MS = 365 * 24 * 60 * 60 * 1000;

/** Steps and waits on OpenWorkflow. It tells what became of them by errors that it does not export, known by name. */
export class OpenWorkflowRecorder implements PassRecorder {
  readonly #deps: OpenWorkflowRecorderDeps;

  constructor(deps: OpenWorkflowRecorderDeps) {
    this.#deps = deps;
  }

  async step(name: string, attempts: number, run: () => Promise<JsonValue>): Promise<JsonValue> {
    const { step, retryDelayMs, failPoint } = this.#deps;
    try {
      const result = await step.run(
        {
          name,
          retryPolicy: {
            initialInterval: `${retryDelayMs}ms`,
            backoffCoefficient: 2,
            maximumInterval: `${LONGEST_RETRY_DELAY_MS}ms`,
            maximumAttempts: attempts,
          },
        },
        async () => {
          const returned = await run();
          if (WITH_FAIL_POINTS) failPoint?.("engine.step.ran");
          return returned;
        },
      );
      if (WITH_FAIL_POINTS) failPoint?.("engine.step.recorded");
      return result;
    } catch (error) {
      if (named(error, "StepError") && "stepFailedAttempts" in error) {
        throw Number(error.stepFailedAttempts) < attempts
          ? new RetryLater(error)
          : new StepFailed(error, error.cause);
      }
      throw this.#unrecorded(error);
    }
  }

  async wait(name: string, timeoutMs: number): Promise<void> {
    const timeout = Math.min(Math.max(0, Number.isNaN(timeoutMs) ? 0 : timeoutMs), LONGEST_WAIT_MS);
    try {
      await this.#deps.step.waitForSignal({ name: `wait:${name}`, signal: this.#deps.signalName, timeout });
    } catch (error) {
      throw named(error, "SleepSignalError") ? new Suspended(error) : this.#unrecorded(error);
    }
  }

  /** The run has used up its steps, which ends it; or the record could not be made, which must not. */
  #unrecorded(error: unknown): unknown {
    if (!(error instanceof RunStoppedError) && !named(error, "StepLimitExceededError")) {
      this.#deps.lease.end("lost");
    }
    return error;
  }
}

function named(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name;
}
