import { type MethodName, methods } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import { answers, requestText } from "../envelope/text.ts";
import type { Prepared } from "../task/fixtures.ts";
import { legacy } from "./legacy.ts";

/** Every old spelling, and the method that it means. */
const SPELLINGS: Readonly<Record<string, string>> = {
  "message/send": "SendMessage",
  "message/stream": "SendStreamingMessage",
  "tasks/get": "GetTask",
  "tasks/list": "ListTasks",
  "tasks/cancel": "CancelTask",
  "tasks/resubscribe": "SubscribeToTask",
  "tasks/subscribe": "SubscribeToTask",
  "tasks/pushNotificationConfig/set": "CreateTaskPushNotificationConfig",
  "tasks/pushNotificationConfig/get": "GetTaskPushNotificationConfig",
  "tasks/pushNotificationConfig/list": "ListTaskPushNotificationConfigs",
  "tasks/pushNotificationConfig/delete": "DeleteTaskPushNotificationConfig",
  "pushNotificationConfig/create": "CreateTaskPushNotificationConfig",
  "pushNotificationConfig/get": "GetTaskPushNotificationConfig",
  "pushNotificationConfig/list": "ListTaskPushNotificationConfigs",
  "pushNotificationConfig/delete": "DeleteTaskPushNotificationConfig",
  "agent/getAuthenticatedExtendedCard": "GetExtendedAgentCard",
  getExtendedAgentCard: "GetExtendedAgentCard",
  "agent/authenticatedExtendedCard": "GetExtendedAgentCard",
};
const served = Object.entries(SPELLINGS).filter(([, name]) => Object.hasOwn(methods, name));

export function names({ world }: Prepared): void {
  describe("names before A2A 1.0", () => {
    test("cover every standard method that is served", () => {
      const standard = (Object.keys(methods) as MethodName[]).filter(
        (name) => methods[name].family === "a2a",
      );
      expect([...new Set(served.map(([, name]) => name))].sort()).toEqual(standard.sort());
    });

    test.each(served)("%s is %s, with the same scope", async (spelling, name) => {
      const nobody = world().as("nobody", []);
      for (const version of [
        {},
        { "A2A-Version": "" },
        { "A2A-Version": "0.3" },
        { "A2A-Version": "0.3.0" },
      ]) {
        expect(await nobody.raw(requestText(spelling, []), version as Record<string, string>)).toEqual(
          answers(1, "PermissionDenied"),
        );
      }
      expect(methods).toHaveProperty(name);
    });

    test.each(served)(
      "%s under 1.0 is MethodNotFound, and the message names the header to send",
      async (spelling) => {
        const answer = await world().raw(requestText(spelling, {}), { "A2A-Version": "1.0" });
        expect(answer).toEqual(answers(1, "MethodNotFound"));
        expect(answer).toMatchObject({ error: { message: expect.stringContaining("A2A-Version: 0.3") } });
      },
    );

    test.each(Object.keys(SPELLINGS))(
      "%s is VersionNotSupported under a version that nobody speaks",
      async (spelling) => {
        expect(await world().raw(requestText(spelling, {}), { "A2A-Version": "0.4" })).toEqual(
          answers(1, "VersionNotSupported"),
        );
      },
    );

    test.each(["toString", "constructor", "message", "MESSAGE/SEND", "tasks/get "])(
      "%j is nobody's, and no header helps",
      async (spelling) => {
        const answer = await legacy(world(), spelling, {});
        expect(answer).toEqual(answers(1, "MethodNotFound"));
        expect(answer).not.toMatchObject({ error: { message: expect.stringContaining("A2A-Version") } });
      },
    );
  });
}
