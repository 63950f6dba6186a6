import type { JsonObject, Message } from "@cleveragents/domain";
import { expect, test } from "vitest";
import { readAnswer } from "./ask.ts";

const answers = (...all: readonly JsonObject[]): Message => ({
  messageId: "m",
  role: "user",
  parts: all.map((data) => ({ kind: "data", data: { type: "approval_response", ...data } })),
});

test("an answer that is given twice alike is one answer", () => {
  const given = { choice: "yes", request_id: "r", digest: "sha256:a" };
  expect(readAnswer(answers(given, given))).toEqual({
    kind: "structured",
    answer: { choice: "yes", requestId: "r", digest: "sha256:a" },
  });
});

test.each<[string, JsonObject]>([
  ["choices", { choice: "no" }],
  ["requests", { request_id: "other" }],
  ["changesets", { digest: "sha256:b" }],
  ["texts", { text: "other" }],
])("an answer that names two %s decides nothing", (_, other) => {
  const given = { choice: "yes", request_id: "r", digest: "sha256:a", text: "t" };
  expect(readAnswer(answers(given, { ...given, ...other }))).toEqual({ kind: "conflicting" });
});
