import { describe, expect, test } from "vitest";
import { answers } from "../envelope/text.ts";
import { anId, aTime } from "../matchers.ts";
import type { Prepared } from "../task/fixtures.ts";
import { type LegacyTask, legacy, legacyResult } from "./legacy.ts";

interface Message {
  readonly kind: string;
  readonly role: string;
  readonly parts: readonly { readonly kind: string }[];
}
interface WholeTask extends LegacyTask {
  readonly status: LegacyTask["status"] & { readonly message: Message };
  readonly artifacts: readonly { readonly parts: readonly { readonly kind: string }[] }[];
  readonly history: readonly Message[];
}

export function legacyAnswers({ world, gate, done, manual }: Prepared): void {
  describe("answers under 0.3", () => {
    test("a task that asks has a kind at every depth", async () => {
      const task = await legacyResult<WholeTask>(world(), "tasks/get", { id: gate() });
      expect(task).toMatchObject({
        kind: "task",
        id: gate(),
        status: { state: "input-required", timestamp: aTime },
      });
      const messages = [task.status.message, ...task.history];
      expect(messages.map(({ kind, role }) => [kind, role])).toEqual(
        messages.map(() => ["message", "agent"]),
      );
      const parts = [...messages, ...task.artifacts].flatMap((holder) =>
        holder.parts.map(({ kind }) => kind),
      );
      expect(new Set(parts)).toEqual(new Set(["text", "data"]));
    });

    test("the same task under 1.0 has none", async () => {
      expect(JSON.stringify(await world().client.call("GetTask", { id: gate() }))).not.toMatch(
        /"kind":"(task|message|text)"/,
      );
    });

    test("historyLength is read by tasks/get, and a wrong one refused", async () => {
      const task = await legacyResult(world(), "tasks/get", { id: gate(), historyLength: 0 });
      expect(task).not.toHaveProperty("history");
      expect(await legacy(world(), "tasks/get", { id: gate(), historyLength: -1 })).toEqual(
        answers(1, "InvalidParams"),
      );
    });

    test("tasks/list gives the caller's tasks, and filters by the words of 0.3", async () => {
      const list = (params: object) =>
        legacyResult<{ tasks: LegacyTask[]; totalSize: number }>(world(), "tasks/list", params);
      const all = await list({ pageSize: 100 });
      expect(all).toMatchObject({ nextPageToken: "", pageSize: 100, totalSize: all.tasks.length });
      expect(all.tasks.map(({ id }) => id)).toEqual(expect.arrayContaining([gate(), done(), manual()]));
      expect(all.tasks.map(({ kind }) => kind)).toEqual(all.tasks.map(() => "task"));
      const over = await list({ status: "completed" });
      expect(over.tasks.map(({ id }) => id)).toContain(done());
      expect(new Set(over.tasks.map(({ status }) => status.state))).toEqual(new Set(["completed"]));
      expect(await list({ status: "TASK_STATE_COMPLETED" })).toEqual(over);
      expect(await legacy(world(), "tasks/list", { status: "done" })).toEqual(answers(1, "InvalidParams"));
    });

    test("an error has the code and the details of 1.0's", async () => {
      expect(await legacy(world(), "tasks/get", { id: "nope" })).toEqual({
        jsonrpc: "2.0",
        id: 1,
        error: {
          code: -32001,
          message: "Task not found",
          data: [
            {
              "@type": "type.googleapis.com/google.rpc.ErrorInfo",
              reason: "TASK_NOT_FOUND",
              domain: "a2a-protocol.org",
              metadata: { taskId: "nope", requestId: anId, timestamp: aTime },
            },
          ],
        },
      });
      expect(await legacy(world(), "tasks/cancel", { id: done() })).toEqual(answers(1, "TaskNotCancelable"));
    });

    test("extensions are named in the header of 0.3, and answered there", async () => {
      const asked = { "X-A2A-Extensions": "urn:cleveragents:extensions:resume:v1" };
      const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: gate() } });
      const { parameters } = await world().exchange(request, asked);
      expect(parameters).toEqual({ "x-a2a-extensions": "urn:cleveragents:extensions:resume:v1" });
    });
  });
}
