import { ACTOR_ROLES, type ActorRole, type Plan, type RemoteWork } from "@cleveragents/domain";
import type { NamedEvent } from "../plans/plan-writer.ts";
import type { WorkElsewhere } from "../plans/work-elsewhere.ts";
import type { RemoteNodes } from "../ports/remote-nodes.ts";
import { compact } from "../wire/message.ts";
import { graphOf, openNeed } from "./graph-node.ts";
import { rewoundGraph } from "./graph-rewinding.ts";
import { isOpen, stopWork } from "./remote-stopping.ts";
import type { RemoteDeps } from "./remote-turn.ts";
import { remoteActorOf, withWork } from "./remote-work.ts";

/** Work of agents elsewhere, for whole plans and for nodes of graphs, of plans that are taken back. */
export class WorkStopping implements WorkElsewhere {
  readonly #remote: RemoteDeps | undefined;
  readonly #nodes: readonly RemoteNodes[];

  constructor(deps: {
    readonly remote: RemoteDeps | undefined;
    readonly remoteNodes: readonly RemoteNodes[];
  }) {
    this.#remote = deps.remote;
    this.#nodes = deps.remoteNodes;
  }

  async undone(before: Plan, after: Plan, signal: AbortSignal) {
    let plan = after;
    const events: NamedEvent[] = [];
    for (const role of ACTOR_ROLES) {
      const stopped = await this.#work(before, role, after.attempt, signal);
      if (stopped !== undefined) {
        events.push(...stopped);
        const known = before.remotes?.[role] as RemoteWork; // it was stopped
        const { pending: _, asks: _a, answer: _n, abandoned: _b, ...work } = known;
        plan = withWork(plan, role, work);
      }
      events.push(...(await this.#node(before, after, role)));
      signal.throwIfAborted();
    }
    return { plan, events };
  }

  async #work(
    plan: Plan,
    role: ActorRole,
    attempt: number,
    signal: AbortSignal,
  ): Promise<readonly NamedEvent[] | undefined> {
    const work = plan.remotes?.[role];
    if (this.#remote === undefined || work === undefined || !isOpen(work)) return undefined;
    const actor = remoteActorOf(plan, role);
    const key = `remote:${plan.planId}-${role}-${work.said}:a${attempt}`;
    const data = { role, agent: actor.name };
    try {
      const places = await stopWork(this.#remote, actor, work, signal);
      return places.map((place, n) => ({
        key: `${key}:stopped:${n}`,
        name: "remote.stopped",
        data: compact({ ...data, task_id: place.taskId }),
      }));
    } catch (error) {
      signal.throwIfAborted();
      return [
        { key: `${key}:not_stopped`, name: "remote.not_stopped", data: { ...data, message: wordsOf(error) } },
      ];
    }
  }

  async #node(before: Plan, after: Plan, role: ActorRole): Promise<readonly NamedEvent[]> {
    const run = before.graphs?.[role];
    const need = run && openNeed(run);
    const node = need && graphOf(before, role)?.nodes[need.node];
    if (need?.callId === undefined || node?.kind !== "remote" || need.remote?.state === undefined) return [];
    const { callId, node: name } = need;
    const left = role === "execution" ? (rewoundGraph(after).graphs?.execution?.needs ?? []) : [];
    if (left.some((one) => one.callId === callId)) return [];
    const carrier = this.#nodes.find(({ kind }) => kind === node.of);
    const why = await carrier?.cancel?.({ callId, settings: node.settings, state: need.remote.state });
    const key = `${callId}:a${after.attempt}`;
    return why === undefined
      ? [{ key: `${key}:stopped`, name: "remote.stopped", data: { role, node: name } }]
      : [{ key: `${key}:not_stopped`, name: "remote.not_stopped", data: { role, node: name, message: why } }];
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error && error.name === "RemoteAgentError"
    ? error.message
    : "it could not be reached in time";
}
