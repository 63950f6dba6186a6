import type { PromptName, Prompts } from "../../ports/prompts.ts";
import { CONVERSATION, CONVERSATION_COMPACT } from "./conversation.ts";
import { ESTIMATION, ESTIMATION_COMPACT } from "./estimation.ts";
import { EXECUTION, EXECUTION_COMPACT } from "./execution.ts";
import { INVARIANT, INVARIANT_COMPACT } from "./invariant.ts";
import { REVIEW, REVIEW_COMPACT } from "./review.ts";
import { STRATEGY, STRATEGY_COMPACT } from "./strategy.ts";

const FULL: Readonly<Record<PromptName, string>> = {
  strategy: STRATEGY,
  execution: EXECUTION,
  estimation: ESTIMATION,
  review: REVIEW,
  invariant: INVARIANT,
  conversation: CONVERSATION,
};

/** For models that forget the beginning of a long text. */
const COMPACT: Readonly<Record<PromptName, string>> = {
  strategy: STRATEGY_COMPACT,
  execution: EXECUTION_COMPACT,
  estimation: ESTIMATION_COMPACT,
  review: REVIEW_COMPACT,
  invariant: INVARIANT_COMPACT,
  conversation: CONVERSATION_COMPACT,
};

export const builtinPrompts: Prompts = {
  of: async (name, compact) => (compact ? COMPACT : FULL)[name],
};
