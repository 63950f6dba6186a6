import { expect, test } from "vitest";
import type { Asker } from "../dialect.ts";
import { v1 } from "./index.ts";

const asker: Asker = { newId: () => "new", hasTask: async () => true };
const read = (params: unknown) => v1.params("SendMessage", params, asker);

test("the names of the proto are read beside those of the specification", () => {
  expect(v1.params("GetTask", { id: "t", history_length: 1 }, asker)).toEqual({ id: "t", historyLength: 1 });
  expect(v1.params("ListTasks", { context_id: "c", status_timestamp_after: "x" }, asker)).toEqual({
    contextId: "c",
    statusTimestampAfter: "x",
  });
  expect(
    read({
      message: { message_id: "m", reference_task_ids: ["a_b"], parts: [{ raw: "AA", media_type: "a/b" }] },
      configuration: { return_immediately: true, accepted_output_modes: ["text/plain"] },
    }),
  ).toEqual({
    message: { messageId: "m", referenceTaskIds: ["a_b"], parts: [{ raw: "AA", mediaType: "a/b" }] },
    configuration: { returnImmediately: true, acceptedOutputModes: ["text/plain"] },
  });
});

test("what is the caller's own is left alone", () => {
  const params = {
    message: { messageId: "m", parts: [{ data: { a_b: [{ c_d: 1 }] } }], metadata: { e_f: 2 } },
    metadata: { g_h: 3 },
  };
  expect(read(params)).toBe(params);
});

test("of both spellings the one of the specification counts", () => {
  expect(v1.params("GetTask", { history_length: 5, historyLength: 0 }, asker)).toEqual({ historyLength: 0 });
  expect(v1.params("GetTask", { historyLength: 0, history_length: 5 }, asker)).toEqual({ historyLength: 0 });
});

test.each([[undefined], [null], [["a_b"]], ["a_b"], [JSON.parse('{"__proto__":{"a_b":1},"_x":1,"A_B":1}')]])(
  "%j is handed on as it is",
  (params) => {
    expect(read(params)).toBe(params);
  },
);
