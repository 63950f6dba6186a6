import { ACTOR_ROLES, type Plan } from "@cleveragents/domain";
import type { GraphRuntime } from "../ports/graph-runtime.ts";
import type { Logger } from "../ports/logger.ts";
import type { RemoteNodes } from "../ports/remote-nodes.ts";
import { type GraphRole, graphOf, openNeed, threadOf } from "./graph-node.ts";

interface GraphEndingDeps {
  readonly graphs: GraphRuntime;
  readonly remoteNodes: readonly RemoteNodes[];
  readonly logger: Logger;
}

/** What is left to do for graphs of plans that are over: nothing works on for them elsewhere, and nothing of them is kept. */
export class GraphEnding {
  readonly #deps: GraphEndingDeps;
  readonly #done = new Set<string>();

  constructor(deps: GraphEndingDeps) {
    this.#deps = deps;
  }

  /** What cannot be removed is tried again when the plan is looked at again. */
  async afterEnd(plan: Plan): Promise<void> {
    if (plan.graphs === undefined || this.#done.has(plan.planId)) return;
    const { graphs, logger } = this.#deps;
    this.#done.add(plan.planId);
    try {
      for (const role of ACTOR_ROLES) {
        void this.#endElsewhere(plan, role);
        for (let run = 1; run <= (plan.graphs[role]?.run ?? 0); run++)
          await graphs.forget(threadOf(plan, role, { run }));
      }
    } catch (error) {
      this.#done.delete(plan.planId);
      logger.warn(
        { taskId: plan.planId, error: String(error) },
        "checkpoints of a graph could not be removed",
      );
    }
  }

  async #endElsewhere(plan: Plan, role: GraphRole): Promise<void> {
    const run = plan.graphs?.[role];
    const need = run && openNeed(run);
    const node = need && graphOf(plan, role)?.nodes[need.node];
    if (need?.callId === undefined || node?.kind !== "remote" || need.remote?.state === undefined) return;
    const carrier = this.#deps.remoteNodes.find(({ kind }) => kind === node.of);
    await carrier?.cancel?.({ callId: need.callId, settings: node.settings, state: need.remote.state });
  }
}
