import type { Logger } from "@cleveragents/application";
import type { Agent } from "../assemble-agent.ts";

/** Whether an agent can take work on, and by which check not. The reason is for the log: anybody may ask. */
export async function readinessOf(
  agent: Pick<Agent, "check">,
  logger: Logger,
): Promise<{ readonly ready: boolean; readonly checks: Readonly<Record<string, string>> }> {
  try {
    await agent.check();
    return { ready: true, checks: { store: "ok" } };
  } catch (error) {
    logger.warn({ error: String(error) }, "not ready: the store does not answer");
    return { ready: false, checks: { store: "failing" } };
  }
}
