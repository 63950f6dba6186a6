import { describe, expect, test } from "vitest";
import { stranger } from "../../world/world.ts";
import { answers } from "../envelope/text.ts";
import { anId } from "../matchers.ts";
import type { Prepared } from "../task/fixtures.ts";
import { callPart, type LegacyTask, legacy, legacyMessage, legacyResult } from "./legacy.ts";

const call = (profile: string) => ({ data: callPart("idle", profile).data });
const user = (parts: readonly unknown[], more: object = {}) => ({ role: "user", parts, ...more });

export function documentMessages({ world }: Prepared): void {
  const start = () => legacyResult(world(), "message/send", { message: user([call("manual")]) });

  describe("messages as the documents write them", () => {
    test("need no kind, and are given an id where they have none", async () => {
      const message = user([call("ci"), { text: "please" }]);
      const task = await legacyResult<LegacyTask & { history: object[] }>(world(), "message/send", {
        message,
      });
      expect(task).toMatchObject({ kind: "task", status: { state: "completed" } });
      expect(task.history[0]).toMatchObject({
        kind: "message",
        messageId: anId,
        role: "user",
        parts: [
          { kind: "data", data: call("ci").data },
          { kind: "text", text: "please" },
        ],
      });
    });

    test("keep an id of their own, under which they are one message however often they come", async () => {
      const message = user([call("manual")], { messageId: `document-${crypto.randomUUID()}` });
      const first = await legacyResult(world(), "message/send", { message });
      expect((await legacyResult(world(), "message/send", { message })).id).toBe(first.id);
    });

    test("may hold files", async () => {
      const files = [
        { file: { bytes: "AP8=", mimeType: "image/png", name: "a.png" } },
        { file: { uri: "https://example.com/a" } },
      ];
      const task = await legacyResult(world(), "message/send", { message: user([call("manual"), ...files]) });
      expect(task).toMatchObject({
        history: [{ parts: [{}, ...files.map((file) => ({ kind: "file", ...file }))] }, {}],
      });
      const { history } = await world().client.call("GetTask", { id: task.id });
      expect(history?.[0]?.parts.slice(1)).toEqual([
        { raw: "AP8=", mediaType: "image/png", filename: "a.png" },
        { url: "https://example.com/a" },
      ]);
    });

    test.each([
      ["a contextId that holds the task's id", (id: string) => ({ contextId: id })],
      ["a contextId that holds the task's id after task_", (id: string) => ({ contextId: `task_${id}` })],
      ["a taskId", (id: string) => ({ taskId: id })],
    ])("answer a task by %s", async (_, naming) => {
      const { id } = await start();
      const task = await legacyResult(world(), "message/send", {
        message: user([{ text: "hm" }], naming(id)),
      });
      expect(task).toMatchObject({ id, status: { state: "input-required" } });
    });

    test("answer a task by a taskId beside the message", async () => {
      const { id } = await start();
      const task = await legacyResult(world(), "message/send", {
        message: user([{ text: "hm" }]),
        taskId: id,
      });
      expect(task).toMatchObject({ id, status: { state: "input-required" } });
    });

    test("of a contextId that is a context's begin something new in it", async () => {
      const { id, contextId } = await start();
      const task = await legacyResult(world(), "message/send", {
        message: user([call("manual")], { contextId }),
      });
      expect(task.id).not.toBe(id);
      expect(task.contextId).toBe(contextId);
    });

    test("say nothing about tasks of somebody else", async () => {
      const { id } = await start();
      const other = stranger(world());
      // Ids and times differ whatever is said.
      const sent = async (contextId: string) =>
        JSON.stringify(
          await legacy(other, "message/send", { message: user([{ text: "no" }], { contextId }) }),
        ).replaceAll(/[0-9A-HJKMNP-TV-Z]{26}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…");
      const invented = "01JD0000000000000000000000";
      expect(await sent(`task_${id}`)).toContain("TASK_NOT_FOUND");
      expect(await sent(`task_${id}`)).toBe(await sent(`task_${invented}`));
      expect(await sent(id)).toBe(await sent(invented));
      expect(await legacyResult(world(), "tasks/get", { id })).toMatchObject({
        status: { state: "input-required" },
      });
    });

    test("are 0.3 to the letter as soon as one part has a kind", async () => {
      const { id } = await start();
      const message = { ...legacyMessage([{ kind: "text", text: "no" }]), contextId: `task_${id}` };
      const answer = await legacy(world(), "message/send", { message });
      expect(JSON.stringify(answer)).not.toContain(`"id":"${id}"`);
      expect(await legacyResult(world(), "tasks/get", { id })).toMatchObject({
        status: { state: "input-required" },
      });
    });

    test.each([
      ["role", { role: undefined }],
      ["parts", { parts: [] }],
      ["parts.0", { parts: [{}] }],
    ])("with a wrong %s are InvalidParams", async (field, more) => {
      const answer = await legacy(world(), "message/send", { message: user([{ text: "a" }], more) });
      expect(answer).toEqual(answers(1, "InvalidParams"));
      expect(answer).toMatchObject({
        error: { data: [{}, { fieldViolations: [{ field: `message.${field}` }] }] },
      });
    });
  });
}
