import { APPROVAL_EXTENSION, type Client, PLATFORM_EXTENSION, type ResultOf } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import { atRest, stranger } from "../../world/index.ts";
import { anId, aTime } from "../matchers.ts";
import { refusals } from "../refusals.ts";
import { answerOf, callOf, type Prepared, say } from "./fixtures.ts";

type Task = ResultOf<"GetTask">;

export function sendMessage({ world, manual, gate, done, sent }: Prepared): void {
  describe("SendMessage", () => {
    test("text alone is answered by a message that says how to start a plan", async () => {
      const result = await world().client.call("SendMessage", { message: say("hello") });
      expect(result).toEqual({
        message: {
          messageId: anId,
          contextId: anId,
          role: "ROLE_AGENT",
          parts: [
            { text: expect.stringContaining('{"action_name": "…"') },
            { data: { type: "orientation", actions: expect.arrayContaining(["local/touch", "local/ask"]) } },
          ],
        },
      });
    });

    test("an action call starts a plan, and its Task is the answer once it is over", () => {
      const { message, answer } = sent();
      const { task } = answer as { task: Task };
      expect(task).toEqual({
        id: anId,
        contextId: anId,
        status: { state: "TASK_STATE_COMPLETED", timestamp: aTime },
        history: [{ ...message, taskId: task.id, contextId: task.contextId }],
        metadata: {
          [PLATFORM_EXTENSION]: { plan_id: task.id, action: "local/idle", phase: "apply", state: "applied" },
        },
      });
    });

    test("it waits until the plan asks for something, and the status says what", async () => {
      const { task } = await startManual(world().client);
      expect(task.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
      const [text, data] = task.status.message?.parts ?? [];
      const ask = {
        type: "approval_request",
        plan_id: task.id,
        request_id: anId,
        kind: "start",
        prompt: text?.text,
        options: [
          { id: "yes", label: "Go on" },
          { id: "no", label: "Cancel the plan" },
        ],
        free_text: false,
      };
      expect(data).toEqual({ mediaType: "application/vnd.cleveragents.approval+json", data: ask });
      expect(task.status.message?.metadata?.[APPROVAL_EXTENSION]).toEqual(ask);
    });

    test("returnImmediately does not wait", async () => {
      const configuration = { returnImmediately: true, historyLength: 0 };
      const { task } = (await world().client.call("SendMessage", {
        message: callOf("idle", "manual"),
        configuration,
      })) as { task: Task };
      expect(task.status.state).toBe("TASK_STATE_SUBMITTED");
      expect(task).not.toHaveProperty("history");
      await atRest(world().client, task.id);
    });

    test("a context of the caller's own goes on in a new task", async () => {
      const { contextId } = await world().client.call("GetTask", { id: manual() });
      const { task } = (await world().client.call("SendMessage", {
        message: callOf("idle", "manual", { contextId }),
      })) as { task: Task };
      expect(task.contextId).toBe(contextId);
      expect(task.id).not.toBe(manual());
    });

    test("the same message twice is one plan, also when both come at once", async () => {
      const caller = stranger(world());
      const message = callOf("idle", "manual");
      const answers = await Promise.all([1, 2, 3].map(() => caller.client.call("SendMessage", { message })));
      const again = await caller.client.call("SendMessage", { message });
      const ids = [...answers, again].map((answer) => (answer as { task: Task }).task.id);
      expect(new Set(ids).size).toBe(1);
      expect((await caller.client.call("ListTasks", {})).totalSize).toBe(1);
    });

    test("the same message of another caller is another plan", async () => {
      const message = callOf("idle", "manual");
      const [one, two] = [stranger(world()), stranger(world())];
      const answers = await Promise.all(
        [one, two].map(({ client }) => client.call("SendMessage", { message })),
      );
      const [first, second] = answers.map((answer) => (answer as { task: Task }).task.id);
      expect(first).not.toBe(second);
    });

    test("text that is clearly no ends a plan at its gate, and is kept in its history", async () => {
      const { task } = await startManual(world().client);
      const answer = await world().client.call("SendMessage", {
        message: say("No, thanks.", { taskId: task.id }),
      });
      expect(answer).toMatchObject({ task: { id: task.id, status: { state: "TASK_STATE_CANCELED" } } });
      expect((answer as { task: Task }).task.history?.map(({ parts }) => parts[0]?.text)).toEqual([
        undefined,
        expect.any(String),
        "No, thanks.",
      ]);
    });

    test.each(["yes, but only the first file", "why?", "not yet", "hm", "yes or no"])(
      "%j decides nothing: the question is asked again",
      async (text) => {
        const before = await world().client.call("_cleveragents/plan/status", { plan_id: manual() });
        const answer = await world().client.call("SendMessage", { message: say(text, { taskId: manual() }) });
        expect(answer).toMatchObject({ task: { status: { state: "TASK_STATE_INPUT_REQUIRED" } } });
        const after = await world().client.call("_cleveragents/plan/status", { plan_id: manual() });
        expect(after.waiting_for).toEqual(before.waiting_for);
      },
    );

    test("the same answer as data and as metadata is one answer", async () => {
      const { task, requestId } = await startManual(world().client);
      const decision = { request_id: requestId, choice: "no" };
      const message = answerOf(decision, { taskId: task.id, metadata: { [APPROVAL_EXTENSION]: decision } });
      expect(await world().client.call("SendMessage", { message })).toMatchObject({
        task: { status: { state: "TASK_STATE_CANCELED" } },
      });
    });

    const elsewhere = "somebody-else";
    refusals("SendMessage", world, {
      InvalidParams: {
        "a message without id": ({ client }) =>
          client.call("SendMessage", { message: { role: "ROLE_USER", parts: [{ text: "x" }] } as never }),
        "a message without parts": ({ client }) => client.call("SendMessage", { message: say([]) }),
        "a part that is two things": ({ client }) =>
          client.call("SendMessage", { message: say([{ text: "x", url: "https://example.com" }]) }),
        "a part that is nothing": ({ client }) =>
          client.call("SendMessage", { message: say([{ filename: "x" }]) }),
        "an action that nobody registered": ({ client }) =>
          client.call("SendMessage", { message: callOf("nope", "manual") }),
        "a profile that is none": ({ client }) =>
          client.call("SendMessage", { message: callOf("idle", "nope") }),
        "an argument that the action does not have": {
          reason: "ARGUMENTS_INVALID",
          attempt: ({ client }) =>
            client.call("SendMessage", { message: callOf("idle", "manual", {}, { nope: "x" }) }),
        },
        "a context that nobody has": ({ client }) =>
          client.call("SendMessage", { message: callOf("idle", "manual", { contextId: "nope" }) }),
        "somebody else's context": async (w) => {
          const { contextId } = await w.client.call("GetTask", { id: manual() });
          return w
            .as(elsewhere)
            .client.call("SendMessage", { message: callOf("idle", "manual", { contextId }) });
        },
        "a context that is not the task's": ({ client }) =>
          client.call("SendMessage", { message: say("yes", { taskId: gate(), contextId: "nope" }) }),
        "an answer to another request": {
          reason: "ANSWER_MISMATCH",
          attempt: ({ client }) =>
            client.call("SendMessage", {
              message: answerOf({ request_id: "nope", choice: "yes" }, { taskId: gate() }),
            }),
        },
        "a choice that was not offered": {
          reason: "ANSWER_MISMATCH",
          attempt: ({ client }) =>
            client.call("SendMessage", { message: answerOf({ choice: "maybe" }, { taskId: gate() }) }),
        },
        "a message that says both yes and no": {
          reason: "ANSWER_MISMATCH",
          attempt: ({ client }) => {
            const parts = ["yes", "no"].map((choice) => ({ data: { type: "approval_response", choice } }));
            return client.call("SendMessage", { message: say(parts, { taskId: gate() }) });
          },
        },
      },
      TaskNotFound: {
        "an unknown task": ({ client }) =>
          client.call("SendMessage", { message: say("yes", { taskId: "nope" }) }),
        "somebody else's task": (w) =>
          w.as(elsewhere).client.call("SendMessage", { message: say("yes", { taskId: gate() }) }),
      },
      UnsupportedOperation: {
        "a finished task": ({ client }) =>
          client.call("SendMessage", { message: say("yes", { taskId: done() }) }),
        "an answer for another changeset": {
          reason: "DIGEST_MISMATCH",
          attempt: ({ client }) =>
            client.call("SendMessage", {
              message: answerOf({ choice: "yes", digest: `sha256:${"0".repeat(64)}` }, { taskId: gate() }),
            }),
        },
      },
      ContentTypeNotSupported: {
        "a part of a media type that nobody here reads": ({ client }) =>
          client.call("SendMessage", {
            message: say([{ text: "hello", mediaType: "application/x-unheard-of" }]),
          }),
      },
      PushNotificationNotSupported: {
        "a configuration for notifications where there are none": async (w) => {
          await using off = await w.another({ bare: true, capabilities: { pushNotifications: false } });
          const taskPushNotificationConfig = { url: "https://example.com/webhook" };
          return await off.client.call("SendMessage", {
            message: say("hello"),
            configuration: { taskPushNotificationConfig },
          });
        },
      },
      PermissionDenied: {
        "a caller who may only read": (w) =>
          w.as("reader", ["task:read"]).client.call("SendMessage", { message: say("hello") }),
      },
    });
  });
}

/** A plan that waits to be started. */
async function startManual(client: Client): Promise<{ task: Task; requestId: string }> {
  const { task } = (await client.call("SendMessage", { message: callOf("idle", "manual") })) as {
    task: Task;
  };
  const data = task.status.message?.parts[1]?.data as { request_id: string };
  return { task, requestId: data.request_id };
}
