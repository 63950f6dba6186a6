import { expect, test } from "vitest";
import { streamNotification } from "./stream-notification.ts";

const element = (result: unknown) => ({ cursor: "t:7", seq: 7, result });
const status = { state: "working" };

test("an element of A2A 1.0 is one notification, whatever is in it", () => {
  const result = { statusUpdate: { taskId: "t", status: { state: "TASK_STATE_WORKING" } } };
  expect(streamNotification(1, element(result))).toEqual({
    jsonrpc: "2.0",
    method: "$/stream",
    params: { id: 1, seq: 7, result },
  });
});

test.each([
  ["task/snapshot", { kind: "task", id: "t", status }, { state: "working" }],
  ["task/statusUpdate", { kind: "status-update", taskId: "t", status, final: false }, { state: "working" }],
  ["task/artifactUpdate", { kind: "artifact-update", taskId: "t", artifact: {} }, {}],
  ["task/message", { kind: "message", messageId: "m" }, {}],
])("under 0.3 one is %s: the object, its state, the request and the number", (method, result, state) => {
  expect(streamNotification("", element(result), "0.3")).toEqual({
    jsonrpc: "2.0",
    method,
    params: { ...result, ...state, requestId: "", sequence: 7 },
  });
});

test("one that is a notification itself keeps its name under every version, and says its cursor", () => {
  const own = { ...element({ taskId: "t", sequence: 7 }), cursor: "opaque", event: "task/statusUpdate" };
  const params = { taskId: "t", sequence: 7, requestId: 1, cursor: "opaque" };
  for (const version of [undefined, "0.3"] as const)
    expect(streamNotification(1, own, version)).toEqual({
      jsonrpc: "2.0",
      method: "task/statusUpdate",
      params,
    });
});

test.each([[{ kind: "toString" }], [{}], [null], ["text"]])(
  "%j is nothing of 0.3's and stays as it is",
  (result) => {
    expect(streamNotification(1, element(result), "0.3")).toMatchObject({
      method: "$/stream",
      params: { result },
    });
  },
);
