import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeSseComment, encodeSseEvent, SseDecoder, type SseEvent } from "./sse.ts";

const utf8 = new TextEncoder();

/** What a decoder reads when the text arrives in pieces of these sizes, in turn. */
function read(
  text: string,
  sizes: readonly number[] = [Number.MAX_SAFE_INTEGER],
  decoder = new SseDecoder(),
): SseEvent[] {
  const bytes = utf8.encode(text);
  const events: SseEvent[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    events.push(...decoder.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return events;
}

const lineEnds = (text: string) => text.replace(/\r\n|\r/g, "\n");
const anyText = fc.string({
  unit: fc.constantFrom("a", " ", ":", "\n", "\r", "ä", "😀", "\ufeff", "\u2028", "data: x", "\0"),
});
const oneLine = anyText.map((text) => text.replace(/[\r\n\0]/g, ""));
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });

describe("encodeSseEvent", () => {
  it("writes id and data on a line each, closed by a blank line", () => {
    expect(encodeSseEvent({ id: "t:1", data: '{"a":1}' })).toBe('id: t:1\ndata: {"a":1}\n\n');
  });

  it("gives every line of the data a field of its own, whatever ends it", () => {
    expect(encodeSseEvent({ data: "a\r\nb\rc\nd" })).toBe("data: a\ndata: b\ndata: c\ndata: d\n\n");
  });

  it("writes the retry hint alone", () => {
    expect(encodeSseEvent({ retry: 250 })).toBe("retry: 250\n\n");
  });

  it.each(["a\nb", "a\rb", "a\0b"])("refuses an id or type that would break the frame: %j", (value) => {
    expect(() => encodeSseEvent({ id: value })).toThrow(RangeError);
    expect(() => encodeSseEvent({ event: value })).toThrow(RangeError);
  });
});

describe("encodeSseComment", () => {
  it("is no event, however many lines it has", () => {
    expect(encodeSseComment("keep\nalive")).toBe(": keep\n: alive\n\n");
    expect(read(encodeSseComment("data: x\rdata: y"))).toEqual([]);
  });
});

