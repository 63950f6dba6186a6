import type { Conversation, SaidTurn } from "@cleveragents/domain";
import { estimateMessage, estimateRequest } from "../models/estimate-request.ts";
import type { ModelMessage, ModelRequest, ModelTool } from "../ports/language-model.ts";

export interface Brief {
  readonly system: string;
  /** What it is about; the first message. */
  readonly task: string;
  readonly tools: readonly ModelTool[];
  /** What the user has said since, oldest first. */
  readonly guidance: readonly string[];
  /** What is so at the moment; the last message. */
  readonly now?: string;
}

export interface ComposedRequest {
  readonly request: ModelRequest;
  /** Of the request, by our estimate. */
  readonly tokens: number;
  /** What had to go so that it fits: results that were shortened, answers that were left out. */
  readonly shortened: number;
  readonly leftOut: number;
}

/** What stays of an old result. */
const KEPT = 160;
/** Answers whose results are never shortened. */
const FRESH = 2;

/**
 * The conversation as one request of at most so many tokens by our estimate. Old results of tools are shortened first,
 * then the oldest answers are left out; both are said in the text. Undefined where even that does not fit.
 */
export function composeRequest(
  brief: Brief,
  { turns }: Conversation,
  atMost: number,
): ComposedRequest | undefined {
  const { system, task, tools } = brief;
  const fixed = estimateRequest({ system, tools, messages: [{ role: "user", text: task }] });
  const told = turns.map((turn, n) => messagesOf(turn, turns[n - 1]?.guided ?? 0, brief.guidance));
  const fresh: ModelMessage[] = [
    ...guidanceMessage(brief.guidance, turns.at(-1)?.guided ?? 0, brief.guidance.length),
    ...(brief.now === undefined ? [] : [{ role: "user", text: brief.now } as const]),
  ];
  const sizes = told.map((messages) => messages.reduce((sum, message) => sum + estimateMessage(message), 0));
  let total = fresh.reduce((sum, message) => sum + estimateMessage(message), fixed + sum(sizes));
  let shortened = 0;
  for (let n = 0; n < told.length - FRESH && total > atMost; n++) {
    const before = told[n] as ModelMessage[]; // one for each turn
    told[n] = before.map((message) => {
      if (message.role !== "tool" || message.text.length <= 2 * KEPT) return message;
      shortened++;
      return { ...message, text: shortenedText(message.text) };
    });
    const size = sum((told[n] as ModelMessage[]).map(estimateMessage));
    total += size - (sizes[n] as number);
    sizes[n] = size;
  }
  let leftOut = 0;
  while (leftOut < told.length - 1 && total > atMost) total -= sizes[leftOut++] as number;
  if (total > atMost) return undefined;
  const note =
    leftOut === 0
      ? ""
      : `\n\n[${leftOut} earlier answers of yours and what came of them are left out here, for want of room.]`;
  return {
    request: {
      system,
      tools,
      messages: [{ role: "user", text: task + note }, ...told.slice(leftOut).flat(), ...fresh],
    },
    tokens: total,
    shortened,
    leftOut,
  };
}

function messagesOf(turn: SaidTurn, guidedBefore: number, guidance: readonly string[]): ModelMessage[] {
  return [
    ...guidanceMessage(guidance, guidedBefore, turn.guided),
    {
      role: "assistant",
      text: turn.text,
      toolCalls: turn.calls.map(({ id, name, written }) => ({ id, name, arguments: written })),
    },
    ...turn.calls.map(
      ({ id, result }): ModelMessage => ({
        role: "tool",
        callId: id,
        text: result?.text ?? "It was not carried out.",
        ...(result?.failed === true || result === undefined ? { failed: true } : {}),
      }),
    ),
    ...(turn.remark === undefined ? [] : [{ role: "user", text: turn.remark } as const]),
  ];
}

function guidanceMessage(guidance: readonly string[], from: number, to: number): ModelMessage[] {
  const told = guidance.slice(from, to);
  return told.length === 0
    ? []
    : [{ role: "user", text: `The user says:\n${told.map((text) => `- ${text}`).join("\n")}` }];
}

function shortenedText(text: string): string {
  const left = text.length - KEPT;
  return `${text.slice(0, KEPT).replace(/[\uD800-\uDBFF]$/, "")}\n[… shortened for want of room: ${left} characters left out; call the tool again if you need them …]`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
