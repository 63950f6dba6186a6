import { expect, test } from "vitest";
import { isReadingStream } from "./resume-stream.ts";

test.each([
  ["SubscribeToTask", true],
  ["tasks/resubscribe", true],
  ["tasks/subscribe", true],
  ["_cleveragents/event/subscribe", true],
  ["event.subscribe", true],
  ["SendStreamingMessage", false],
  ["message/stream", false],
  ["GetTask", false],
  ["nope", false],
])("whether a stream of %s that gave nothing yet may be asked for once more: %s", (method, expected) => {
  expect(isReadingStream(method)).toBe(expected);
});
