import { expect, test } from "vitest";
import { formatCursor, parseCursor } from "./cursor.ts";
import { parseExtensions } from "./extensions.ts";

test("extensions are a list with commas, once each, white space around them ignored", () => {
  expect(parseExtensions(" urn:a , urn:b,,urn:a")).toEqual(["urn:a", "urn:b"]);
  expect(parseExtensions(undefined)).toEqual([]);
});

test("a cursor is a task id and a sequence, and nothing else is one", () => {
  expect(parseCursor(formatCursor("t", 7))).toEqual({ taskId: "t", seq: 7 });
  for (const text of ["", "t", "t:", ":1", "t:-1", "t:1.5", "t:1:2", "t: 1", "t:99999999999999999999"])
    expect(parseCursor(text)).toBeUndefined();
});