describe("SseDecoder", () => {
  it("gives back what was encoded, however the bytes are cut", () => {
    const event = fc.record(
      { id: oneLine, event: oneLine.filter((text) => text !== ""), data: anyText },
      { requiredKeys: ["data"] },
    );
    fc.assert(
      fc.property(fc.array(event), sizes, (events, cuts) => {
        const text = events.map((e) => encodeSseComment(e.data) + encodeSseEvent(e)).join("");
        const expected = events.map((e) => ({ event: "message", ...e, data: lineEnds(e.data) }));
        expect(read(text, cuts)).toEqual(expected);
      }),
    );
  });

  it("reads any text alike in one piece and byte by byte", () => {
    const piece = fc.constantFrom(
      "data",
      ":",
      " ",
      "\n",
      "\r",
      "\r\n",
      "\n\n",
      "id",
      "event",
      "retry",
      "7",
      "\0",
      "ä😀",
      "\ufeff",
      ": c",
    );
    fc.assert(
      fc.property(fc.array(piece), sizes, (pieces, cuts) => {
        const text = pieces.join("");
        const [one, many] = [new SseDecoder(), new SseDecoder()];
        expect(read(text, cuts, many)).toEqual(read(text, undefined, one));
        expect([many.lastEventId, many.retry, many.incomplete]).toEqual([
          one.lastEventId,
          one.retry,
          one.incomplete,
        ]);
      }),
    );
  });

  it.each(["\n", "\r", "\r\n"])("takes %j for a line end, also when chunks part it", (end) => {
    const text = ["id: 1", "data: a", "data: b", "", "data: c", "", ""].join(end);
    const expected = [
      { id: "1", event: "message", data: "a\nb" },
      { event: "message", data: "c" },
    ];
    expect(read(text)).toEqual(expected);
    expect(read(text, [1])).toEqual(expected);
  });

  it("does not wait for the next chunk to know that a lone CR ends the event", () => {
    expect(read("data: a\r\r")).toEqual([{ event: "message", data: "a" }]);
  });

  it("strips at most one space after the colon", () => {
    expect(read("data:{}\n\ndata:  x\n\n").map((e) => e.data)).toEqual(["{}", " x"]);
  });

  it("ignores one BOM at the start and no other", () => {
    expect(read("\ufeffdata: a\n\n\ufeffdata: b\n\n", [1])).toEqual([{ event: "message", data: "a" }]);
  });

  it("ignores comments, unknown fields and blocks without data", () => {
    expect(read(": ping\n\nevent: x\n\nfoo: bar\ndatax: y\ndata: a\n\n")).toEqual([
      { event: "message", data: "a" },
    ]);
  });

  it("gives an event the id that stands before it, also across a comment or an empty block", () => {
    expect(read("id: 7\n: ping\n\ndata: a\n\ndata: b\n\n")).toEqual([
      { id: "7", event: "message", data: "a" },
      { event: "message", data: "b" },
    ]);
  });

  it("keeps the last id for reconnecting until an empty one clears it", () => {
    const decoder = new SseDecoder();
    read("id: 7\ndata: a\n\ndata: b\n\n", undefined, decoder);
    expect(decoder.lastEventId).toBe("7");
    read("id\ndata: c\n\n", undefined, decoder);
    expect(decoder.lastEventId).toBe("");
  });

  it("ignores an id with NUL", () => {
    const decoder = new SseDecoder();
    expect(read("id: a\0b\ndata: x\n\n", undefined, decoder)).toEqual([{ event: "message", data: "x" }]);
    expect(decoder.lastEventId).toBe("");
  });

  it("takes a retry of digits only", () => {
    const decoder = new SseDecoder();
    read("retry: 250\nretry: 1.5\nretry: -1\nretry:\n\n", undefined, decoder);
    expect(decoder.retry).toBe(250);
  });

  it("reports data of an empty line as an empty event, and leaves its meaning to the reader", () => {
    expect(read("data\n\ndata:\ndata:\n\n").map((e) => e.data)).toEqual(["", "\n"]);
  });

  it("drops an event that no blank line completes, and says so", () => {
    const decoder = new SseDecoder();
    expect(read("data: a\n\ndata: b\n", undefined, decoder)).toHaveLength(1);
    expect(decoder.incomplete).toBe(true);
  });

  it("replaces invalid UTF-8 instead of failing", () => {
    expect(new SseDecoder().push(new Uint8Array([...utf8.encode("data: "), 0xff, 10, 10]))).toEqual([
      { event: "message", data: "\ufffd" },
    ]);
  });

  it("refuses an event above its limit, in one endless line or in endless lines", () => {
    const decoder = () => new SseDecoder({ maxEventLength: 1000 });
    expect(read(`data: ${"x".repeat(900)}\n\n`.repeat(3), [64], decoder())).toHaveLength(3);
    expect(() => read("x".repeat(2000), [64], decoder())).toThrow(RangeError);
    expect(() => read("data: xxxxxxxx\n".repeat(200), [64], decoder())).toThrow(RangeError);
  });

  it("takes time linear in the length of one event that arrives in small chunks", () => {
    const time = (length: number) => {
      const chunks = Array.from({ length: length / 64 }, () => utf8.encode("x".repeat(64)));
      const decoder = new SseDecoder();
      const start = performance.now();
      decoder.push(utf8.encode("data: "));
      for (const chunk of chunks) decoder.push(chunk);
      expect(decoder.push(utf8.encode("\n\n"))[0]?.data).toHaveLength(length);
      return performance.now() - start;
    };
    time(1 << 18);
    const small = Math.min(time(1 << 18), time(1 << 18), time(1 << 18));
    const large = Math.min(time(1 << 22), time(1 << 22));
    expect(large / small).toBeLessThan(16 * 8); // 256 if it were quadratic
  });
});
