import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePath, hasOddBytes, nativePath, quotePath, shownPath, unquotePath } from "./native-paths.ts";

const names = fc.oneof(
  fc.uint8Array({ maxLength: 12 }),
  fc.string({ unit: "grapheme" }).map((text) => new TextEncoder().encode(text)),
);

test("every sequence of bytes is one path, and comes back as it was", () => {
  fc.assert(
    fc.property(names, (bytes) => {
      const path = decodePath(bytes);
      expect(Buffer.from(nativePath(path))).toEqual(Buffer.from(bytes));
      expect(unquotePath(quotePath(path))).toBe(path);
    }),
  );
});

test("what is UTF-8 is the text itself; an encoded surrogate is not", () => {
  expect(decodePath(Buffer.from("\u{feff}ü 🦊"))).toBe("\u{feff}ü 🦊");
  expect(hasOddBytes(decodePath(Buffer.from("🦊 \u{1f400}")))).toBe(false);
  expect(hasOddBytes(decodePath(Buffer.from([0xed, 0xb2, 0x80])))).toBe(true);
});

test("a path is shown quoted only where a string cannot hold it", () => {
  expect(shownPath('a"b ü')).toBe('a"b ü');
  expect(shownPath(decodePath(Buffer.from([0x61, 0xe9, 0x22, 0x0a, 0x07, 0x7f])))).toBe(
    '"a\\351\\"\\n\\a\\177"',
  );
});
