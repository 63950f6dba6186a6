import { describe, expect, test } from "vitest";
import type { World } from "../../world/world.ts";
import { answers, LIST, LISTED, requestText } from "./text.ts";

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

export function brokenText(world: () => World): void {
  describe("text that cannot be read", () => {
    test.each([
      ["truncated JSON", '{"jsonrpc":"2.0","id":1,'],
      ["plain text", "hello"],
      ["nothing", ""],
      ["white space", "  \n "],
      ["two texts", `${LIST}${LIST}`],
      ["a comment", `/* please */ ${LIST}`],
    ])(
      "%s is ParseError with a null id and no word of the parser's; the next request is served",
      async (_, text) => {
        const answer = await world().raw(text, {});
        expect(answer).toEqual(answers(null, "ParseError"));
        expect(answer).toMatchObject({ error: { message: "Invalid JSON payload" } });
        expect(await world().raw(LIST)).toEqual(LISTED);
      },
    );

    test("bytes that are not UTF-8 are ParseError", async () => {
      const bytes = Buffer.concat([
        Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
        Buffer.of(0xff, 0xfe),
        Buffer.from('"}'),
      ]);
      expect(await world().raw(bytes)).toEqual(answers(null, "ParseError"));
    });

    test.each([
      ["a number", "1"],
      ["a string", '"ListTasks"'],
      ["null", "null"],
      ["no jsonrpc", '{"id":null,"method":"ListTasks"}'],
      ["another jsonrpc", '{"jsonrpc":"1.0","id":null,"method":"ListTasks"}'],
      ["no method", '{"jsonrpc":"2.0","id":null}'],
      ["a method that is no string", '{"jsonrpc":"2.0","id":null,"method":1}'],
      ["a blank method", '{"jsonrpc":"2.0","id":null,"method":" "}'],
    ])("%s is InvalidRequest", async (_, text) => {
      expect(await world().raw(text, {})).toEqual(answers(null, "InvalidRequest"));
    });

    test("a request that is invalid otherwise is answered to its id", async () => {
      expect(await world().raw('{"id":7,"method":"ListTasks"}')).toEqual(answers(7, "InvalidRequest"));
    });

    test("the envelope of the older protocol is InvalidRequest and is told the names of this one", async () => {
      const answer = await world().raw(
        '{"a2a_version":"1.0","request_id":"r","operation":"ListTasks","params":{}}',
        {},
      );
      expect(answer).toEqual(answers(null, "InvalidRequest"));
      expect(answer).toMatchObject({
        error: { message: expect.stringContaining("jsonrpc, id, method, params") },
      });
    });

    test("a hundred levels are read, more are ParseError", async () => {
      const metadata = (depth: number) =>
        `{"jsonrpc":"2.0","id":1,"method":"CancelTask","params":{"id":"nope","metadata":{"deep":${nested(depth)}}}}`;
      expect(await world().raw(metadata(97))).toEqual(answers(1, "TaskNotFound"));
      expect(await world().raw(metadata(98))).toEqual(answers(null, "ParseError"));
      expect(await world().raw(metadata(100_000))).toEqual(answers(null, "ParseError"));
    });

    test("more than ten MiB are refused unread, and the next request is served", async () => {
      const text = requestText("ListTasks", { padding: "x".repeat(10 * 1024 * 1024) });
      expect(await world().raw(text)).toEqual(answers(null, "RequestTooLarge"));
      expect(await world().raw(LIST)).toEqual(LISTED);
    });
  });
}
