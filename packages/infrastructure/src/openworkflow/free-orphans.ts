import type { Backend, WorkflowRun } from "openworkflow/internal";

export interface FreedRuns {
  readonly freed: number;
  /** When the runs that sleep want to go on. */
  readonly wakeAt: readonly Date[];
}

/**
 * Frees the runs that a dead process holds, whose leases would otherwise have to run out. Only for a process that owns
 * the database alone: a living worker would lose its runs.
 */
export async function freeOrphans(backend: Backend): Promise<FreedRuns> {
  const running = await listRunning(backend);
  let freed = 0;
  for (const run of running) {
    if (run.workerId === null) continue;
    await backend.sleepWorkflowRun({
      workflowRunId: run.id,
      workerId: run.workerId,
      availableAt: new Date(),
    });
    freed += 1;
  }
  const wakeAt = running.flatMap((run) =>
    run.workerId === null && run.availableAt ? [run.availableAt] : [],
  );
  return { freed, wakeAt };
}

async function listRunning(backend: Backend): Promise<WorkflowRun[]> {
  const runs: WorkflowRun[] = [];
  let after: string | null = null;
  do {
    const page = await backend.listWorkflowRuns({
      status: "running",
      limit: 500,
      ...(after === null ? {} : { after }),
    });
    runs.push(...page.data);
    after = page.pagination.next;
  } while (after !== null);
  return runs;
}
