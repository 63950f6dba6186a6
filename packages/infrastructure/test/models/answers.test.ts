import { totalTokens } from "@cleveragents/domain";
import { ModelServer, type ScriptedAnswer } from "@cleveragents/testing/model-server";
import { describe, expect, test } from "vitest";
import { options, Place, providerYaml, QUESTION } from "./fixtures.ts";

const READ = { name: "read_file", arguments: { path: "src/größe.ts" } };

describe.each(["openai", "anthropic"] as const)("a model spoken to as %s does", (kind) => {
  async function open(answers: readonly ScriptedAnswer[], more = "") {
    const server = await ModelServer.start(answers);
    const url = kind === "openai" ? server.openAiUrl : server.origin;
    const place = await Place.open(providerYaml(kind, url, more));
    return { server, place };
  }

  async function complete(answer: ScriptedAnswer) {
    const { server, place } = await open([answer]);
    await using _server = server;
    await using _place = place;
    const told = options();
    const done = await place.models.complete("test/model", QUESTION, told);
    return { ...done, pieces: told.pieces, server };
  }

  test("its text comes in pieces and whole, with what it has used by the server's own count", async () => {
    const { answer, usage, estimated, pieces, server } = await complete({
      text: "Nothing but a größe file. 😀 Done.",
    });
    expect(answer).toMatchObject({ text: "Nothing but a größe file. 😀 Done.", stop: "end", toolCalls: [] });
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.map((piece) => ("text" in piece ? piece.text : "")).join("")).toBe(answer.text);
    expect(usage).toMatchObject({ input: server.used.input, output: server.used.output });
    expect(estimated).toBe(false);
  });

  test("calls of tools are put together from their pieces, several beside a text", async () => {
    const { answer } = await complete({
      text: "I look.",
      calls: [READ, { ...READ, arguments: { path: "b" } }],
    });
    expect(answer.stop).toBe("tool-calls");
    expect(answer.toolCalls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ["read_file", { path: "src/größe.ts" }],
      ["read_file", { path: "b" }],
    ]);
  });

  test("arguments that are no JSON are handed on as they came", async () => {
    const { answer } = await complete({ calls: [{ name: "read_file", arguments: '{"path": "a' }] });
    expect(answer.toolCalls[0]?.arguments).toBe('{"path": "a');
  });

  test("what it thinks aloud is kept apart from what it says", async () => {
    const { answer, pieces } = await complete({ reasoning: "Hmm, well.", text: "Yes." });
    expect(answer).toMatchObject({ text: "Yes.", reasoning: "Hmm, well." });
    expect(pieces[0]?.kind).toBe("reasoning");
  });

  test("an answer that was cut by its length says so, even in a call", async () => {
    const finish = kind === "openai" ? "length" : "max_tokens";
    expect((await complete({ text: "And so o", finish })).answer.stop).toBe("length");
    expect((await complete({ calls: [{ name: "read_file", arguments: '{"pa' }], finish })).answer.stop).toBe(
      "length",
    );
  });

  test.each(["missing", "wrong"] as const)("usage that is %s is estimated, and said to be", async (usage) => {
    const done = await complete({ text: "A short text.", usage });
    expect(done.estimated).toBe(true);
    expect(done.usage.output).toBeGreaterThan(0);
    expect(done.usage.input).toBeGreaterThan(0);
  });

  test("tokens from a cache are counted once, and cost what they cost", async () => {
    const prices = "    models:\n      model: { prices: { input: 2, output: 10, cache_read: 0.5 } }\n";
    const { server, place } = await open(
      [{ text: "Yes.", usage: { input: 1000, output: 100, cached: 800 } }],
      prices,
    );
    await using _server = server;
    await using _place = place;
    const { usage, cost } = await place.models.complete("test/model", QUESTION, options());
    expect(usage).toEqual({ input: 200, cacheRead: 800, cacheWrite: 0, output: 100 });
    expect(totalTokens(usage)).toBe(1100);
    expect(cost).toBeCloseTo((200 * 2 + 800 * 0.5 + 100 * 10) / 1e6, 9);
  });

  test("what was said before is sent on as its format wants it", async () => {
    const { server, place } = await open([{ text: "Done." }]);
    await using _server = server;
    await using _place = place;
    await place.models.complete(
      "test/model",
      {
        ...QUESTION,
        maxTokens: 99,
        temperature: 0.5,
        messages: [
          { role: "user", text: "Look." },
          { role: "assistant", text: "", toolCalls: [{ id: "c1", name: "read_file", arguments: "{}" }] },
          { role: "tool", callId: "c1", text: "no such file", failed: true },
          { role: "user", text: "And now?" },
        ],
      },
      options(),
    );
    const body = server.requests[0]?.body as { messages: { role: string }[] } & Record<string, unknown>;
    expect(body).toMatchObject({ max_tokens: 99, temperature: 0.5, stream: true });
    expect(body.messages.map(({ role }) => role)).toEqual(
      kind === "openai" ? ["system", "user", "assistant", "tool", "user"] : ["user", "assistant", "user"],
    );
    expect(JSON.stringify(body.messages)).toContain(
      kind === "openai" ? '"tool_call_id":"c1"' : '"is_error":true',
    );
  });
});

