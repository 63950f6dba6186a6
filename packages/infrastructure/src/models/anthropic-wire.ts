import type { ModelMessage, ModelRequest, ModelTool } from "@cleveragents/application";
import type { JsonValue, TokenUsage } from "@cleveragents/domain";

/** An event of an answer's stream. */
export interface AnthropicEvent {
  readonly type?: string;
  readonly index?: number;
  readonly message?: { readonly usage?: AnthropicUsage };
  readonly usage?: AnthropicUsage;
  readonly error?: unknown;
  readonly content_block?: {
    readonly type?: string;
    readonly id?: string;
    readonly name?: string;
    readonly text?: string;
  };
  readonly delta?: {
    readonly type?: string;
    readonly text?: string;
    readonly thinking?: string;
    readonly partial_json?: string;
    readonly stop_reason?: string | null;
  };
}

interface AnthropicUsage {
  readonly input_tokens?: unknown;
  readonly output_tokens?: unknown;
  readonly cache_read_input_tokens?: unknown;
  readonly cache_creation_input_tokens?: unknown;
}

/** The last that was said of each number: later events count all that came before. */
export class UsageCount {
  #usage: TokenUsage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  #known = false;

  add(usage: AnthropicUsage | undefined): void {
    if (usage === undefined || usage === null) return;
    const of = (value: unknown, before: number) =>
      typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : before;
    this.#usage = {
      input: of(usage.input_tokens, this.#usage.input),
      output: of(usage.output_tokens, this.#usage.output),
      cacheRead: of(usage.cache_read_input_tokens, this.#usage.cacheRead),
      cacheWrite: of(usage.cache_creation_input_tokens, this.#usage.cacheWrite),
    };
    this.#known ||= this.#usage.input + this.#usage.output > 0;
  }

  total(): TokenUsage | undefined {
    return this.#known ? this.#usage : undefined;
  }
}

export function toolsOf(tools: readonly ModelTool[]): unknown[] {
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
}

/** Answers of tools are said by the user there, and the same role never speaks twice in a row. */
export function messagesOf({ messages }: ModelRequest): unknown[] {
  const joined: { role: string; content: unknown[] }[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const blocks = blocksOf(message);
    const last = joined.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else joined.push({ role, content: blocks });
  }
  return joined;
}

function blocksOf(message: ModelMessage): unknown[] {
  if (message.role === "tool")
    return [
      {
        type: "tool_result",
        tool_use_id: message.callId,
        content: message.text,
        ...(message.failed === true ? { is_error: true } : {}),
      },
    ];
  const text = message.text === "" ? [] : [{ type: "text", text: message.text }];
  if (message.role === "user") return text.length === 0 ? [{ type: "text", text: "(nothing)" }] : text;
  const calls = message.toolCalls.map(({ id, name, arguments: given }) => ({
    type: "tool_use",
    id,
    name,
    input: objectOf(given),
  }));
  const blocks = [...text, ...calls];
  return blocks.length === 0 ? [{ type: "text", text: "(nothing)" }] : blocks;
}

/** What was no JSON was refused as a call; there it has to be an object all the same. */
function objectOf(text: string): JsonValue {
  try {
    const value = JSON.parse(text) as JsonValue;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : { value };
  } catch {
    return { unreadable: text };
  }
}
