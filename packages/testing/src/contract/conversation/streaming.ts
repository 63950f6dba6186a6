import type { ParamsInputOf, ResultOf } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import { followUntil, type Item, stateOf } from "../../world/index.ts";
import { stranger, type World } from "../../world/world.ts";
import { anId } from "../matchers.ts";
import { drain, refusals } from "../refusals.ts";
import { say } from "../task/fixtures.ts";
import { taskOf } from "./turns.ts";

/** The Task that a stream begins with. */
function beginning(items: readonly Item[]): ResultOf<"GetTask"> {
  const result = items[0]?.result;
  if (result === undefined || !("task" in result)) throw new Error(`not a Task: ${JSON.stringify(result)}`);
  return result.task;
}

export function sendStreamingMessage(world: () => World): void {
  const streamed = (message: ParamsInputOf<"SendMessage">["message"]): Promise<Item[]> =>
    drain(world().client.stream("SendStreamingMessage", { message }));

  describe("SendStreamingMessage", () => {
    test("begins with the Task before anything was done, and ends with the state that it ends in", async () => {
      const items = await streamed(say("echo hello"));
      expect(Object.keys(items[0]?.result ?? {})).toEqual(["task"]);
      expect(stateOf(items[0] as Item)).toBe("TASK_STATE_WORKING");
      expect(items.map(({ result }) => Object.keys(result)[0])).toEqual([
        "task",
        "artifactUpdate",
        "statusUpdate",
      ]);
      expect(stateOf(items.at(-1) as Item)).toBe("TASK_STATE_COMPLETED");
    });

    test("every event is of the task and the context of the Task before it, and has its cursor", async () => {
      const items = await streamed(say("burst-20"));
      const task = beginning(items);
      const seqs = items.map(({ cursor }) => Number(cursor?.split(":")[1]));
      expect(seqs).toEqual(seqs.map((_, n) => (seqs[0] as number) + n));
      for (const { result } of items.slice(1)) {
        const update = Object.values(result)[0] as { taskId: string; contextId: string };
        expect(update).toMatchObject({ taskId: task.id, contextId: task.contextId });
      }
    });

    test("chunks come in order and are together what the task holds afterwards", async () => {
      const items = await streamed(say("burst-200"));
      const chunks = items.flatMap(({ result }) =>
        "artifactUpdate" in result ? [result.artifactUpdate] : [],
      );
      const words = chunks.flatMap(({ artifact }) => artifact.parts.map((part) => part.text)).join("");
      expect(words).toBe(Array.from({ length: 200 }, (_, n) => `${n + 1} `).join(""));
      expect(chunks.map(({ append }) => append)).toEqual(chunks.map((_, n) => n > 0));
      expect(chunks.at(-1)?.lastChunk).toBe(true);
      const task = beginning(items);
      const { artifacts } = await world().client.call("GetTask", { id: task.id });
      expect(artifacts?.[0]?.parts.map((part) => part.text).join("")).toBe(words);
    });

    test("a message alone is one element, and the stream is over", async () => {
      const items = await streamed(say("msg"));
      expect(items.map(({ result }) => result)).toEqual([
        {
          message: {
            messageId: anId,
            contextId: anId,
            role: "ROLE_AGENT",
            parts: [{ text: "A message is all you get." }],
          },
        },
      ]);
      expect(items[0]?.cursor ?? "").toBe("");
    });

    test("ends where the task waits for input; the answer's stream begins with the Task and goes on", async () => {
      const asked = await streamed(say("ask"));
      expect(stateOf(asked.at(-1) as Item)).toBe("TASK_STATE_INPUT_REQUIRED");
      const task = beginning(asked);
      const told = await streamed(say("echo Rex", { taskId: task.id }));
      expect(told[0]?.result).toMatchObject({
        task: { id: task.id, status: { state: "TASK_STATE_WORKING" } },
      });
      expect(stateOf(told.at(-1) as Item)).toBe("TASK_STATE_COMPLETED");
    });

    test("stays open while a credential is waited for", async () => {
      const items = await streamed(say("auth-100ms"));
      expect(items.map(stateOf)).toEqual([
        "TASK_STATE_WORKING",
        "TASK_STATE_AUTH_REQUIRED",
        "TASK_STATE_COMPLETED",
      ]);
    });

    test("an actor that throws ends it with a failed task", async () => {
      const items = await streamed(say("boom"));
      expect(stateOf(items.at(-1) as Item)).toBe("TASK_STATE_FAILED");
      expect(JSON.stringify(items)).not.toContain("sk-test-123");
    });

    test("the task goes on when its reader has left", async () => {
      const { client } = world();
      const stream = client
        .stream("SendStreamingMessage", { message: say("slow-200ms") })
        [Symbol.asyncIterator]();
      const task = beginning([(await stream.next()).value as Item]);
      await stream.return?.();
      await followUntil(client, task.id, (item) => stateOf(item) === "TASK_STATE_COMPLETED");
    });

    test("the same message again attaches to its task and runs nothing twice", async () => {
      const message = say("echo once");
      const [first, second] = [await streamed(message), await streamed(message)];
      const idOf = (items: Item[]) => beginning(items).id;
      expect(idOf(second)).toBe(idOf(first));
      expect(stateOf(second.at(-1) as Item)).toBe("TASK_STATE_COMPLETED");
    });

    test("several followers see the same events in the same order", async () => {
      const { client } = world();
      const task = await taskOf(client, say("slow-300ms"), { returnImmediately: true });
      const follow = () => drain(client.stream("SubscribeToTask", { id: task.id }));
      const leaving = client.stream("SubscribeToTask", { id: task.id })[Symbol.asyncIterator]();
      await leaving.next();
      const [one, two] = await Promise.all([follow(), follow(), leaving.return?.()]);
      expect(two.slice(1)).toEqual(one.slice(1));
      expect(stateOf(one.at(-1) as Item)).toBe("TASK_STATE_COMPLETED");
    });

    test("historyLength 0 leaves the history out of the first Task", async () => {
      const items = await drain(
        world().client.stream("SendStreamingMessage", {
          message: say("echo"),
          configuration: { historyLength: 0 },
        }),
      );
      expect(beginning(items)).not.toHaveProperty("history");
    });

    const refused = (w: World, params: unknown) =>
      drain(w.client.stream("SendStreamingMessage", params as ParamsInputOf<"SendStreamingMessage">));
    refusals("SendStreamingMessage", world, {
      InvalidParams: {
        "a message without parts": (w) => refused(w, { message: say([]) }),
        "a message of the agent's role": (w) => refused(w, { message: say("echo", { role: "ROLE_AGENT" }) }),
        "bytes that are not base64": (w) => refused(w, { message: say([{ raw: "%%%" }]) }),
      },
      TaskNotFound: {
        "an unknown task": (w) => refused(w, { message: say("echo", { taskId: "ghost" }) }),
        "somebody else's task": async (w) => {
          const foreign = await taskOf(stranger(w).client, say("ask"));
          return refused(w, { message: say("echo", { taskId: foreign.id }) });
        },
      },
      UnsupportedOperation: {
        "a finished task": async (w) => {
          const done = await taskOf(w.client, say("echo"));
          return refused(w, { message: say("echo", { taskId: done.id }) });
        },
      },
      ContentTypeNotSupported: {
        "a part that the actor does not take": (w) =>
          refused(w, { message: say([{ text: "echo", mediaType: "application/x-unheard-of" }]) }),
      },
      PushNotificationNotSupported: {
        "a configuration for notifications where there are none": async (w) => {
          await using off = await w.another({ bare: true, capabilities: { pushNotifications: false } });
          const taskPushNotificationConfig = { url: "https://example.com/webhook" };
          return await refused(off, { message: say("echo"), configuration: { taskPushNotificationConfig } });
        },
      },
      PermissionDenied: {
        "a caller who may only read": (w) =>
          drain(
            w.as("reader", ["task:read"]).client.stream("SendStreamingMessage", { message: say("echo") }),
          ),
      },
    });
  });
}
