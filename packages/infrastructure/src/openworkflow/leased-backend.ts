import type { Logger } from "@cleveragents/application";
import type { Backend, WorkflowRun } from "openworkflow/internal";
import type { Lease } from "./lease.ts";
import type { Leases } from "./leases.ts";
import { overlay } from "./overlay.ts";
import { RunStoppedError } from "./run-stopped-error.ts";

/** OpenWorkflow fails a run at its 1,000th step attempt; the operator hears of it while there is time. */
const ATTEMPTS_ALARM = 800;

export interface LeasedBackendDeps {
  readonly backend: Backend;
  readonly leases: Leases;
  readonly logger: Logger;
  /** A place is free; `availableAt` is when the run wants to go on, if it does. */
  readonly onSettled: (availableAt: Date | null) => void;
}

interface Held {
  readonly workflowRunId: string;
  readonly workerId: string;
}

/**
 * The backend as OpenWorkflow's worker sees it: every claim is a lease of ours, and nothing is recorded for a run
 * that we do not hold. The calls that settle a run never reject, since the worker could only print it.
 */
export function leasedBackend({ backend, leases, logger, onSettled }: LeasedBackendDeps): Backend {
  const held = ({ workflowRunId, workerId }: Held): Lease => {
    const lease = leases.get(workflowRunId, workerId);
    if (lease === undefined) throw new RunStoppedError("lost");
    return lease;
  };

  const settle = async (of: Held, record: () => Promise<WorkflowRun>): Promise<WorkflowRun> => {
    const lease = held(of);
    let run = lease.run;
    if (lease.signal.aborted) {
      await leases.release(lease);
    } else {
      try {
        run = await record();
        if (run.status === "failed") logger.warn({ runId: run.id, error: run.error?.name }, "A run failed.");
      } catch (error) {
        logger.debug({ runId: run.id, error }, "The end of a pass was not recorded; it is played again.");
      }
    }
    leases.drop(lease);
    onSettled(run.availableAt);
    return run;
  };

  return overlay(backend, {
    claimWorkflowRun: ({ workerId }) => leases.claim(workerId),
    // The worker's own heart-beat; ours does the work.
    extendWorkflowRunLease: async (params) => held(params).run,

    async listStepAttempts(params) {
      const page = await backend.listStepAttempts(params);
      const lease = leases.of(params.workflowRunId).at(-1);
      if (lease !== undefined) lease.attempts += page.data.length;
      return page;
    },
    async createStepAttempt(params) {
      const lease = held(params);
      lease.assertMayBegin();
      const attempt = await backend.createStepAttempt(params);
      lease.attempts += 1;
      if (lease.attempts === ATTEMPTS_ALARM) {
        logger.warn(
          { runId: lease.run.id, attempts: ATTEMPTS_ALARM },
          "A run nears the limit of 1,000 steps.",
        );
      }
      return attempt;
    },
    async completeStepAttempt(params) {
      held(params).assertMayRecordResult();
      return backend.completeStepAttempt(params);
    },
    async failStepAttempt(params) {
      // A step that throws because it was stopped has not failed.
      held(params).assertMayBegin();
      return backend.failStepAttempt(params);
    },

    completeWorkflowRun: (params) => settle(params, () => backend.completeWorkflowRun(params)),
    failWorkflowRun: (params) => settle(params, () => backend.failWorkflowRun(params)),
    sleepWorkflowRun: (params) => settle(params, () => backend.sleepWorkflowRun(params)),
    rescheduleWorkflowRunAfterFailedStepAttempt: (params) =>
      settle(params, () => backend.rescheduleWorkflowRunAfterFailedStepAttempt(params)),
  });
}
