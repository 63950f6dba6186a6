import { type MethodRow, methods, ProtocolError } from "@cleveragents/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { paramsError } from "../src/dispatch/violations.ts";
import { type Asker, type Dialect, STANDARD_METHODS } from "../src/wire/dialects/dialect.ts";
import { dialectFor } from "../src/wire/dialects/dialect-for.ts";
import { fromMessage, toMessage } from "../src/wire/dialects/v03/message.ts";
import { anyJson, message, pushConfig, streamResponse, task } from "./arbitraries.ts";
import { Event, Message, Task, TaskPushNotificationConfig } from "./legacy-shapes.ts";

const v03 = dialectFor("0.3");
const rest = dialectFor("0.3", "http+json");
const asker: Asker = { newId: () => "new", hasTask: async (id) => id.length % 2 === 0 };
const overJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

describe("A2A 1.0 to 0.3 and back", () => {
  test("is the same message, for everything that 0.3 can express", () => {
    fc.assert(
      fc.property(message, (sent) => void expect(fromMessage(overJson(toMessage(sent)))).toEqual(sent)),
    );
  });

  test("is the same configuration of push notifications", async () => {
    const method = "CreateTaskPushNotificationConfig";
    await fc.assert(
      fc.asyncProperty(pushConfig, async (config) => {
        expect(await v03.params(method, overJson(v03.result(method, config)), asker)).toEqual(config);
        const { taskId } = config as { taskId: string };
        if (!taskId.includes("/") && !String(config["id"]).includes("/"))
          expect(await rest.params(method, overJson(rest.result(method, config)), asker)).toEqual(config);
      }),
    );
  });

  test.each([
    [
      "the media type and the name of text",
      { text: "a", mediaType: "text/markdown", filename: "a.md" },
      { text: "a" },
    ],
    [
      "the media type and the name of data",
      { data: [1], mediaType: "application/x", filename: "a" },
      { data: [1] },
    ],
    ["an empty metadata beside data that is no object", { data: 1, metadata: {} }, { data: 1 }],
    [
      "the mark of wrapped data on data that looks it",
      { data: { value: 1 }, metadata: { data_part_compat: true } },
      { data: 1 },
    ],
  ])("loses %s, and no more", (_, part, left) => {
    const sent = (one: unknown) => ({ messageId: "m", role: "ROLE_USER", parts: [one] });
    expect(fromMessage(overJson(toMessage(sent(part))))).toEqual(sent(left));
  });
});

describe("what 0.3 is answered", () => {
  test("has the shape of its schema and a kind on every object", () => {
    fc.assert(
      fc.property(message, task, pushConfig, (said, done, config) => {
        expect(Task.parse(v03.result("SendMessage", { task: done }))).toMatchObject({ kind: "task" });
        expect(Message.parse(v03.result("SendMessage", { message: said }))).toMatchObject({
          kind: "message",
        });
        Task.parse(v03.result("GetTask", done));
        Task.parse(v03.result("CancelTask", done));
        TaskPushNotificationConfig.parse(v03.result("CreateTaskPushNotificationConfig", config));
        TaskPushNotificationConfig.array().parse(
          v03.result("ListTaskPushNotificationConfigs", { configs: [config], nextPageToken: "" }),
        );
      }),
    );
  });

  test("has it in streams too", () => {
    fc.assert(
      fc.property(streamResponse, (element) => void Event.parse(v03.element("SubscribeToTask", element))),
    );
  });

  test("is final where the stream ends", () => {
    const final = (method: "SendStreamingMessage" | "SubscribeToTask", state: string) => {
      const element = { statusUpdate: { taskId: "t", contextId: "c", status: { state } } };
      const { statusUpdate } = rest.element(method, element) as { statusUpdate: { final: boolean } };
      const here = v03.element(method, element) as { final: boolean };
      expect(statusUpdate.final).toBe(here.final);
      return here.final;
    };
    const ended = ["COMPLETED", "FAILED", "CANCELED", "REJECTED"];
    for (const state of ["SUBMITTED", "WORKING", "AUTH_REQUIRED", "INPUT_REQUIRED", ...ended]) {
      expect(final("SubscribeToTask", `TASK_STATE_${state}`), state).toBe(ended.includes(state));
      expect(final("SendStreamingMessage", `TASK_STATE_${state}`), state).toBe(
        ended.includes(state) || state === "INPUT_REQUIRED",
      );
    }
  });
});

describe("parameters that mean nothing", () => {
  /** Random JSON rarely looks like a request; this often does. */
  const names = [
    "message",
    "parts",
    "content",
    "kind",
    "text",
    "file",
    "bytes",
    "uri",
    "data",
    "role",
    "id",
    "taskId",
  ];
  const more = [
    "contextId",
    "configuration",
    "blocking",
    "pushNotificationConfig",
    "authentication",
    "schemes",
    "name",
  ];
  const { almost } = fc.letrec((tie) => ({
    leaf: fc.oneof(
      anyJson,
      fc.constantFrom("user", "ROLE_USER", "text", "file", "data", "message", "tasks/1"),
    ),
    object: fc.dictionary(fc.constantFrom(...names, ...more, "parent", "config", "status"), tie("almost"), {
      maxKeys: 4,
    }),
    almost: fc.oneof(
      { depthSize: "medium" },
      tie("leaf"),
      tie("object"),
      fc.array(tie("almost"), { maxLength: 2 }),
    ),
  }));

  async function read(dialect: Dialect, method: (typeof STANDARD_METHODS)[number], params: unknown) {
    const row = (methods as Readonly<Record<string, MethodRow>>)[method];
    const canonical = await dialect.params(method, params, asker);
    const verdict = row?.params.safeParse(canonical, { reportInput: true });
    if (verdict?.success === false) throw paramsError(verdict.error, (field) => dialect.field(method, field));
  }

  test.each([
    ["0.3 over JSON-RPC", v03],
    ["0.3 over HTTP+JSON", rest],
    ["1.0", dialectFor("1.0")],
  ])("are InvalidParams that names the field, in %s", async (_, dialect) => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...STANDARD_METHODS), almost, async (method, params) => {
        try {
          await read(dialect, method, params);
        } catch (error) {
          if (!ProtocolError.is(error)) throw error;
          expect(error.kind).toBe("InvalidParams");
          expect(error.violations.length).toBeGreaterThan(0);
          for (const { field, description } of error.violations) {
            expect(field).toEqual(expect.any(String));
            expect(description).not.toBe("");
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
