import { expect, test } from "vitest";
import { decodeEventCursor, encodeEventCursor } from "./event-cursor.ts";

const inOrder = { kind: "feed", at: -3, taskId: "tâche/任务 1", seq: 7 } as const;
/** What somebody has made who has seen how ours are made, but for the sum. */
const forged = btoa('0.["t",7,3]').replace(/=+$/, "");
const ofTask = { kind: "task", taskId: "t", seq: 0 } as const;

test("a cursor comes back as it was, in letters that need no escaping anywhere", () => {
  const texts = [encodeEventCursor(inOrder), encodeEventCursor(ofTask)];
  for (const text of texts) expect(text).toMatch(/^[\w-]+$/);
  expect(decodeEventCursor(texts[0] as string, "cursor", "feed")).toEqual(inOrder);
  expect(decodeEventCursor(texts[1] as string, "cursor", "task")).toEqual(ofTask);
});

test("what is none of ours, was changed or is of the other kind names its field", () => {
  const text = encodeEventCursor(inOrder);
  const changed = text.slice(0, -6) + (text.at(-6) === "A" ? "B" : "A") + text.slice(-5);
  const texts = [
    "",
    "nope",
    "t:7",
    "%",
    "é",
    forged,
    text.slice(0, -2),
    `${text}AA`,
    changed,
    encodeEventCursor(ofTask),
  ];
  for (const given of texts)
    expect(() => decodeEventCursor(given, "Last-Event-ID", "feed"), given).toThrow(
      expect.objectContaining({
        kind: "InvalidParams",
        violations: [expect.objectContaining({ field: "Last-Event-ID" })],
      }),
    );
});
