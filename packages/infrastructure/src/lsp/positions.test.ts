import { describe, expect, test } from "vitest";
import { TextLines } from "./positions.ts";

const TEXT = "a🎉ü\r\nb\rc\n";

describe("places in a text", () => {
  test("are counted by code points from 1, and by units of each encoding from 0", () => {
    const lines = new TextLines(TEXT);
    expect([0, 1, 2, 3, 4].map((line) => lines.line(line))).toEqual(["a🎉ü", "b", "c", "", ""]);
    for (const [encoding, character] of [
      ["utf-8", 5],
      ["utf-16", 3],
      ["utf-32", 2],
    ] as const) {
      expect(lines.toPosition({ line: 1, character: 3 }, encoding)).toEqual({ line: 0, character });
      expect(lines.fromPosition({ line: 0, character }, encoding)).toEqual({ line: 1, character: 3 });
      const offset = lines.offsetAt({ line: 0, character }, encoding);
      expect(TEXT.slice(offset)).toBe("ü\r\nb\rc\n");
      expect(lines.positionAt(offset, encoding)).toEqual({ line: 0, character });
    }
  });

  test("beyond a line are its end, beyond the text its end, and never within a character", () => {
    const lines = new TextLines(TEXT);
    expect(lines.toPosition({ line: 1, character: 99 }, "utf-16")).toEqual({ line: 0, character: 4 });
    expect(lines.offsetAt({ line: 0, character: 99 }, "utf-16")).toBe(4);
    expect(lines.offsetAt({ line: 99, character: 0 }, "utf-16")).toBe(TEXT.length);
    expect(lines.offsetAt({ line: 0, character: 2 }, "utf-16")).toBe(1);
  });
});
