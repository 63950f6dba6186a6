import fc from "fast-check";
import { expect, test } from "vitest";
import { utf8, utf8Length } from "./utf8.ts";

/** As a URL writes them. */
function encoded(text: string): number[] {
  const pieces = encodeURIComponent(text.toWellFormed()).match(/%..|./g) ?? [];
  return pieces.map((piece) =>
    piece.startsWith("%") ? Number.parseInt(piece.slice(1), 16) : piece.charCodeAt(0),
  );
}

test("any text has the bytes that an encoder gives it, half pairs included", () => {
  const anything = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes));
  fc.assert(
    fc.property(fc.oneof(anything, fc.string({ unit: "grapheme" })), (text) => {
      expect([...utf8(text)]).toEqual(encoded(text));
      expect(utf8Length(text)).toBe(encoded(text).length);
    }),
  );
  expect([...utf8("é")]).toEqual([0xc3, 0xa9]);
});
