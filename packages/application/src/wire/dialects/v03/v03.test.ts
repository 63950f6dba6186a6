import { expect, test } from "vitest";
import type { Asker } from "../dialect.ts";
import { v03 } from "./index.ts";

const asker: Asker = { newId: () => "new", hasTask: async () => true };

test("a message is read with every kind of part", () => {
  const message = {
    kind: "message",
    messageId: "m",
    role: "user",
    contextId: "c",
    taskId: "t",
    referenceTaskIds: ["r"],
    extensions: ["urn:x"],
    metadata: { a: 1 },
    parts: [
      { kind: "text", text: "hello", metadata: { b: 2 } },
      { kind: "file", file: { bytes: "AP8=", mimeType: "image/png", name: "a.png" } },
      { kind: "file", file: { uri: "https://example.com/a" } },
      { kind: "data", data: { c: 3 } },
      { kind: "data", data: { value: [4] }, metadata: { data_part_compat: true, d: 5 } },
    ],
  };
  const params = {
    message,
    configuration: { blocking: false, historyLength: 2, acceptedOutputModes: ["text/plain"] },
  };
  expect(v03.params("SendMessage", params, asker)).toEqual({
    message: {
      messageId: "m",
      role: "ROLE_USER",
      contextId: "c",
      taskId: "t",
      referenceTaskIds: ["r"],
      extensions: ["urn:x"],
      metadata: { a: 1 },
      parts: [
        { text: "hello", metadata: { b: 2 } },
        { raw: "AP8=", mediaType: "image/png", filename: "a.png" },
        { url: "https://example.com/a" },
        { data: { c: 3 } },
        { data: [4], metadata: { d: 5 } },
      ],
    },
    configuration: { returnImmediately: true, historyLength: 2, acceptedOutputModes: ["text/plain"] },
  });
});

test("a task is written with a kind at every depth", () => {
  const said = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "hello", mediaType: "text/plain" }] };
  const written = {
    kind: "message",
    messageId: "m",
    role: "agent",
    parts: [{ kind: "text", text: "hello" }],
  };
  const task = {
    id: "t",
    contextId: "c",
    status: { state: "TASK_STATE_AUTH_REQUIRED", message: said, timestamp: "2026-01-02T03:04:05.678Z" },
    history: [said],
    artifacts: [{ artifactId: "a", name: "n", parts: [{ data: null }, { raw: "AA==" }] }],
    metadata: { x: 1 },
  };
  expect(v03.result("SendMessage", { task })).toEqual({
    kind: "task",
    id: "t",
    contextId: "c",
    status: { state: "auth-required", message: written, timestamp: "2026-01-02T03:04:05.678Z" },
    history: [written],
    artifacts: [
      {
        artifactId: "a",
        name: "n",
        parts: [
          { kind: "data", data: { value: null }, metadata: { data_part_compat: true } },
          { kind: "file", file: { bytes: "AA==" } },
        ],
      },
    ],
    metadata: { x: 1 },
  });
});

test("a task's one configuration of push notifications needs no id: it goes by the task's", () => {
  const pushNotificationConfig = { url: "https://example.com/hook", token: "secret" };
  expect(
    v03.params("CreateTaskPushNotificationConfig", { taskId: "t", pushNotificationConfig }, asker),
  ).toEqual({
    taskId: "t",
    id: "t",
    url: "https://example.com/hook",
    token: "secret",
  });
  expect(v03.params("GetTaskPushNotificationConfig", { id: "t" }, asker)).toEqual({ taskId: "t", id: "t" });
  const named = { id: "t", pushNotificationConfigId: "c" };
  expect(v03.params("GetTaskPushNotificationConfig", named, asker)).toEqual({ taskId: "t", id: "c" });
  expect(v03.params("DeleteTaskPushNotificationConfig", named, asker)).toEqual({ taskId: "t", id: "c" });
  expect(v03.params("ListTaskPushNotificationConfigs", { id: "t" }, asker)).toEqual({ taskId: "t" });
});

test("of several schemes of authentication the first is used, and none at all is none", () => {
  const read = (authentication: unknown) =>
    v03.params(
      "CreateTaskPushNotificationConfig",
      { taskId: "t", pushNotificationConfig: { url: "u", authentication } },
      asker,
    );
  expect(read({ schemes: ["Bearer", "Basic"], credentials: "x" })).toMatchObject({
    authentication: { scheme: "Bearer", credentials: "x" },
  });
  expect(read({ schemes: [] })).not.toHaveProperty("authentication");
});

test.each([
  ["SendMessage", "message.parts.3.raw", "message.parts.3.file.bytes"],
  ["SendMessage", "message.parts.0.text", "message.parts.0.text"],
  ["SendStreamingMessage", "configuration.returnImmediately", "configuration.blocking"],
  ["SendMessage", "configuration.taskPushNotificationConfig.url", "configuration.pushNotificationConfig.url"],
  ["CreateTaskPushNotificationConfig", "url", "pushNotificationConfig.url"],
  [
    "CreateTaskPushNotificationConfig",
    "authentication.scheme",
    "pushNotificationConfig.authentication.schemes",
  ],
  ["CreateTaskPushNotificationConfig", "taskId", "taskId"],
  ["GetTaskPushNotificationConfig", "id", "pushNotificationConfigId"],
  ["GetTaskPushNotificationConfig", "taskId", "id"],
  ["GetTask", "id", "id"],
] as const)("a fault of %s at %s is told at %s", (method, field, told) => {
  expect(v03.field(method, field)).toBe(told);
});
