import type { Message, Part } from "@cleveragents/domain";
import { MessageSchema } from "@cleveragents/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readAnswer } from "./ask.ts";
import { fromWireMessage, toWireMessage } from "./message.ts";

const frame = {
  mediaType: fc.string(),
  filename: fc.string(),
  metadata: fc.dictionary(
    fc.string().filter((k) => k !== "__proto__"),
    fc.string(),
  ),
};
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record(
    { kind: fc.constant("text" as const), text: fc.string(), ...frame },
    { requiredKeys: ["kind", "text"] },
  ),
  fc.record(
    {
      kind: fc.constant("data" as const),
      data: fc.jsonValue({ noUnicodeString: false }) as fc.Arbitrary<never>,
      ...frame,
    },
    { requiredKeys: ["kind", "data"] },
  ),
  fc.record(
    { kind: fc.constant("bytes" as const), bytes: fc.base64String(), ...frame },
    { requiredKeys: ["kind", "bytes"] },
  ),
  fc.record(
    { kind: fc.constant("url" as const), url: fc.webUrl(), ...frame },
    { requiredKeys: ["kind", "url"] },
  ),
);
const id = fc.string({ minLength: 1, maxLength: 50 });
const message: fc.Arbitrary<Message> = fc.record(
  {
    messageId: id,
    role: fc.constantFrom("user" as const, "agent" as const),
    parts: fc.array(part, { minLength: 1 }),
    contextId: id,
    taskId: id,
  },
  { requiredKeys: ["messageId", "role", "parts"] },
);

test("a message that goes over the wire, through its schema, comes back as it was", () => {
  fc.assert(
    fc.property(message, (original) => {
      const wire = MessageSchema.parse(JSON.parse(JSON.stringify(toWireMessage(original))));
      expect(fromWireMessage(wire)).toEqual(JSON.parse(JSON.stringify(original)));
    }),
  );
});

const say = (parts: Message["parts"], metadata?: Message["metadata"]): Message => ({
  messageId: "m",
  role: "user",
  parts,
  ...(metadata === undefined ? {} : { metadata }),
});

test("an answer is found as data, in the metadata, or as text", () => {
  const answer = { request_id: "r", choice: "yes" };
  expect(readAnswer(say([{ kind: "data", data: { type: "approval_response", ...answer } }]))).toEqual({
    kind: "structured",
    answer: { requestId: "r", choice: "yes" },
  });
  expect(
    readAnswer(say([{ kind: "text", text: "x" }], { "urn:cleveragents:extensions:approval:v1": answer })),
  ).toMatchObject({ kind: "structured" });
  expect(readAnswer(say([{ kind: "text", text: "yes" }]))).toEqual({ kind: "text", text: "yes" });
  expect(
    readAnswer(say([{ kind: "data", data: { approved: false, type: "approval_response" } }])),
  ).toMatchObject({ answer: { choice: "no" } });
});

test("two answers in one message that differ are no answer", () => {
  const parts = ["yes", "no"].map((choice) => ({
    kind: "data" as const,
    data: { type: "approval_response", choice },
  }));
  expect(readAnswer(say(parts))).toEqual({ kind: "conflicting" });
});
