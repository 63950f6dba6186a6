import type { Client, ParamsInputOf, ResultOf } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import { SECRET_WORDS } from "../../actors/scripted-message-actor.ts";
import { followUntil, stateOf } from "../../world/index.ts";
import { stranger, type World } from "../../world/world.ts";
import { anId, aTime } from "../matchers.ts";
import { asRefusal, refusalOf } from "../refusals.ts";
import { say } from "../task/fixtures.ts";

type Task = ResultOf<"GetTask">;
type Configuration = ParamsInputOf<"SendMessage">["configuration"];

/** Sends a message and expects a task. */
export async function taskOf(
  client: Client,
  message: ParamsInputOf<"SendMessage">["message"],
  configuration?: Configuration,
): Promise<Task> {
  const answer = await client.call("SendMessage", { message, ...(configuration ? { configuration } : {}) });
  if (!("task" in answer)) throw new Error(`expected a task, got ${JSON.stringify(answer)}`);
  return answer.task;
}

export function turns(world: () => World): void {
  describe("a message to somebody who answers", () => {
    test("makes a task that is over when the answer comes, with what was said in its history", async () => {
      const message = say("echo hello");
      const task = await taskOf(world().client, message);
      expect(task).toEqual({
        id: anId,
        contextId: anId,
        status: {
          state: "TASK_STATE_COMPLETED",
          timestamp: aTime,
          message: {
            messageId: anId,
            role: "ROLE_AGENT",
            taskId: task.id,
            contextId: task.contextId,
            parts: [{ text: "Echoed." }],
          },
        },
        artifacts: [{ artifactId: "echo", name: "echo", parts: [{ text: "echo hello" }] }],
        history: [{ ...message, taskId: task.id, contextId: task.contextId }, task.status.message],
      });
    });

    test.each([null, false, 0, "", 42, [], [1, null, {}], { a: { b: [] } }])(
      "data %j comes back as it was sent",
      async (data) => {
        const parts = [{ text: "echo" }, { data }];
        const task = await taskOf(world().client, say(parts));
        expect(task.artifacts?.[0]?.parts).toEqual(parts);
        expect(task.history?.[0]?.parts).toEqual(parts);
      },
    );

    test("bytes in any base64 come back padded and in the standard alphabet", async () => {
      const task = await taskOf(world().client, say([{ text: "echo" }, { raw: "-_8" }]));
      expect(task.artifacts?.[0]?.parts[1]).toEqual({ raw: "+/8=" });
    });

    test("an empty member beside the content of a part is nothing", async () => {
      const task = await taskOf(world().client, say([{ text: "", data: { b: 1 } }]));
      expect(task.history?.[0]?.parts).toEqual([{ data: { b: 1 } }]);
    });

    test("an answer that is a message alone makes no task", async () => {
      const { client } = stranger(world());
      const answer = await client.call("SendMessage", { message: say("msg") });
      expect(answer).toEqual({
        message: {
          messageId: anId,
          contextId: anId,
          role: "ROLE_AGENT",
          parts: [{ text: "A message is all you get." }],
        },
      });
      expect((await client.call("ListTasks", {})).totalSize).toBe(0);
    });

    test("a context that the client chose is taken, and one that is named goes on", async () => {
      const { client } = stranger(world());
      const contextId = `chosen-${Date.now()}`;
      const first = await taskOf(client, say("echo a", { contextId }));
      const second = await taskOf(client, say("echo b", { contextId }));
      expect([first.contextId, second.contextId]).toEqual([contextId, contextId]);
      expect(second.id).not.toBe(first.id);
    });

    test("a question is answered in the same task, and the history has every turn once, in order", async () => {
      const { client } = world();
      const asked = say("ask");
      const task = await taskOf(client, asked);
      expect(task.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
      const again = say("ask", { taskId: task.id });
      await taskOf(client, again);
      const told = say("echo Rex", { taskId: task.id });
      const done = await taskOf(client, told);
      expect(done).toMatchObject({ id: task.id, contextId: task.contextId });
      expect(done.status.state).toBe("TASK_STATE_COMPLETED");
      const history = done.history ?? [];
      expect(history.filter(({ role }) => role === "ROLE_USER").map(({ messageId }) => messageId)).toEqual([
        asked.messageId,
        again.messageId,
        told.messageId,
      ]);
      expect(new Set(history.map(({ messageId }) => messageId)).size).toBe(6);
    });

    test("the same message twice, also at once, is one task", async () => {
      const { client } = world();
      const message = say("echo once");
      const [first, second] = await Promise.all([taskOf(client, message), taskOf(client, message)]);
      const third = await taskOf(client, message);
      expect([second.id, third.id]).toEqual([first.id, first.id]);
    });

    test("returnImmediately answers before the work is done, and the task ends by itself", async () => {
      const { client } = world();
      const task = await taskOf(client, say("slow-200ms"), { returnImmediately: true });
      expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(task.status.state);
      await followUntil(client, task.id, (item) => stateOf(item) === "TASK_STATE_COMPLETED");
    });

    test("a task that waits for a credential answers at once and goes on by itself", async () => {
      const { client } = world();
      const task = await taskOf(client, say("auth-200ms"));
      expect(task.status.state).toBe("TASK_STATE_AUTH_REQUIRED");
      await followUntil(client, task.id, (item) => stateOf(item) === "TASK_STATE_COMPLETED");
    });

    test("what is refused is refused", async () => {
      expect((await taskOf(world().client, say("reject"))).status.state).toBe("TASK_STATE_REJECTED");
    });

    test("an actor that throws fails its task, and nobody sees what it threw", async () => {
      const { client, logged } = world();
      const task = await taskOf(client, say("boom"));
      expect(task.status.state).toBe("TASK_STATE_FAILED");
      const shown = JSON.stringify(task);
      for (const word of SECRET_WORDS.split(" ")) expect(shown).not.toContain(word);
      const reference = /reference (\w+)/.exec(shown)?.[1];
      const entry = logged.find(({ fields }) => fields["reference"] === reference);
      expect(JSON.stringify(entry)).toContain("sk-test-123");
      expect(task.artifacts).toEqual([{ artifactId: "half", parts: [{ text: "half" }] }]);
    });

    test("a cancelled task is cancelled at once and stays so", async () => {
      const { client } = world();
      const task = await taskOf(client, say("slow-30s"), { returnImmediately: true });
      expect((await client.call("CancelTask", { id: task.id })).status.state).toBe("TASK_STATE_CANCELED");
      expect(await refusalOf(client.call("CancelTask", { id: task.id }))).toEqual(
        asRefusal("TaskNotCancelable"),
      );
      const late = client.call("SendMessage", { message: say("echo", { taskId: task.id }) });
      expect(await refusalOf(late)).toEqual(asRefusal("UnsupportedOperation"));
      expect((await client.call("GetTask", { id: task.id })).status.state).toBe("TASK_STATE_CANCELED");
    });

    test("a task that waits for an answer can be cancelled, and its followers are told", async () => {
      const { client } = world();
      const task = await taskOf(client, say("ask"));
      const stream = client.stream("SubscribeToTask", { id: task.id })[Symbol.asyncIterator]();
      expect(stateOf((await stream.next()).value as never)).toBe("TASK_STATE_INPUT_REQUIRED");
      await client.call("CancelTask", { id: task.id });
      expect(stateOf((await stream.next()).value as never)).toBe("TASK_STATE_CANCELED");
      expect((await stream.next()).done).toBe(true);
    });

    test("a task that is being worked on takes no further message", async () => {
      const { client } = world();
      const task = await taskOf(client, say("slow-30s"), { returnImmediately: true });
      const more = client.call("SendMessage", { message: say("echo", { taskId: task.id }) });
      expect(await refusalOf(more)).toEqual(asRefusal("UnsupportedOperation"));
      await client.call("CancelTask", { id: task.id });
    });

    test("a reference to somebody else's task is a task that is not there", async () => {
      const foreign = await taskOf(stranger(world()).client, say("echo mine"));
      const message = say("echo", { referenceTaskIds: [foreign.id] });
      expect(await refusalOf(world().client.call("SendMessage", { message }))).toEqual(
        asRefusal("TaskNotFound"),
      );
    });

    test("a page token of another list or another caller is refused", async () => {
      const one = stranger(world());
      for (let n = 0; n < 3; n++) await taskOf(one.client, say("echo"));
      const { nextPageToken } = await one.client.call("ListTasks", { pageSize: 2 });
      expect(
        (await one.client.call("ListTasks", { pageSize: 2, pageToken: nextPageToken })).tasks,
      ).toHaveLength(1);
      const filtered = one.client.call("ListTasks", {
        pageSize: 2,
        pageToken: nextPageToken,
        status: "TASK_STATE_COMPLETED",
      });
      const foreign = stranger(world()).client.call("ListTasks", { pageSize: 2, pageToken: nextPageToken });
      expect(await refusalOf(filtered)).toEqual(asRefusal("InvalidParams"));
      expect(await refusalOf(foreign)).toEqual(asRefusal("InvalidParams"));
    });
  });
}
