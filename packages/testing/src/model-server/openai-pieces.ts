import { argumentsText, type ReceivedRequest, type ScriptedAnswer } from "./answers.ts";

interface Used {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** An answer as events of a chat completion, text and arguments in small pieces. */
export function openAiPieces(answer: ScriptedAnswer, request: ReceivedRequest, used: Used): string[] {
  const base = {
    id: `chat-${request.number}`,
    object: "chat.completion.chunk",
    created: 1,
    model: request.body["model"],
  };
  const piece = (delta: unknown, finish: string | null = null) =>
    JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] });
  const finish = answer.finish === undefined ? (answer.calls?.length ? "tool_calls" : "stop") : answer.finish;
  return [
    piece({ role: "assistant", content: "" }),
    ...split(answer.reasoning).map((reasoning_content) => piece({ reasoning_content })),
    ...split(answer.text).map((content) => piece({ content })),
    ...callPieces(answer).map((delta) => piece({ tool_calls: [delta] })),
    ...(finish === null ? [] : [piece({}, finish)]),
    ...(answer.usage === "missing"
      ? []
      : [JSON.stringify({ ...base, choices: [], usage: usageOf(answer, used) })]),
    "[DONE]",
  ];
}

export function openAiWhole(answer: ScriptedAnswer, request: ReceivedRequest, used: Used): unknown {
  const tool_calls = (answer.calls ?? []).map((call, n) => ({
    ...(call.id === null ? {} : { id: idOf(call.id, n) }),
    type: "function",
    function: { name: call.name, arguments: argumentsText(call) },
  }));
  return {
    id: `chat-${request.number}`,
    object: "chat.completion",
    model: request.body["model"],
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: answer.text ?? null,
          ...(tool_calls.length === 0 ? {} : { tool_calls }),
        },
        finish_reason: answer.finish ?? (tool_calls.length === 0 ? "stop" : "tool_calls"),
      },
    ],
    ...(answer.usage === "missing" ? {} : { usage: usageOf(answer, used) }),
  };
}

function usageOf({ usage }: ScriptedAnswer, { input, output, cached }: Used): unknown {
  if (usage === "wrong") return { prompt_tokens: -5, completion_tokens: "many", total_tokens: null };
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached === 0 ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
  };
}

function callPieces({ calls = [], indexes }: ScriptedAnswer): unknown[] {
  return calls.flatMap((call, n) => {
    const index =
      indexes === "none"
        ? {}
        : {
            index:
              indexes === "all-zero" ? 0 : indexes === "from-one" ? n + 1 : indexes === "jumping" ? n * 3 : n,
          };
    const id = call.id === null ? {} : { id: idOf(call.id, n) };
    const begin = { ...index, ...id, type: "function", function: { name: call.name, arguments: "" } };
    // Only the first piece says whose it is; what follows has its index, if any.
    return [
      begin,
      ...split(argumentsText(call)).map((text) => ({ ...index, function: { arguments: text } })),
    ];
  });
}

export function idOf(id: string | undefined, n: number): string {
  return id ?? `call_${n}`;
}

/** In pieces of seven characters, as if they were tokens. */
export function split(text = ""): string[] {
  return text.match(/[\s\S]{1,7}/gu) ?? [];
}