describe("a server that is compatible with OpenAI, more or less,", () => {
  async function complete(answer: ScriptedAnswer) {
    await using server = await ModelServer.start([answer]);
    await using place = await Place.open(providerYaml("openai", server.openAiUrl));
    return (await place.models.complete("test/model", QUESTION, options())).answer;
  }
  const calls = [
    { name: "read_file", arguments: { path: "a" } },
    { name: "read_file", arguments: { path: "b" } },
  ];

  test.each(["none", "from-one", "jumping", "all-zero"] as const)(
    "may number its calls %s",
    async (indexes) => {
      const answer = await complete({ calls, indexes });
      expect(answer.toolCalls.map((call) => call.arguments)).toEqual(['{"path":"a"}', '{"path":"b"}']);
      expect(new Set(answer.toolCalls.map(({ id }) => id)).size).toBe(2);
    },
  );

  test("may leave out the ids of calls", async () => {
    const answer = await complete({ calls: calls.map((call) => ({ ...call, id: null })) });
    expect(answer.toolCalls.map(({ id, arguments: text }) => [id, text])).toEqual([
      ["call_1", '{"path":"a"}'],
      ["call_2", '{"path":"b"}'],
    ]);
  });

  test.each(["stop", null, "something_new"])("may say %s where a call is to be made", async (finish) => {
    expect(await complete({ calls, finish })).toMatchObject({ stop: "tool-calls" });
  });

  test("may answer whole where a stream was asked for", async () => {
    expect(await complete({ text: "Yes.", calls, whole: true })).toMatchObject({
      text: "Yes.",
      stop: "tool-calls",
      toolCalls: [{ arguments: '{"path":"a"}' }, { arguments: '{"path":"b"}' }],
    });
  });

  test("may hold an answer back", async () => {
    expect(await complete({ text: "I", finish: "content_filter" })).toMatchObject({ stop: "refused" });
  });
});

describe("a server of somebody's own machine", () => {
  const piece = (delta: object, finish_reason: string | null = null) => ({
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const DONE = "data: [DONE]\n\n";

  async function hear(raw: readonly unknown[]) {
    await using server = await ModelServer.start([{ raw }]);
    await using place = await Place.open(providerYaml("openai", server.openAiUrl, "    retries: 0\n"));
    return await place.models.complete("test/model", QUESTION, options());
  }

  test.each([
    [
      "Ollama, which sends a call whole, without an index, and says stop",
      [
        piece({
          role: "assistant",
          content: "",
          tool_calls: [{ id: "call_x", function: { name: "read_file", arguments: '{"path":"a"}' } }],
        }),
        piece({ role: "assistant", content: "" }, "stop"),
        DONE,
      ],
      { stop: "tool-calls", text: "", toolCalls: [{ id: "call_x", arguments: '{"path":"a"}' }] },
    ],
    [
      "LM Studio, which thinks in a field of its own and sends usage beside no choice",
      [
        piece({ reasoning_content: "Hm." }),
        piece({ content: "Yes." }),
        piece({}, "stop"),
        { choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } },
        DONE,
      ],
      { text: "Yes.", reasoning: "Hm.", usage: { input: 7, output: 3 } },
    ],
    [
      "llama.cpp, which sends the arguments of a call as an object and ends without a mark",
      [
        piece({ role: "assistant", content: null }),
        piece({
          tool_calls: [
            { index: 0, id: "", type: "function", function: { name: "read_file", arguments: { path: "a" } } },
          ],
        }),
        piece({}, "tool_calls"),
      ],
      { stop: "tool-calls", toolCalls: [{ id: "call_1", arguments: '{"path":"a"}' }] },
    ],
    [
      "vLLM, which names a call first and sends its arguments in pieces without an id, and usage with every piece",
      [
        { ...piece({ role: "assistant", content: "" }), usage: { prompt_tokens: 9, completion_tokens: 0 } },
        piece({ tool_calls: [{ index: 0, id: "chatcmpl-tool-1", function: { name: "read_file" } }] }),
        piece({ tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] }),
        {
          ...piece({ tool_calls: [{ index: 0, function: { arguments: '"a"}' } }] }, "tool_calls"),
          usage: { prompt_tokens: 9, completion_tokens: 5 },
        },
        DONE,
      ],
      { toolCalls: [{ id: "chatcmpl-tool-1", arguments: '{"path":"a"}' }], usage: { input: 9, output: 5 } },
    ],
    [
      "a gateway, which sends comments, content in parts and a call of the old kind's reason",
      [
        ": keep-alive\n\n",
        piece({
          content: [
            { type: "text", text: "Yes" },
            { type: "text", text: "." },
          ],
        }),
        piece({}, "function_call"),
        DONE,
      ],
      { text: "Yes.", stop: "end" },
    ],
  ])("such as %s, is understood", async (_, raw, answer) => {
    expect((await hear(raw)).answer).toMatchObject(answer);
  });

  test.each([
    [{ error: "model requires more system memory" }, "MODEL_UNAVAILABLE", "more system memory"],
    [
      { object: "error", message: "This model's maximum context length is 4096 tokens", code: 400 },
      "MODEL_CONTEXT_TOO_LONG",
      "4096",
    ],
    [
      { error: { code: 500, message: "slot unavailable", type: "server_error" } },
      "MODEL_UNAVAILABLE",
      "slot unavailable",
    ],
    [
      {
        error: {
          message:
            "trying to keep the first 9000 tokens when context the overflows. exceeds the context length",
        },
      },
      "MODEL_CONTEXT_TOO_LONG",
      "9000",
    ],
  ])("may send an error in a stream that has begun well: %j is %s", async (error, reason, words) => {
    await expect(hear([piece({ role: "assistant", content: "" }), error])).rejects.toMatchObject({
      reason,
      message: expect.stringContaining(words),
    });
  });
});
