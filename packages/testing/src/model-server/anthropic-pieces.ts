import { argumentsText, type ReceivedRequest, type ScriptedAnswer } from "./answers.ts";
import { idOf, split } from "./openai-pieces.ts";

/** An answer as events of Anthropic's messages: each has its type twice. */
export function anthropicPieces(
  answer: ScriptedAnswer,
  request: ReceivedRequest,
  used: { readonly input: number; readonly output: number; readonly cached: number },
): { readonly event: string; readonly data: string }[] {
  const { usage } = answer;
  const began =
    usage === "missing"
      ? {}
      : usage === "wrong"
        ? { usage: { input_tokens: "none", output_tokens: -1 } }
        : {
            usage: {
              input_tokens: used.input - used.cached,
              cache_read_input_tokens: used.cached,
              output_tokens: 1,
            },
          };
  const ended = usage === "missing" || usage === "wrong" ? {} : { usage: { output_tokens: used.output } };
  const stop = answer.finish === undefined ? (answer.calls?.length ? "tool_use" : "end_turn") : answer.finish;
  const events = [
    {
      type: "message_start",
      message: { id: `msg_${request.number}`, role: "assistant", content: [], ...began },
    },
    { type: "ping" },
    ...blocks(answer),
    { type: "message_delta", delta: { stop_reason: stop }, ...ended },
    { type: "message_stop" },
  ];
  return events.map((event) => ({ event: event.type, data: JSON.stringify(event) }));
}

function blocks({ text, reasoning, calls = [] }: ScriptedAnswer): { type: string }[] {
  const made: { begin: unknown; deltas: unknown[] }[] = [];
  if (reasoning !== undefined)
    made.push({
      begin: { type: "thinking", thinking: "" },
      deltas: split(reasoning).map((thinking) => ({ type: "thinking_delta", thinking })),
    });
  if (text !== undefined)
    made.push({
      begin: { type: "text", text: "" },
      deltas: split(text).map((piece) => ({ type: "text_delta", text: piece })),
    });
  calls.forEach((call, n) => {
    made.push({
      begin: { type: "tool_use", id: idOf(call.id ?? undefined, n), name: call.name, input: {} },
      deltas: split(argumentsText(call)).map((partial_json) => ({ type: "input_json_delta", partial_json })),
    });
  });
  return made.flatMap(({ begin, deltas }, index) => [
    { type: "content_block_start", index, content_block: begin },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ]);
}
