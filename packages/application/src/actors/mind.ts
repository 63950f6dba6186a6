import {
  type ActorRole,
  type Conversation,
  type LlmActor,
  NEW_CONVERSATION,
  type Plan,
  type PlanSource,
  providerActor,
  type SaidCall,
} from "@cleveragents/domain";
import type { Models } from "../models/models.ts";
import type { CodeIntelligence } from "../ports/code-intelligence.ts";
import type { ContextFiles } from "../ports/context-files.ts";
import type { Prompts } from "../ports/prompts.ts";
import type { Brief } from "./compose-request.ts";
import { speakingNode } from "./graph-node.ts";
import type { OfferedTools } from "./offered-tools.ts";
import type { OwnTool } from "./take-answer.ts";
import { SHOWN } from "./tool-text.ts";

/** What `llm` actors of plans work with, besides what the plan's turns bring. */
export interface MindDeps {
  readonly models: Models;
  readonly prompts: Prompts;
  /** What is known of the code that they work on; nothing where it is absent. */
  readonly codeIntelligence?: Pick<CodeIntelligence, "activate" | "context"> | undefined;
  /** Reads what projects want models to be told; nothing is where it is absent. */
  readonly contextFiles?: ContextFiles | undefined;
}

export type MindRole = ActorRole;

/** The model of one plan in one phase, and all that it is told. */
export interface Mind {
  readonly role: MindRole;
  readonly actor: LlmActor;
  readonly brief: Brief;
  readonly offered: OfferedTools;
  readonly own: readonly OwnTool[];
  /** Paths that it is about; those that its calls name when absent. */
  readonly inPlay?: readonly string[];
}

/** Throws where the plan has no such actor: whoever asks has looked. */
export function actorOf(plan: Plan, role: MindRole): LlmActor {
  const speaking = speakingNode(plan, role);
  if (speaking !== undefined) return speaking.node.actor;
  const source = plan.sources?.[role] as PlanSource;
  // Of a graph a node calls a tool that has no model to ask: what is usual holds.
  if (source.kind === "graph") return providerActor(source.actor);
  return source.settings as unknown as LlmActor; // kept by `settingsOf` alone
}

export function conversationOf({ conversations, attempt }: Plan, role: MindRole): Conversation {
  return conversations?.[role] ?? { ...NEW_CONVERSATION, attempt };
}

export function withConversation(plan: Plan, role: MindRole, conversation: Conversation): Plan {
  return { ...plan, conversations: { ...plan.conversations, [role]: conversation } };
}

/** The conversation with a call of its last answers changed, the one of this id in the newest answer that has it. */
export function withCall(
  conversation: Conversation,
  isMeant: (call: SaidCall) => boolean,
  change: (call: SaidCall) => SaidCall,
): Conversation {
  return {
    ...conversation,
    turns: conversation.turns.map((turn) =>
      turn.calls.some(isMeant)
        ? { ...turn, calls: turn.calls.map((call) => (isMeant(call) ? change(call) : call)) }
        : turn,
    ),
  };
}

export function shownOf({ limits, compact }: LlmActor): number {
  return limits.tool_result ?? (compact ? SHOWN.compact : SHOWN.normal);
}
