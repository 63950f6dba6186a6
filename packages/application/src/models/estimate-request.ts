import { estimateTokens, type TokenUsage } from "@cleveragents/domain";
import type { ModelAnswer, ModelMessage, ModelRequest } from "../ports/language-model.ts";

/** What a message costs besides its text: its role and its borders. */
const FRAME = 6;

export function estimateMessage(message: ModelMessage): number {
  const calls = message.role === "assistant" ? message.toolCalls : [];
  return calls.reduce(
    (sum, call) => sum + FRAME + estimateTokens(call.name) + estimateTokens(call.arguments),
    FRAME + estimateTokens(message.text),
  );
}

/** About how many tokens a request has: rather too many than too few. */
export function estimateRequest({ system = "", messages, tools = [], answer }: ModelRequest): number {
  const fixed =
    FRAME +
    estimateTokens(system) +
    tools.reduce((sum, tool) => sum + FRAME + estimateTokens(JSON.stringify(tool)), 0) +
    (answer === undefined ? 0 : FRAME + estimateTokens(JSON.stringify(answer.schema)));
  return messages.reduce((sum, message) => sum + estimateMessage(message), fixed);
}

/** What an answer has probably taken, where the server does not say it. */
export function estimateUsage(request: ModelRequest, answer: ModelAnswer): TokenUsage {
  const said = { role: "assistant", text: answer.text, toolCalls: answer.toolCalls } as const;
  return {
    input: estimateRequest(request),
    cacheRead: 0,
    cacheWrite: 0,
    output: estimateMessage(said) + estimateTokens(answer.reasoning ?? ""),
  };
}
