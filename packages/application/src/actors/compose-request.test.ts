import { NEW_CONVERSATION, type SaidTurn } from "@cleveragents/domain";
import { describe, expect, test } from "vitest";
import { type Brief, composeRequest } from "./compose-request.ts";

const BRIEF: Brief = { system: "Be brief.", task: "Mend it.", tools: [], guidance: ["no hurry", "use plus"] };

function read(n: number, length: number, guided = 0): SaidTurn {
  const id = `c${n}`;
  const text = `${n}`.repeat(length);
  return {
    attempt: 1,
    text: "",
    guided,
    calls: [{ id, name: "read_file", written: "{}", tool: "builtin/read_file", args: {}, result: { text } }],
  };
}
const talk = (...turns: SaidTurn[]) => ({ ...NEW_CONVERSATION, turns });

describe("a conversation as a request", () => {
  test("has what the user said where they said it, and each result after its call", () => {
    const composed = composeRequest(BRIEF, talk(read(1, 3, 1), read(2, 3, 1)), Number.POSITIVE_INFINITY);
    expect(composed?.request.messages.map((message) => [message.role, message.text])).toEqual([
      ["user", "Mend it."],
      ["user", "The user says:\n- no hurry"],
      ["assistant", ""],
      ["tool", "111"],
      ["assistant", ""],
      ["tool", "222"],
      ["user", "The user says:\n- use plus"],
    ]);
    expect(composed).toMatchObject({ shortened: 0, leftOut: 0 });
  });

  test("that is too long has its oldest results shortened first, which it says, and the newest left whole", () => {
    const turns = [1, 2, 3, 4].map((n) => read(n, 4000));
    const whole = composeRequest(BRIEF, talk(...turns), Number.POSITIVE_INFINITY);
    const composed = composeRequest(BRIEF, talk(...turns), (whole?.tokens ?? 0) - 100);
    const results = composed?.request.messages.flatMap((message) =>
      message.role === "tool" ? [message.text] : [],
    );
    expect(results?.map((text) => text.length > 1000)).toEqual([false, true, true, true]);
    expect(results?.[0]).toMatch(/shortened for want of room: \d+ characters left out/);
    expect(composed).toMatchObject({ shortened: 1, leftOut: 0 });
  });

  test("that is far too long loses its oldest answers whole, and never a call without its result", () => {
    const turns = Array.from({ length: 30 }, (_, n) => read(n + 1, 4000));
    const composed = composeRequest(BRIEF, talk(...turns), 5000);
    expect(composed?.tokens).toBeLessThanOrEqual(5000);
    expect(composed?.leftOut).toBeGreaterThan(0);
    const messages = composed?.request.messages ?? [];
    expect(messages[0]?.text).toContain(`${composed?.leftOut} earlier answers of yours`);
    const called = messages.flatMap((m) => (m.role === "assistant" ? m.toolCalls.map(({ id }) => id) : []));
    const answered = messages.flatMap((m) => (m.role === "tool" ? [m.callId] : []));
    expect(called).toEqual(answered);
  });

  test("that cannot fit is none", () => {
    expect(composeRequest(BRIEF, talk(read(1, 4000)), 100)).toBeUndefined();
  });
});
