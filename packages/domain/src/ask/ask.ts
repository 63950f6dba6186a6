import type { ChosenChange } from "../plan/plan.ts";
import type { JsonObject } from "../task/message.ts";

/**
 * `start`: may the plan go on to its next phase; `apply`: may this changeset be applied; `question`: a script asks;
 * `guard`: may this call be made; `budget`: may it use more; `conflict`: what becomes of files that do not go together.
 */
export type AskKind = "start" | "apply" | "question" | "retry" | "guard" | "budget" | "conflict";

export interface AskOption {
  readonly id: string;
  readonly label: string;
}

/** One thing a human is asked. A request is answered by exactly one decision. */
export interface AskRequest {
  readonly requestId: string;
  readonly planId: string;
  readonly kind: AskKind;
  readonly prompt: string;
  readonly options: readonly AskOption[];
  /** Whether any text answers it, beside the options. */
  readonly freeText: boolean;
  /** For `apply`: the changeset that would be applied. */
  readonly digest?: string;
  /** For `question`: the step that waits. */
  readonly step?: number;
  /** For `guard` and `budget`: what it is about. */
  readonly details?: JsonObject;
  /** It can only be answered by who has shown somebody else who they are. */
  readonly credential?: true;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt?: number;
}

export interface AskAnswer {
  readonly requestId: string;
  /** An option's id, or `text` for a free answer. */
  readonly choice: string;
  readonly text?: string;
  readonly by: string;
  readonly at: number;
  /** For `apply`: what was approved in place of the changeset that was offered. */
  readonly chosen?: ChosenChange;
  readonly details?: JsonObject;
}

/** The open request is another one, or there is none, or the choice is not among its options. */
export class AskMismatchError extends Error {
  override readonly name = "AskMismatchError";
  readonly planId: string;
  readonly why: string;
  readonly openRequestId: string | undefined;
  constructor(planId: string, why: string, openRequestId?: string) {
    super(why);
    this.planId = planId;
    this.why = why;
    this.openRequestId = openRequestId;
  }
}

const YES: ReadonlySet<string> = new Set([
  "yes",
  "y",
  "ok",
  "okay",
  "approve",
  "approved",
  "apply",
  "go",
  "proceed",
  "continue",
  "lgtm",
]);
const NO: ReadonlySet<string> = new Set([
  "no",
  "n",
  "reject",
  "rejected",
  "deny",
  "denied",
  "stop",
  "cancel",
  "abort",
  "decline",
  "declined",
]);
const SOFT: ReadonlySet<string> = new Set([
  "please",
  "it",
  "ahead",
  "with",
  "the",
  "apply",
  "phase",
  "changes",
  "change",
  "plan",
  "this",
  "that",
  "now",
  "thanks",
  "thank",
  "you",
  "to",
  "sure",
  "do",
]);

/**
 * Whether plain text clearly says yes or no. Its first word decides and every other word must be harmless; anything
 * else (a condition, a question, a negation) is `unclear`, so that a gate is asked again and never guessed.
 */
export function clearAnswer(text: string): "yes" | "no" | "unclear" {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'?]+/gu, " ")
    .trim()
    .split(" ");
  const [first = "", ...rest] = words;
  if (text.includes("?")) return "unclear";
  const verdict = YES.has(first) ? "yes" : NO.has(first) ? "no" : "unclear";
  if (verdict === "unclear") return verdict;
  const same = verdict === "yes" ? YES : NO;
  return rest.every((word) => SOFT.has(word) || same.has(word)) ? verdict : "unclear";
}
