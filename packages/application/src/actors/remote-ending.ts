import type { Plan } from "@cleveragents/domain";
import type { Logger } from "../ports/logger.ts";
import { type RemoteDeps, stopped } from "./remote-turn.ts";
import { type RemoteRole, remoteActorOf } from "./remote-work.ts";

const ROLES: readonly RemoteRole[] = ["strategy", "execution"];
/** To reach somebody elsewhere who is to stop. */
const REACH_MS = 10_000;

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
    for (const role of ROLES) void this.#end(plan, role);
  }

  async #end(plan: Plan, role: RemoteRole): Promise<void> {
    const work = plan.remotes?.[role];
    if (work === undefined) return;
    const { pending, asks, place, abandoned } = work;
    if (pending === undefined && asks === undefined && abandoned === undefined) return;
    const { agents, logger } = this.#deps;
    try {
      const signal = AbortSignal.timeout(REACH_MS);
      const agent = await agents.open(remoteActorOf(plan, role), signal);
      if (abandoned !== undefined) await stopped(agent, abandoned);
      if (asks !== undefined) await stopped(agent, place);
      if (pending === undefined) return;
      // It may have been cut off while it was handed over.
      const taken = pending.taken ?? (await agent.find(pending.messageId, pending.place, signal));
      if (typeof taken === "object") await stopped(agent, taken);
    } catch (error) {
      logger.warn(
        { taskId: plan.planId, error: String(error) },
        "work elsewhere of a plan that is over was not stopped",
      );
    }
  }
}
