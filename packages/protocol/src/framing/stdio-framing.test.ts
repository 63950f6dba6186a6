import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { encodeFrame, FramingError, type FramingLimits, type StdioFraming } from "./stdio-framing.ts";
import { FrameDecoder } from "./stdio-framing-decoder.ts";

const FRAMINGS: readonly StdioFraming[] = ["length", "newline", "header"];
const utf8 = new TextEncoder();
const text = new TextDecoder();

interface Read {
  messages: string[];
  framing: StdioFraming | undefined;
  error: string | undefined;
}

function readAll(chunks: readonly Uint8Array[], limits?: FramingLimits): Read {
  const decoder = new FrameDecoder({ limits });
  const messages: string[] = [];
  let error: string | undefined;
  const drain = () => {
    for (let message = decoder.next(); message !== undefined; message = decoder.next())
      messages.push(text.decode(message));
  };
  try {
    for (const chunk of chunks) {
      decoder.push(chunk);
      drain();
    }
    decoder.end();
    drain();
  } catch (thrown) {
    if (!(thrown instanceof FramingError)) throw thrown;
    error = `${thrown.reason}: ${thrown.message}`;
  }
  return { messages, framing: decoder.framing, error };
}

const read = (input: string, limits?: FramingLimits) => readAll([utf8.encode(input)], limits);

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((from, index) => bytes.slice(from, sorted[index] ?? bytes.length));
}

function joined(frames: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(frames.flatMap((frame) => [...frame]));
}

describe.each(FRAMINGS)("%s framing", (framing) => {
  test("any chunking gives the same messages", () => {
    const value = fc.record({
      id: fc.integer(),
      text: fc.string({ unit: "binary" }),
      list: fc.array(fc.json()),
    });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), fc.array(fc.nat()), (values, places) => {
        const sent = values.map((v) => JSON.stringify(v).replaceAll(/[\uD800-\uDFFF]/gu, "?"));
        const stream = joined(sent.map((json) => encodeFrame(framing, json)));
        expect(readAll(cut(stream, places))).toEqual({ messages: sent, framing, error: undefined });
      }),
    );
  });

  test("a transcript split at every byte gives the same messages", () => {
    const sent = ['{"text":"测试 🙂"}', '{"id":0}', "[]"];
    const stream = joined(sent.map((json) => encodeFrame(framing, json)));
    for (let size = 1; size <= 64; size++) {
      const places = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) => index * size);
      expect(readAll(cut(stream, places)).messages).toEqual(sent);
    }
  });

  test("a message may have the limit's length and no byte more", () => {
    const limits = { maxMessageBytes: 20, maxHeaderBytes: 100 };
    const message = (length: number) =>
      text.decode(encodeFrame(framing, `{"a":"${"x".repeat(length - 8)}"}`));
    expect(read(message(20), limits)).toMatchObject({ messages: [expect.any(String)], error: undefined });
    expect(read(message(21), limits)).toMatchObject({
      messages: [],
      error: "TOO_LARGE: a message may have at most 20 bytes",
    });
  });

  test("byte order mark and blank lines before the first message are skipped", () => {
    const frame = text.decode(encodeFrame(framing, '{"id":1}'));
    expect(read(`\uFEFF${frame}`).messages).toEqual(['{"id":1}']);
    expect(read(`\r\n \n${frame}`).messages).toEqual(['{"id":1}']);
  });

  test("line ends between messages are skipped", () => {
    const frame = text.decode(encodeFrame(framing, '{"id":1}'));
    expect(read(`${frame}\r\n\n${frame}\n`)).toEqual({
      messages: ['{"id":1}', '{"id":1}'],
      framing,
      error: undefined,
    });
  });

  test("a message in single bytes is moved a few times at most, not once per byte", () => {
    const stream = encodeFrame(framing, JSON.stringify("x".repeat(20_000)));
    const decoder = new FrameDecoder({ framing });
    const moves = vi.spyOn(Uint8Array.prototype, "set");
    let message: Uint8Array | undefined;
    for (let at = 0; at < stream.length; at++) {
      decoder.push(stream.subarray(at, at + 1));
      message ??= decoder.next();
    }
    const moved = moves.mock.calls.reduce((sum, [source]) => sum + source.length, 0);
    moves.mockRestore();
    expect(message).toHaveLength(20_002);
    expect(moved).toBeLessThan(4 * stream.length);
  });
});

