import { ACTOR_ROLES, type Plan } from "@cleveragents/domain";
import type { Logger } from "../ports/logger.ts";
import { isOpen, stopWork } from "./remote-stopping.ts";
import type { RemoteDeps } from "./remote-turn.ts";
import { type RemoteRole, remoteActorOf } from "./remote-work.ts";

/** Stops what is still done elsewhere for plans that are over. */
export class RemoteEnding {
  readonly #deps: RemoteDeps & { readonly logger: Logger };
  readonly #told = new Set<string>();

  constructor(deps: RemoteDeps & { readonly logger: Logger }) {
    this.#deps = deps;
  }

  /** Returns at once; whoever cannot be reached goes on over there, and is told again by another process at most. */
  afterEnd(plan: Plan): void {
    if (plan.remotes === undefined || this.#told.has(plan.planId)) return;
    this.#told.add(plan.planId);
    for (const role of ACTOR_ROLES) void this.#end(plan, role);
  }

  async #end(plan: Plan, role: RemoteRole): Promise<void> {
    const work = plan.remotes?.[role];
    if (work === undefined || !isOpen(work)) return;
    const { logger } = this.#deps;
    try {
      await stopWork(this.#deps, remoteActorOf(plan, role), work);
    } catch (error) {
      logger.warn(
        { taskId: plan.planId, error: String(error) },
        "work elsewhere of a plan that is over was not stopped",
      );
    }
  }
}
