import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_LIMITS, parseJson, parseMessage } from "./parse-message.ts";

const parse = (value: unknown) => parseMessage(JSON.stringify(value));
const request = { jsonrpc: "2.0", method: "GetTask" };

test.each([0, "", "7", 7, -1, null])("the id %j is kept as it is", (id) => {
  expect(parse({ ...request, id })).toEqual({ kind: "call", request: { ...request, id } });
});

test.each([1.5, -0.25, 1e300, true, {}, [1]])("the id %j is no id", (id) => {
  expect(parse({ ...request, id })).toMatchObject({ kind: "invalid", error: "InvalidRequest", id: null });
});

test("only an absent id makes a notification", () => {
  expect(parse(request)).toEqual({ kind: "call", request });
});

test.each(["", "   ", "{", '{"jsonrpc":"2.0","id":1,', "plain", "\u0000"])("%j is not JSON", (text) => {
  expect(parseMessage(text)).toEqual({ kind: "invalid", id: null, error: "ParseError" });
});

test("bytes that are no UTF-8 are not JSON", () => {
  const bytes = new Uint8Array([
    ...new TextEncoder().encode('{"jsonrpc":"2.0","method":"'),
    0xff,
    0x22,
    0x7d,
  ]);
  expect(parseMessage(bytes)).toMatchObject({ error: "ParseError" });
});

test.each([
  [1],
  ["x"],
  [null],
  [{}],
  [{ jsonrpc: "1.0", method: "x" }],
  [{ jsonrpc: "2.0" }],
  [{ jsonrpc: "2.0", method: " " }],
  [{ jsonrpc: "2.0", method: 5 }],
])("%j is JSON but no request", (value) => {
  expect(parse(value)).toMatchObject({ kind: "invalid", error: "InvalidRequest" });
});

test("a broken request keeps the id that can be read", () => {
  expect(parse({ jsonrpc: "2.0", id: 7 })).toMatchObject({ id: 7 });
});

test("the names of the older protocol are refused with the names to use", () => {
  expect(parse({ a2a_version: "1", request_id: "1", operation: "plan.use" })).toMatchObject({
    error: "InvalidRequest",
    message: expect.stringContaining("use jsonrpc, id, method, params"),
  });
});

test("a batch is read entry by entry; an empty one and one that is too long are refused whole", () => {
  expect(parse([{ ...request, id: 1 }, 5])).toMatchObject({
    kind: "batch",
    entries: [{ kind: "call" }, { kind: "invalid", error: "InvalidRequest" }],
  });
  expect(parse([])).toMatchObject({ kind: "invalid", error: "InvalidRequest", id: null });
  expect(parse(Array.from({ length: DEFAULT_LIMITS.maxBatch + 1 }, () => request))).toMatchObject({
    kind: "invalid",
    error: "InvalidRequest",
  });
});

test("what is nested too deep is refused, and brackets in strings do not count", () => {
  const deep = (n: number) => `{"jsonrpc":"2.0","method":"x","params":${"[".repeat(n)}${"]".repeat(n)}}`;
  expect(parseMessage(deep(DEFAULT_LIMITS.maxDepth - 1))).toMatchObject({ kind: "call" });
  expect(parseMessage(deep(DEFAULT_LIMITS.maxDepth))).toMatchObject({ error: "ParseError" });
  expect(parse({ ...request, params: { text: '[{"'.repeat(500) } })).toMatchObject({ kind: "call" });
});

test("what is too large is refused unread", () => {
  expect(parseMessage("x".repeat(11), { ...DEFAULT_LIMITS, maxBytes: 10 })).toMatchObject({
    error: "RequestTooLarge",
  });
});

test.each(["__proto__", "\\u005f_proto__", "_\\u005Fproto__", "__\\u0070roto__", "__pro\\u0074o__"])(
  "a key spelt %s is dropped at every depth",
  (key) => {
    const parsed = parseMessage(
      `{"jsonrpc":"2.0","method":"x","params":{"a":{"${key}":{"admin":true}},"b":[{"${key}":1}]}}`,
    );
    expect(parsed.kind === "call" && JSON.stringify(parsed.request.params)).toBe('{"a":{},"b":[{}]}');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  },
);

test("it never throws, whatever comes", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.uint8Array()), (input) => void parseMessage(input)),
  );
});

test("half a surrogate pair becomes U+FFFD, in texts and in names; whole pairs stay", () => {
  const json = '{"a":"x\\ud800y","b":["\\udc00"],"\\uDBFF":1,"c":"\\ud83d\\ude00"}';
  const clean = { a: "x\uFFFDy", b: ["\uFFFD"], "\uFFFD": 1, c: "\u{1F600}" };
  expect(parseJson(json)).toEqual(clean);
  expect(parseJson('"\ud800"')).toBe("\uFFFD");
});
