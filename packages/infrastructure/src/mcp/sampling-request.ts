import type { ModelAnswer, ModelMessage, ModelRequest } from "@cleveragents/application";
import type { JsonObject } from "@cleveragents/domain";

/** What a server wants a model to be asked, or why it cannot be. Texts alone: models here are asked nothing else. */
export function modelRequestOf(params: unknown): ModelRequest | string {
  const { messages, systemPrompt, maxTokens, temperature, tools } = (params ?? {}) as JsonObject;
  if (Array.isArray(tools) && tools.length > 0) return "a model is given no tools of a server's";
  const told: ModelMessage[] = [];
  for (const message of (Array.isArray(messages) ? messages : []) as JsonObject[]) {
    const content = (
      Array.isArray(message["content"]) ? message["content"] : [message["content"]]
    ) as JsonObject[];
    const texts = content.map((one) => (one?.["type"] === "text" ? String(one["text"]) : undefined));
    if (texts.includes(undefined)) return "a model is asked texts alone";
    const text = texts.join("\n");
    told.push(
      message["role"] === "assistant" ? { role: "assistant", text, toolCalls: [] } : { role: "user", text },
    );
  }
  if (told.length === 0) return "there is no message";
  return {
    messages: told,
    ...(typeof systemPrompt === "string" ? { system: systemPrompt } : {}),
    ...(typeof maxTokens === "number" && maxTokens > 0 ? { maxTokens: Math.floor(maxTokens) } : {}),
    ...(typeof temperature === "number" ? { temperature } : {}),
  };
}

export function samplingResultOf(model: string, { text, stop }: ModelAnswer): JsonObject {
  return {
    role: "assistant",
    model,
    content: { type: "text", text },
    stopReason: stop === "length" ? "maxTokens" : "endTurn",
  };
}
