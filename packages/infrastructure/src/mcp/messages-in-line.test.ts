import { expect, test } from "vitest";
import { messagesInLine } from "./messages-in-line.ts";

const message = '{"jsonrpc":"2.0","id":1,"result":{"text":"a {\\"jsonrpc\\" in a text"}}';
const read = JSON.parse(message);

test.each([
  ["as it is", message, [read]],
  ["behind a byte order mark", `\uFEFF${message}`, [read]],
  ["behind a progress bar without a line break", `10 %\r100 %\r${message}`, [read]],
  ["in a batch", `[${message},{"jsonrpc":"2.0","method":"x"}]`, [read, { jsonrpc: "2.0", method: "x" }]],
])("a message is found: %s", (_what, line, found) => {
  expect(messagesInLine(line)).toEqual(found);
});

test.each(["hello", '{ "a": 1 }', "[]", "[1, null]", "null", '{"jsonrpc', `${message.slice(0, -1)}`])(
  "%j is no message",
  (line) => {
    expect(messagesInLine(line)).toBeUndefined();
  },
);
