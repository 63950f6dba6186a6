import { RemoteAgentError, type RemoteFinding } from "@cleveragents/application";
import type { A2aActor } from "@cleveragents/domain";
import { findCard } from "./find-card.ts";
import type { Way } from "./remote-agents.ts";

/** What can be seen of an agent without giving it work: its card, and whether it lets this caller in. */
export async function probeA2a(
  actor: A2aActor,
  way: Way,
  signal: AbortSignal,
): Promise<readonly RemoteFinding[]> {
  const findings: RemoteFinding[] = [];
  try {
    const card = await findCard(actor, way, signal);
    findings.push({ probe: "card", verdict: "ok", detail: `${card.name} ${card.version}`.trim() });
    const [first] = card.supportedInterfaces;
    findings.push({
      probe: "interface",
      verdict: "ok",
      detail: `${first?.protocolBinding} of A2A ${first?.protocolVersion} at ${first?.url}`,
    });
    const streams = card.capabilities?.streaming === true;
    findings.push({
      probe: "streaming",
      verdict: streams ? "ok" : "lacking",
      detail: streams ? "it streams" : "it does not stream: it is asked again and again",
    });
    const { openA2aAgent } = await import("./a2a-agent.ts");
    const agent = await openA2aAgent(actor, way, signal);
    // A task that is none: whoever says so has let us in.
    const found = await agent.find("probe", { taskId: "00000000-0000-4000-8000-000000000000" }, signal);
    findings.push({
      probe: "access",
      verdict: "ok",
      detail: found === "unknown" ? "it lets this caller in" : "it answers",
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof RemoteAgentError)) throw error;
    const probe = ["card", "interface", "streaming", "access"][findings.length] ?? "access";
    findings.push({ probe, verdict: "failed", detail: error.message });
  }
  return findings;
}
