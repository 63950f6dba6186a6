import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ModelAnswer } from "../ports/language-model.ts";
import type { ToolDescriptor } from "../ports/tool-provider.ts";
import { takeModelAnswer } from "./take-answer.ts";

const READ = {
  name: "builtin/read_file",
  input: z.strictObject({ path: z.string() }),
} as unknown as ToolDescriptor;
const OFFERED = {
  tools: [{ name: "read_file", description: "", inputSchema: {} }],
  byName: new Map([["read_file", READ]]),
};

function take(answer: Partial<ModelAnswer>) {
  return takeModelAnswer({ text: "", toolCalls: [], stop: "end", ...answer }, OFFERED, []);
}
const call = (name: string, written: string) => ({ id: "1", name, arguments: written });

describe("an answer of a model", () => {
  test("wants calls that fit their tools, by the tools' full names", () => {
    const { calls, mistaken } = take({ toolCalls: [call("read_file", '{"path":"a"}')], stop: "tool-calls" });
    expect(mistaken).toBe(false);
    expect(calls).toMatchObject([{ tool: "builtin/read_file", args: { path: "a" } }]);
    expect(calls[0]).not.toHaveProperty("result");
  });

  test.each([
    ["of a tool that is not there", call("write", "{}"), /no tool "write".*read_file/],
    ["whose arguments end in their middle", call("read_file", '{"path":"a'), /not a JSON object/],
    ["whose arguments are a list", call("read_file", "[1]"), /not a JSON object/],
    ["whose arguments do not fit", call("read_file", '{"file":"a"}'), /path: /],
  ])("has a call %s refused, and nothing is mended", (_, toolCall, words) => {
    const { calls, mistaken } = take({ toolCalls: [toolCall], stop: "tool-calls" });
    expect(mistaken).toBe(true);
    expect(calls[0]).not.toHaveProperty("tool");
    expect(calls[0]?.result).toMatchObject({ failed: true, text: expect.stringMatching(words) });
  });

  test("that was cut in a call is told so", () => {
    const { calls, remark } = take({ toolCalls: [call("read_file", '{"pa')], stop: "length" });
    expect(calls[0]?.result?.text).toMatch(/cut off by the length/);
    expect(remark).toMatch(/cut off/);
  });

  test("of which one call fits is no mistake as a whole", () => {
    const toolCalls = [call("read_file", '{"path":"a"}'), call("write", "{}")];
    expect(take({ toolCalls, stop: "tool-calls" }).mistaken).toBe(false);
  });

  test.each([
    '<tool_call>{"name": "read_file"}</tool_call>',
    'I do it now.\n```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```',
    "<function=read_file><parameter=path>a</parameter></function>",
  ])("that prints a call as text is not taken for done: %j", (text) => {
    expect(take({ text })).toMatchObject({ mistaken: true, remark: expect.stringContaining("as text") });
  });

  test("that is empty, cut or held back is not taken for done", () => {
    expect(take({ text: " " }).mistaken).toBe(true);
    expect(take({ text: "and so", stop: "length" }).mistaken).toBe(true);
    expect(take({ text: "", stop: "refused" }).mistaken).toBe(true);
  });

  test("in plain words is the end", () => {
    expect(take({ text: "It is done: the sum adds." })).toEqual({ calls: [], mistaken: false });
  });
});

describe("an answer that has to hand something in", () => {
  const submit = {
    name: "submit",
    input: z.object({ min: z.number(), max: z.number() }),
    problem: ({ min, max }: Record<string, unknown>) =>
      Number(min) > Number(max) ? "min is more than max" : undefined,
    required: true as const,
  };
  const hand = (answer: Partial<ModelAnswer>) =>
    takeModelAnswer({ text: "", toolCalls: [], stop: "end", ...answer }, { tools: [], byName: new Map() }, [
      submit,
    ]);

  test("is mistaken where it fits and does not hold together", () => {
    const { calls, mistaken } = hand({
      toolCalls: [call("submit", '{"min":2,"max":1}')],
      stop: "tool-calls",
    });
    expect(mistaken).toBe(true);
    expect(calls).toMatchObject([{ result: { text: "Not taken: min is more than max", failed: true } }]);
  });

  test("is mistaken where it says something and calls nothing", () => {
    expect(hand({ text: "I have thought." })).toMatchObject({
      mistaken: true,
      remark: "Nothing was handed in. Call submit with what you have to say.",
    });
  });
});
