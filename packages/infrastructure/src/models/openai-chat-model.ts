import {
  type CallOptions,
  type LanguageModel,
  type ModelAnswer,
  ModelError,
  type ModelRequest,
  type ModelStop,
  type OfferedModel,
} from "@cleveragents/application";
import { type Provider, settingsOf } from "@cleveragents/domain";
import { AnswerBuilder } from "./answer-builder.ts";
import { asBegun, cutOff, failedInStream } from "./model-failures.ts";
import { parseJson, receiveJson, send } from "./model-request.ts";
import { messagesOf, type OpenAiChunk, type OpenAiDelta, textOf, usageOf } from "./openai-wire.ts";

export interface LanguageModelDeps {
  readonly provider: Provider;
  /** The provider's key, if it has one; looked up for each call, so that a new one counts at once. */
  readonly key: () => Promise<string | undefined>;
}

/** Chat completions as OpenAI defined them and as everybody else serves them, more or less. */
export class OpenAiChatModel implements LanguageModel {
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
    let done = false;
    try {
      const body = bodyOf(provider, model, request);
      const path = "/chat/completions";
      for await (const received of send({ provider, path, headers: headersOf(key), body, key, signal })) {
        if ("whole" in received) {
          take(provider, parseJson(provider.name, received.whole) as OpenAiChunk, builder, key);
          done = true;
        } else if (received.event.data.trim() === "[DONE]") done = true;
        else take(provider, parseJson(provider.name, received.event.data) as OpenAiChunk, builder, key);
      }
      // Some end with a reason and without the mark, some the other way round; who does neither was cut off.
      if (!done && builder.stop === undefined) throw cutOff(provider.name);
    } catch (error) {
      throw asBegun(error, builder.begun);
    }
    return builder.answer();
  }

  async offered(signal: AbortSignal): Promise<readonly OfferedModel[]> {
    const { provider } = this.#deps;
    const key = await this.#deps.key();
    const answer = (await receiveJson({
      provider,
      path: "/models",
      headers: headersOf(key),
      key,
      signal,
    })) as {
      data?: unknown;
    };
    if (!Array.isArray(answer.data))
      throw new ModelError("MODEL_BAD_RESPONSE", `${provider.name} has sent no list of models`);
    return answer.data.flatMap(
      (entry: { id?: unknown; context_length?: unknown; max_model_len?: unknown }) => {
        const context = entry.context_length ?? entry.max_model_len;
        if (typeof entry.id !== "string") return [];
        return [{ name: entry.id, ...(typeof context === "number" ? { context } : {}) }];
      },
    );
  }
}

function headersOf(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

function bodyOf(provider: Provider, model: string, request: ModelRequest): unknown {
  const { tools = [], toolChoice, answer, temperature, topP, maxTokens } = request;
  const { json = "none" } = settingsOf(provider, model);
  const format =
    answer === undefined || json === "none"
      ? undefined
      : json === "object"
        ? { type: "json_object" }
        : { type: "json_schema", json_schema: { name: answer.name, schema: answer.schema, strict: false } };
  return {
    model,
    messages: messagesOf(request),
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: "function",
            function: { name, description, parameters: inputSchema },
          })),
          ...(toolChoice === undefined ? {} : { tool_choice: toolChoice }),
        }),
    ...(format === undefined ? {} : { response_format: format }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(maxTokens === undefined ? {} : { [limitOf(provider, model)]: maxTokens }),
  };
}

/** OpenAI itself renamed the limit, and its newer models refuse the old name; nobody else knows the new one. */
function limitOf({ name }: Provider, model: string): string {
  return name === "openai" && /^(o\d|gpt-[5-9])/.test(model) ? "max_completion_tokens" : "max_tokens";
}

function take(provider: Provider, chunk: OpenAiChunk, builder: AnswerBuilder, key: string | undefined): void {
  if (typeof chunk !== "object" || chunk === null)
    throw new ModelError("MODEL_BAD_RESPONSE", `${provider.name} has sent something else than an answer`);
  if (chunk.error !== undefined && chunk.error !== null)
    throw failedInStream(provider.name, chunk.error, key);
  if (chunk.object === "error") throw failedInStream(provider.name, chunk, key);
  const usage = usageOf(chunk.usage ?? chunk.x_groq?.usage);
  if (usage !== undefined) builder.usage = usage;
  const choice = chunk.choices?.[0];
  if (choice === undefined) return;
  takeDelta(choice.delta ?? choice.message ?? {}, builder);
  const stop = STOPS[String(choice.finish_reason ?? "")];
  if (stop !== undefined) builder.stop = stop;
}

const STOPS: Readonly<Record<string, ModelStop>> = {
  stop: "end",
  eos: "end",
  end_turn: "end",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  length: "length",
  max_tokens: "length",
  content_filter: "refused",
};

function takeDelta(delta: OpenAiDelta, builder: AnswerBuilder): void {
  builder.reasoning(delta.reasoning_content ?? delta.reasoning ?? "");
  builder.text(textOf(delta.content));
  for (const call of delta.tool_calls ?? []) {
    const given = call.function?.arguments;
    builder.call({
      index: call.index ?? undefined,
      id: call.id ?? undefined,
      name: call.function?.name ?? undefined,
      arguments:
        typeof given === "string" || given === undefined || given === null
          ? (given ?? "")
          : JSON.stringify(given),
    });
  }
}
