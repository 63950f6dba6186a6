import {
  type CallOptions,
  type LanguageModel,
  type ModelAnswer,
  ModelError,
  type ModelRequest,
  type ModelStop,
  type OfferedModel,
} from "@cleveragents/application";
import { settingsOf } from "@cleveragents/domain";
import { AnswerBuilder } from "./answer-builder.ts";
import { type AnthropicEvent, messagesOf, toolsOf, UsageCount } from "./anthropic-wire.ts";
import { asBegun, cutOff, failedInStream } from "./model-failures.ts";
import { parseJson, receiveJson, send } from "./model-request.ts";
import type { LanguageModelDeps } from "./openai-chat-model.ts";

/** It wants to be told how long an answer may be. */
const DEFAULT_OUTPUT = 8192;

/** Anthropic's messages. */
export class AnthropicModel implements LanguageModel {
  readonly #deps: LanguageModelDeps;

  constructor(deps: LanguageModelDeps) {
    this.#deps = deps;
  }

  async complete(
    model: string,
    request: ModelRequest,
    { signal, onPiece }: CallOptions,
  ): Promise<ModelAnswer> {
    const { provider } = this.#deps;
    const key = await this.#deps.key();
    const builder = new AnswerBuilder(onPiece);
    const usage = new UsageCount();
    const output = settingsOf(provider, model).output ?? DEFAULT_OUTPUT;
    const body = bodyOf(model, request, output);
    let done = false;
    try {
      for await (const received of send({
        provider,
        path: "/v1/messages",
        headers: headersOf(key),
        body,
        key,
        signal,
      })) {
        if ("whole" in received)
          throw new ModelError("MODEL_BAD_RESPONSE", `${provider.name} has answered without a stream`);
        const event = parseJson(provider.name, received.event.data) as AnthropicEvent;
        if (event.type === "error") throw failedInStream(provider.name, event.error, key);
        take(event, builder, usage);
        done ||= event.type === "message_stop";
      }
      if (!done) throw cutOff(provider.name);
    } catch (error) {
      throw asBegun(error, builder.begun);
    }
    builder.usage = usage.total();
    return builder.answer();
  }

  async offered(signal: AbortSignal): Promise<readonly OfferedModel[]> {
    const { provider } = this.#deps;
    const key = await this.#deps.key();
    const request = { provider, path: "/v1/models?limit=1000", headers: headersOf(key), key, signal };
    const answer = (await receiveJson(request)) as { data?: unknown };
    if (!Array.isArray(answer.data))
      throw new ModelError("MODEL_BAD_RESPONSE", `${provider.name} has sent no list of models`);
    return answer.data.flatMap((entry: { id?: unknown }) =>
      typeof entry.id === "string" ? [{ name: entry.id }] : [],
    );
  }
}

function headersOf(key: string | undefined): Record<string, string> {
  return { "anthropic-version": "2023-06-01", ...(key === undefined ? {} : { "x-api-key": key }) };
}

function bodyOf(model: string, request: ModelRequest, output: number): unknown {
  const { system, tools = [], toolChoice, temperature, topP, maxTokens, answer } = request;
  // It has no other way to be held to a shape than words; whoever asks has them in the prompt, too.
  const shaped =
    answer === undefined
      ? system
      : `${system ?? ""}\n\nAnswer with JSON alone, which fits this schema: ${JSON.stringify(answer.schema)}`.trim();
  return {
    model,
    max_tokens: maxTokens === undefined ? output : Math.min(maxTokens, output),
    stream: true,
    messages: messagesOf(request),
    ...(shaped === undefined ? {} : { system: shaped }),
    ...(tools.length === 0
      ? {}
      : {
          tools: toolsOf(tools),
          ...(toolChoice === undefined
            ? {}
            : { tool_choice: { type: toolChoice === "required" ? "any" : toolChoice } }),
        }),
    ...(temperature === undefined ? {} : { temperature: Math.min(1, temperature) }),
    ...(topP === undefined ? {} : { top_p: topP }),
  };
}

const STOPS: Readonly<Record<string, ModelStop>> = {
  end_turn: "end",
  stop_sequence: "end",
  tool_use: "tool-calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "refused",
};

function take(event: AnthropicEvent, builder: AnswerBuilder, usage: UsageCount): void {
  usage.add(event.message?.usage ?? event.usage);
  const { index, content_block: block, delta } = event;
  if (event.type === "content_block_start" && block?.type === "tool_use")
    builder.call({ index, id: block.id, name: block.name });
  if (event.type === "content_block_start" && block?.type === "text") builder.text(block.text ?? "");
  if (event.type === "content_block_delta") {
    if (delta?.type === "text_delta") builder.text(delta.text ?? "");
    if (delta?.type === "thinking_delta") builder.reasoning(delta.thinking ?? "");
    if (delta?.type === "input_json_delta") builder.call({ index, arguments: delta.partial_json ?? "" });
  }
  const stop = STOPS[String(delta?.stop_reason ?? "")];
  if (event.type === "message_delta" && stop !== undefined) builder.stop = stop;
}
