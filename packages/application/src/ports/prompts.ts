import type { ActorRole } from "@cleveragents/domain";

/** What a model is told to be. */
export type PromptName = ActorRole | "conversation";

/** Where what models are told comes from; the operator may have put a text of their own in the place of ours. */
export interface Prompts {
  /** Read anew for each request. */
  of(name: PromptName, compact: boolean): Promise<string>;
}
