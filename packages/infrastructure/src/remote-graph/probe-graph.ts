import { RemoteAgentError, type RemoteFinding } from "@cleveragents/application";
import type { RemoteGraphActor } from "@cleveragents/domain";
import type { Way } from "../a2a-agents/remote-agents.ts";
import { openClient } from "./graph-agent.ts";
import { FetchFailures } from "./graph-error.ts";

/** What can be seen of a graph without running it: its server, and whether that has it. */
export async function probeGraph(
  actor: RemoteGraphActor,
  way: Way,
  signal: AbortSignal,
): Promise<readonly RemoteFinding[]> {
  const failures = new FetchFailures();
  try {
    const client = await openClient(actor, way, failures);
    const [byGraph, all] = await Promise.all([
      client.assistants.search({ graphId: actor.graph_id, limit: 1, signal }),
      client.assistants.search({ limit: 20, signal }),
    ]);
    const names = [...new Set(all.map(({ graph_id }) => graph_id))].join(", ");
    const has = byGraph.length > 0 || all.some(({ assistant_id }) => assistant_id === actor.graph_id);
    return [
      {
        probe: "server",
        verdict: "ok",
        detail: `a LangGraph server answers at ${new URL(actor.url).origin}`,
      },
      has
        ? { probe: "graph", verdict: "ok", detail: `it has ${actor.graph_id}` }
        : {
            probe: "graph",
            verdict: "failed",
            detail: `it has no ${actor.graph_id}; it has ${names || "none"}`,
          },
    ];
  } catch (caught) {
    signal.throwIfAborted();
    const error = failures.explain(caught, signal);
    if (!(error instanceof RemoteAgentError)) throw error;
    return [{ probe: "server", verdict: "failed", detail: error.message }];
  }
}
