import type { PromptName, Prompts } from "../../ports/prompts.ts";
import { CONVERSATION, CONVERSATION_COMPACT } from "./conversation.ts";
import { EXECUTION, EXECUTION_COMPACT } from "./execution.ts";
import { STRATEGY, STRATEGY_COMPACT } from "./strategy.ts";

const FULL: Readonly<Record<PromptName, string>> = {
  strategy: STRATEGY,
  execution: EXECUTION,
  conversation: CONVERSATION,
};

/** For models that forget the beginning of a long text. */
const COMPACT: Partial<Record<PromptName, string>> = {
  strategy: STRATEGY_COMPACT,
  execution: EXECUTION_COMPACT,
  conversation: CONVERSATION_COMPACT,
};

export const builtinPrompts: Prompts = {
  of: async (name, compact) => (compact ? COMPACT[name] : undefined) ?? FULL[name],
};
