import { access } from "node:fs/promises";
import type { ProjectInspection, Workspace } from "@cleveragents/application";

/**
 * The workspace, which looks at a folder once as long as it is there: looking starts git seven times, and the
 * projects of the suites do not change their HEAD.
 */
export function withRememberedInspections(workspace: Workspace): Workspace {
  const known = new Map<string, Promise<ProjectInspection>>();
  return {
    async inspect(path) {
      await access(path).catch(() => known.delete(path));
      const inspection = known.get(path) ?? workspace.inspect(path);
      known.set(path, inspection);
      inspection.catch(() => known.delete(path));
      return inspection;
    },
    create: (...args) => workspace.create(...args),
    derive: (...args) => workspace.derive(...args),
    keep: (...args) => workspace.keep(...args),
    merge: (...args) => workspace.merge(...args),
    open: (...args) => workspace.open(...args),
    drift: (...args) => workspace.drift(...args),
    select: (...args) => workspace.select(...args),
    check: (...args) => workspace.check(...args),
    apply: (...args) => workspace.apply(...args),
    undo: (...args) => workspace.undo(...args),
    recover: () => workspace.recover(),
    holdings: () => workspace.holdings(),
    heldSince: (planId) => workspace.heldSince(planId),
    weigh: (planId) => workspace.weigh(planId),
    release: (planId) => workspace.release(planId),
    tidy: () => workspace.tidy(),
  };
}
