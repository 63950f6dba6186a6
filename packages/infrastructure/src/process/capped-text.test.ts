import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CappedText } from "./capped-text.ts";

const LIMIT = 256;

function fed(text: string, chunkSize: number): CappedText {
  const capped = new CappedText(LIMIT);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkSize) capped.push(bytes.subarray(at, at + chunkSize));
  capped.end();
  return capped;
}

describe("CappedText", () => {
  it("gives back what fits, unchanged", () => {
    const text = "ä€😀\n".repeat(10);
    expect(fed(text, 1).text()).toBe(text);
  });

  it("keeps the beginning and the end, and says how many bytes are missing", () => {
    const text = `begin${"x".repeat(1000)}end`;
    const kept = fed(text, 7).text();
    expect(kept).toMatch(/^beginx+\n\[… \d+ bytes cut …\]\nx+end$/);
    const [, cut] = /(\d+) bytes cut/.exec(kept)!;
    expect(kept.replace(/\n\[.*\]\n/, "").length + Number(cut)).toBe(text.length);
  });

  it("never shows half a character, wherever chunks and cuts fall", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "ä", "€", "😀"), { maxLength: 400, size: "max" }),
        fc.integer({ min: 1, max: 90 }),
        (characters, chunkSize) => {
          const text = characters.join("");
          const kept = fed(text, chunkSize).text();
          expect(kept).not.toContain("\uFFFD");
          expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(LIMIT);
          const [head, tail] = kept.split(/\n\[… \d+ bytes cut …\]\n/);
          expect(text.startsWith(head!)).toBe(true);
          expect(text.endsWith(tail ?? head!)).toBe(true);
        },
      ),
    );
  });

  it("stays within the limit for bytes that are not UTF-8 at all", () => {
    const capped = new CappedText(LIMIT);
    capped.push(Buffer.alloc(5000, 0xff));
    capped.end();
    expect(Buffer.byteLength(capped.text())).toBeLessThanOrEqual(LIMIT);
  });

  it("tells whoever follows along whole characters only, and all of them", () => {
    const capped = new CappedText(LIMIT);
    const bytes = Buffer.from("a😀b");
    const told = [...bytes].map((byte) => capped.push(Buffer.from([byte])));
    expect(told).toEqual(["a", "", "", "", "😀", "b"]);
    capped.push(Buffer.from([0xe2, 0x82]));
    expect(capped.end()).toBe("\uFFFD");
  });
});
