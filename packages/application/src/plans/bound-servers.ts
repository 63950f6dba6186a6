import type { ActorRole, LspBinding, Plan } from "@cleveragents/domain";
import { speakingNode } from "../actors/graph-node.ts";
import type { ToolContext } from "../ports/tool-provider.ts";

/**
 * Which language servers the calls of a role may ask: those that its actor has bound, or the node of its graph that is
 * speaking. Scripts, and nodes that are one call of a tool, bind none and may ask all.
 */
export function boundServersOf(plan: Plan, role: ActorRole): Pick<ToolContext, "lsp"> {
  const speaking = speakingNode(plan, role)?.node.actor;
  const lsp = speaking === undefined ? plan.sources?.[role]?.settings["lsp"] : speaking.lsp;
  return lsp === undefined ? {} : { lsp: lsp as unknown as LspBinding }; // kept by the source that has read it
}
