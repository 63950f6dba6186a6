import { toErrorObject } from "@cleveragents/protocol";
import { expect, test } from "vitest";
import { StorageError } from "../ports/storage-error.ts";
import { toProtocolError } from "./to-protocol-error.ts";

class Full extends StorageError {
  override readonly name = "Full";
  readonly reason = "NO_SPACE";
  readonly summary = "The agent's disk is full";
  readonly advice = "free some space";
  constructor() {
    super("/home/anna/.cleveragents/store.db: insert into tasks failed");
  }
}

test.each(["a2a", "cleveragents"] as const)(
  "a full disk is told with reason and advice, without paths or SQL, to %s methods",
  (family) => {
    const error = toProtocolError(new Error("outer", { cause: new Full() }), family);
    expect(error.entry).toMatchObject({ retryable: true, httpStatus: 503 });
    const told = toErrorObject(error, { family, requestId: "r", timestamp: "2026-01-01T00:00:00.000Z" });
    expect(told).toMatchObject({ code: -32000, message: "The agent's disk is full" });
    const text = JSON.stringify(told);
    expect(text).toContain('"reason":"NO_SPACE"');
    expect(text).toContain("free some space");
    expect(text).not.toMatch(/anna|insert/);
  },
);

test("what nobody foresaw stays an internal error that says nothing", () => {
  const error = toProtocolError(new Error("ENOENT: /home/anna"), "a2a");
  expect(error).toMatchObject({ kind: "InternalError", message: "Internal error" });
});