test("garbage of any kind and chunking is refused or read the same way", () => {
  const limits = { maxMessageBytes: 30, maxHeaderBytes: 40 };
  const alphabet = [
    "1",
    "0",
    "9",
    "{",
    "}",
    "[",
    "\n",
    "\r",
    "C",
    "ontent-Length: ",
    ":",
    " ",
    "é",
    "\uFEFF",
    "-",
  ];
  const garbage = fc
    .array(fc.constantFrom(...alphabet), { maxLength: 40 })
    .map((pieces) => utf8.encode(pieces.join("")));
  fc.assert(
    fc.property(garbage, fc.array(fc.nat()), (bytes, places) => {
      expect(readAll(cut(bytes, places), limits)).toEqual(readAll([bytes], limits));
    }),
    { numRuns: 1000 },
  );
});

test("an empty connection is no error", () => {
  expect(read("")).toEqual({ messages: [], framing: undefined, error: undefined });
});

test("a connection that begins with anything else is refused with the framings that there are", () => {
  expect(read("GET / HTTP/1.1\r\n").error).toMatch(
    /^BROKEN: a connection begins with .* this one begins with "G"$/,
  );
  expect(read("\uFFFE{}").error).toMatch(/byte 0xef$/);
});

describe("a length", () => {
  test("of zero is an empty message", () => {
    expect(read("0\n2\n{}")).toMatchObject({ messages: ["", "{}"], error: undefined });
  });

  test("counts bytes of UTF-8", () => {
    expect(read('10\n{"a":"é"}').error).toBe(undefined);
    expect(text.decode(encodeFrame("length", '{"a":"é"}'))).toBe('10\n{"a":"é"}');
  });

  test("may be followed by a carriage return", () => {
    expect(read("2\r\n{}").messages).toEqual(["{}"]);
  });

  test.each([
    ["12x\n", "12x"],
    ["1.5\n", "1."],
    ["2\n{}-5\n{}", "-"],
    ["2\n{}{}", "{"],
    ["1\r2\n", "1\r2"],
  ])("like %j is refused, quoting what came", (input, quoted) => {
    expect(read(input).error).toBe(
      `BROKEN: a message begins with its length in digits and a line feed, not with ${JSON.stringify(quoted)}`,
    );
  });

  test("without end is refused before its end comes", () => {
    expect(read("9".repeat(1000)).error).toMatch(/^TOO_LARGE/);
    expect(read("99999999999\n").error).toMatch(/^TOO_LARGE/);
  });

  test("that is not fulfilled is told at the end of input", () => {
    expect(read('2\n{}20\n{"a"').error).toBe("TRUNCATED: the input ended after 4 of 20 bytes of a message");
    expect(read("2\n{}20").error).toBe("TRUNCATED: the input ended in the middle of a message's length");
  });
});

describe("lines", () => {
  test("end with or without a carriage return, the last one with nothing", () => {
    expect(read('{"id":1}\r\n \t\r\n{"id":2}\n{"id":3}').messages).toEqual([
      '{"id":1}',
      '{"id":2}',
      '{"id":3}',
    ]);
  });

  test("that are no JSON are messages too: the next layer answers", () => {
    expect(read('{"id":1}\nnonsense\n').messages).toEqual(['{"id":1}', "nonsense"]);
  });
});

describe("headers", () => {
  test("have names in any case, other fields, and plain line feeds", () => {
    expect(read("content-LENGTH: 2\nContent-Type: application/json\n\n{}").messages).toEqual(["{}"]);
  });

  test.each([
    ["without a length", "Content-Type: x\r\n\r\n{}", "a message header must have a Content-Length"],
    [
      "with a negative length",
      "Content-Length: -2\r\n\r\n{}",
      'Content-Length must be a number of bytes, not "-2"',
    ],
    [
      "without a colon",
      "Content-Length 2\r\n\r\n{}",
      'a header line has a name and a colon; this one is "Content-Length 2"',
    ],
    [
      "with two lengths",
      "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
      "a message header has two different Content-Lengths",
    ],
    ["without end", `Content-Length: 2\r\nx: ${"y".repeat(9000)}`, "a message header is too long"],
  ])("%s are refused", (_, input, message) => {
    expect(read(input).error).toBe(`BROKEN: ${message}`);
  });
});

test("a decoder that has failed does not go on", () => {
  const decoder = new FrameDecoder();
  decoder.push(utf8.encode("2\n{}x"));
  expect(decoder.next()).toBeDefined();
  expect(() => decoder.next()).toThrow(FramingError);
  decoder.push(utf8.encode("2\n{}"));
  expect(() => decoder.next()).toThrow(FramingError);
});

test("a framing that is given is not guessed", () => {
  const decoder = new FrameDecoder({ framing: "newline" });
  decoder.push(utf8.encode("warming up\n"));
  expect(text.decode(decoder.next())).toBe("warming up");
});
