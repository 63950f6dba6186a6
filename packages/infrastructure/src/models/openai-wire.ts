import type { ModelMessage, ModelRequest } from "@cleveragents/application";
import type { TokenUsage } from "@cleveragents/domain";

/** A piece of an answer, or a whole one. Nothing of it can be relied on. */
export interface OpenAiChunk {
  readonly choices?: readonly {
    readonly delta?: OpenAiDelta;
    readonly message?: OpenAiDelta;
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: OpenAiUsage | null;
  readonly x_groq?: { readonly usage?: OpenAiUsage | null };
  readonly error?: unknown;
  /** Some send an error as the object itself. */
  readonly object?: string;
  readonly message?: unknown;
}

export interface OpenAiDelta {
  /** Some send it in parts, as requests have it. */
  readonly content?: string | readonly { readonly type?: string; readonly text?: unknown }[] | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?:
    | readonly {
        readonly index?: number | null;
        readonly id?: string | null;
        readonly function?: { readonly name?: string | null; readonly arguments?: unknown };
      }[]
    | null;
}

interface OpenAiUsage {
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly prompt_tokens_details?: { readonly cached_tokens?: unknown } | null;
}

/** Cached tokens are counted among those of the prompt there. Undefined where the numbers are none. */
export function usageOf(usage: OpenAiUsage | null | undefined): TokenUsage | undefined {
  if (usage === undefined || usage === null) return undefined;
  const { prompt_tokens: prompt, completion_tokens: output } = usage;
  if (!isCount(prompt) || !isCount(output) || prompt + output === 0) return undefined;
  const cached = usage.prompt_tokens_details?.cached_tokens;
  const cacheRead = isCount(cached) && cached <= prompt ? cached : 0;
  return { input: prompt - cacheRead, cacheRead, cacheWrite: 0, output };
}

export function textOf(content: OpenAiDelta["content"]): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []))
    .join("");
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

export function messagesOf({ system, messages }: ModelRequest): unknown[] {
  const told = system === undefined ? [] : [{ role: "system", content: system }];
  return [...told, ...messages.map(messageOf)];
}

function messageOf(message: ModelMessage): unknown {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.text };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.text };
    case "assistant":
      return message.toolCalls.length === 0
        ? { role: "assistant", content: message.text }
        : {
            role: "assistant",
            content: message.text === "" ? null : message.text,
            tool_calls: message.toolCalls.map(({ id, name, arguments: text }) => ({
              id,
              type: "function",
              function: { name, arguments: text },
            })),
          };
  }
}
