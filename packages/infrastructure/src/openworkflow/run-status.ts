import type { PlanRunStatus } from "@cleveragents/application";
import type { WorkflowRun } from "openworkflow/internal";

/** OpenWorkflow keeps a sleeping run as "running" without a worker; to us both that and a queued run are waiting. */
export function toPlanRunStatus(run: WorkflowRun): PlanRunStatus {
  switch (run.status) {
    case "pending":
    case "sleeping":
      return "waiting";
    case "running":
      return run.workerId === null ? "waiting" : "running";
    case "succeeded":
    case "completed":
      return "completed";
    case "failed":
      return "failed";
    case "canceled":
      return "canceled";
  }
}
