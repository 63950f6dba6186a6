import { MessageSchema } from "@cleveragents/protocol";
import { expect, test } from "vitest";
import type { Asker } from "../dialect.ts";
import { v03Rest } from "./index.ts";

const asker: Asker = { newId: () => "new", hasTask: async () => true };

test("a message is read in camelCase and in snake_case", () => {
  const camel = {
    message: {
      messageId: "m",
      contextId: "c",
      role: "ROLE_USER",
      content: [{ text: "hello" }, { file: { fileWithUri: "https://example.com/a", mimeType: "image/png" } }],
    },
    configuration: { acceptedOutputModes: ["text/plain"], historyLength: 2, blocking: true },
  };
  const snake = {
    message: {
      message_id: "m",
      context_id: "c",
      role: "ROLE_USER",
      content: [
        { text: "hello" },
        { file: { file_with_uri: "https://example.com/a", mime_type: "image/png" } },
      ],
    },
    configuration: { accepted_output_modes: ["text/plain"], history_length: 2, blocking: true },
  };
  const read = {
    message: {
      messageId: "m",
      contextId: "c",
      role: "ROLE_USER",
      parts: [{ text: "hello" }, { url: "https://example.com/a", mediaType: "image/png" }],
    },
    configuration: { acceptedOutputModes: ["text/plain"], historyLength: 2, returnImmediately: false },
  };
  expect(v03Rest.params("SendMessage", camel, asker)).toEqual(read);
  expect(v03Rest.params("SendStreamingMessage", snake, asker)).toEqual(read);
});

test("a binary part goes through unchanged, in either alphabet of base64", () => {
  for (const bytes of ["AP8=", "AP8"]) {
    const message = { messageId: "m", role: "ROLE_USER", content: [{ file: { fileWithBytes: bytes } }] };
    const read = v03Rest.params("SendMessage", { message }, asker) as { message: unknown };
    const { parts } = MessageSchema.parse(read.message);
    expect(Buffer.from(parts[0]?.raw ?? "", "base64")).toEqual(Buffer.from([0x00, 0xff]));
    const task = {
      id: "t",
      contextId: "c",
      status: { state: "TASK_STATE_WORKING" },
      artifacts: [{ artifactId: "a", parts }],
    };
    expect(v03Rest.result("GetTask", task)).toMatchObject({
      artifacts: [{ parts: [{ file: { fileWithBytes: "AP8=" } }] }],
    });
  }
});

test("a canceled task is spelt with two L, the other states as in 1.0", () => {
  const state = (name: string) =>
    (
      v03Rest.result("GetTask", { id: "t", contextId: "c", status: { state: name } }) as {
        status: { state: string };
      }
    ).status.state;
  expect(state("TASK_STATE_CANCELED")).toBe("TASK_STATE_CANCELLED");
  expect(state("TASK_STATE_INPUT_REQUIRED")).toBe("TASK_STATE_INPUT_REQUIRED");
});

test("answers are under the member of the proto, messages with their content", () => {
  const said = { messageId: "m", role: "ROLE_AGENT", parts: [{ data: { a: 1 } }, { data: [2] }] };
  const written = {
    messageId: "m",
    role: "ROLE_AGENT",
    content: [{ data: { data: { a: 1 } } }, { data: { data: { value: [2] } } }],
  };
  expect(v03Rest.result("SendMessage", { message: said })).toEqual({ message: written });
  const status = { state: "TASK_STATE_COMPLETED", message: said };
  expect(
    v03Rest.element("SubscribeToTask", { statusUpdate: { taskId: "t", contextId: "c", status } }),
  ).toEqual({
    statusUpdate: {
      taskId: "t",
      contextId: "c",
      status: { state: "TASK_STATE_COMPLETED", message: written },
      final: true,
    },
  });
});

test("a task is named by its id or by the resource name of the proto", () => {
  expect(v03Rest.params("GetTask", { id: "t", history_length: 3 }, asker)).toEqual({
    id: "t",
    historyLength: 3,
  });
  expect(v03Rest.params("CancelTask", { name: "tasks/t" }, asker)).toEqual({ id: "t" });
  expect(
    v03Rest.params("GetTaskPushNotificationConfig", { name: "tasks/t/pushNotificationConfigs/c" }, asker),
  ).toEqual({ taskId: "t", id: "c" });
  expect(() => v03Rest.params("GetTask", { name: "task/t" }, asker)).toThrow("name: must be tasks/{id}");
});

test("a configuration is the body, or stands in the whole request", () => {
  const pushNotificationConfig = {
    id: "c",
    url: "https://example.com/hook",
    authentication: { schemes: ["Bearer"] },
  };
  const read = {
    taskId: "t",
    id: "c",
    url: "https://example.com/hook",
    authentication: { scheme: "Bearer" },
  };
  const method = "CreateTaskPushNotificationConfig";
  expect(v03Rest.params(method, { taskId: "t", pushNotificationConfig }, asker)).toEqual(read);
  const name = "tasks/t/pushNotificationConfigs/c";
  const { id: _, ...unnamed } = pushNotificationConfig;
  expect(v03Rest.params(method, { name, push_notification_config: unnamed }, asker)).toEqual(read);
  const whole = { parent: "tasks/t", config_id: "c", config: { push_notification_config: unnamed } };
  expect(v03Rest.params(method, whole, asker)).toEqual(read);
  expect(v03Rest.result(method, read)).toEqual({ name, pushNotificationConfig });
});

test.each([{}, { schemes: [] }, { schemes: [], credentials: "" }])(
  "authentication %j is none: proto-JSON leaves an empty list out",
  (authentication) => {
    const pushNotificationConfig = { id: "c", url: "https://example.com/hook", authentication };
    const method = "CreateTaskPushNotificationConfig";
    expect(v03Rest.params(method, { taskId: "t", pushNotificationConfig }, asker)).toEqual({
      taskId: "t",
      id: "c",
      url: "https://example.com/hook",
    });
  },
);

test("a history of 0 is one without limit, and there is no list of tasks", () => {
  const message = { messageId: "m", role: "ROLE_USER", content: [{ text: "a" }] };
  expect(
    v03Rest.params("SendMessage", { message, configuration: { history_length: 0 } }, asker),
  ).toMatchObject({
    configuration: {},
  });
  expect([...v03Rest.names.keys()]).not.toContain("ListTasks");
});

test.each([
  [undefined, undefined],
  [{}, true],
  [{ history_length: 1 }, true],
  [{ blocking: false }, true],
  [{ blocking: true }, false],
])("configuration %j is returnImmediately %s: proto-JSON leaves false out", (configuration, expected) => {
  const message = { messageId: "m", role: "ROLE_USER", content: [{ text: "a" }] };
  const read = v03Rest.params("SendMessage", { message, configuration }, asker) as {
    configuration?: { returnImmediately?: boolean };
  };
  expect(read.configuration?.returnImmediately).toBe(expected);
});
