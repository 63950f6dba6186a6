import { describe, expect, test } from "vitest";
import { answers } from "../envelope/text.ts";
import { anId } from "../matchers.ts";
import type { Prepared } from "../task/fixtures.ts";
import { callPart, type LegacyTask, legacy, legacyMessage, legacyResult, text } from "./legacy.ts";

const TERMINAL = ["completed", "failed", "canceled", "rejected"];

export function legacyMessages({ world, gate }: Prepared): void {
  describe("message/send of 0.3", () => {
    test("is answered with the bare Task, once it is over", async () => {
      const message = legacyMessage([callPart("idle", "ci")]);
      const task = await legacyResult(world(), "message/send", { message });
      expect(task).toMatchObject({ kind: "task", id: anId, status: { state: "completed" } });
      expect(task).toMatchObject({ history: [{ ...message, taskId: task.id, contextId: task.contextId }] });
    });

    test("is answered with the bare Message where no task comes of it", async () => {
      const answer = await legacyResult(world(), "message/send", { message: legacyMessage([text("hello")]) });
      expect(["message", "task"]).toContain(answer.kind);
      if ((answer.kind as string) === "message") expect(answer).toMatchObject({ role: "agent" });
    });

    test.each([
      ["true", { blocking: true }],
      ["left out", {}],
    ])("with blocking %s waits until the task is over or asks", async (_, configuration) => {
      const message = legacyMessage([callPart("idle", "manual")]);
      const task = await legacyResult(world(), "message/send", { message, configuration });
      expect(task.status.state).toBe("input-required");
    });

    test("with blocking false does not wait", async () => {
      const message = legacyMessage([callPart("wait", "trusted")]);
      const params = { message, configuration: { blocking: false } };
      const task = await legacyResult(world(), "message/send", params);
      expect(TERMINAL).not.toContain(task.status.state);
      expect(task.status.state).not.toBe("input-required");
      const canceled = await legacyResult(world(), "tasks/cancel", { id: task.id });
      expect(canceled).toMatchObject({ kind: "task", status: { state: "canceled" } });
    });

    test("answers a task that asks, and historyLength bounds what comes back", async () => {
      const opened = await legacyResult(world(), "message/send", {
        message: legacyMessage([callPart("idle", "manual")]),
      });
      const message = legacyMessage([text("hm")], { taskId: opened.id, contextId: opened.contextId });
      const configuration = { historyLength: 1 };
      const task = await legacyResult<LegacyTask & { history: unknown[] }>(world(), "message/send", {
        message,
        configuration,
      });
      expect(task).toMatchObject({ id: opened.id, status: { state: "input-required" } });
      expect(task.history).toHaveLength(1);
    });

    test("ignores what it does not know, and does not send it back", async () => {
      const message = legacyMessage([{ ...callPart("idle", "ci"), shade: "dark" }], { mood: "good" });
      const task = await legacyResult(world(), "message/send", { message, futureFlag: true });
      expect(JSON.stringify(task)).not.toMatch(/futureFlag|mood|shade/);
    });

    test.each([
      ["no kind beside parts that have one", "message.parts.1.kind", [text("a"), { text: "b" }]],
      ["a kind that is none", "message.parts.0.kind", [{ kind: "toString", text: "a" }]],
      ["text that is missing", "message.parts.0.text", [{ kind: "text" }]],
      ["text that is no string", "message.parts.0.text", [{ kind: "text", text: 7 }]],
      ["a file that is missing", "message.parts.0.file", [{ kind: "file" }]],
      ["a file with neither content", "message.parts.0.file", [{ kind: "file", file: { name: "a" } }]],
      [
        "a file with both contents",
        "message.parts.0.file",
        [{ kind: "file", file: { bytes: "YQ==", uri: "x:y" } }],
      ],
      ["bytes that are not base64", "message.parts.0.file.bytes", [{ kind: "file", file: { bytes: "%%%" } }]],
      ["data that is no object", "message.parts.0.data", [{ kind: "data", data: [1] }]],
      ["a part that is none", "message.parts.1", [text("a"), null]],
    ])("with %s is InvalidParams at %s", async (_, field, parts) => {
      const answer = await legacy(world(), "message/send", { message: legacyMessage(parts) });
      expect(answer).toEqual(answers(1, "InvalidParams"));
      expect(answer).toMatchObject({ error: { data: [{}, { fieldViolations: [{ field }] }] } });
    });

    test.each([
      ["messageId", { messageId: undefined }],
      ["role", { role: "ROLE_USER" }],
      ["role", { role: undefined }],
      ["kind", { kind: "task" }],
      ["parts", { parts: undefined }],
    ])("to the letter of 0.3 with a wrong %s is InvalidParams", async (field, more) => {
      const message = legacyMessage([text("a")], more);
      const answer = await legacy(world(), "message/send", { message });
      expect(answer).toEqual(answers(1, "InvalidParams"));
      const at = { fieldViolations: [{ field: `message.${field}` }] };
      expect(answer).toMatchObject({ error: { data: [{}, at] } });
    });

    test("tells the faults of a configuration under the names of 0.3", async () => {
      const message = legacyMessage([text("a")]);
      const refused = async (configuration: unknown) =>
        (await legacy(world(), "message/send", { message, configuration })) as object;
      expect(await refused({ blocking: "no" })).toMatchObject({
        error: { code: -32602, message: expect.stringContaining("configuration.blocking") },
      });
      expect(await refused({ historyLength: -1 })).toMatchObject({
        error: { code: -32602, message: expect.stringContaining("configuration.historyLength") },
      });
    });

    test("to a task of somebody else is TaskNotFound, as under every version", async () => {
      const message = legacyMessage([text("yes")], { taskId: gate() });
      expect(await legacy(world().as("somebody-else"), "message/send", { message })).toEqual(
        answers(1, "TaskNotFound"),
      );
    });
  });
}
