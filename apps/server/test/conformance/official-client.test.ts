import { randomUUID } from "node:crypto";
import {
  AgentCard,
  GetTaskRequest,
  ListTasksRequest,
  type Message,
  SendMessageRequest,
  type SendMessageResult,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { scriptedMessageActor } from "@cleveragents/testing/actors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bootMachine, type Machine } from "../in-memory-server.ts";
import { SDK_CLIENTS, type SdkClient } from "./sdk-clients.ts";

const say = (text: string, message: object = {}, configuration?: object): SendMessageRequest =>
  SendMessageRequest.fromJSON({
    message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }], ...message },
    ...(configuration === undefined ? {} : { configuration }),
  });

function asTask(result: SendMessageResult): Task {
  if ("status" in result) return result;
  throw new Error(`not a task: ${JSON.stringify(result)}`);
}

const stateOf = (task: Task) => (Task.toJSON(task) as { status: { state: string } }).status.state;

async function all(stream: AsyncIterable<StreamResponse>) {
  const elements: Record<string, unknown>[] = [];
  for await (const element of stream)
    elements.push(StreamResponse.toJSON(element) as Record<string, unknown>);
  return elements;
}

const textsOf = (value: unknown) => [...JSON.stringify(value).matchAll(/"text":"([^"]*)"/g)].map((m) => m[1]);

/** Every operation of A2A, as the official client asks for it and reads the answer. */
describe.each(Object.entries(SDK_CLIENTS))("the official client, %s", (name, { version, open }) => {
  let machine: Machine;
  let stop: () => Promise<void>;
  let opened: SdkClient;
  let client: Client;
  beforeAll(async () => {
    machine = await bootMachine({ actor: scriptedMessageActor });
    const composition = await machine.start();
    stop = composition.stop;
    opened = await open(composition.dispatcher);
    client = opened.client;
  });
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await stop?.();
    await machine?.[Symbol.asyncDispose]();
  });

  const send = async (text: string, message?: object, configuration?: object) =>
    asTask(await client.sendMessage(say(text, message, configuration)));

  test("speaks the version that the card offers", () => {
    expect(client.protocolVersion).toBe(version);
  });

  test("sendMessage waits for the task and reads its artifact and history", async () => {
    const task = await send("echo hello");
    expect(stateOf(task)).toBe("TASK_STATE_COMPLETED");
    expect(Task.toJSON(task)).toMatchObject({
      artifacts: [{ artifactId: "echo", parts: [{ text: "echo hello" }] }],
      history: [{ role: "ROLE_USER" }, { role: "ROLE_AGENT" }],
    });
  });

  test("every kind of part comes back as it was sent", async () => {
    // The 0.3 proto has no place for a file's name.
    const named = name === "A2A 0.3 over HTTP+JSON" ? {} : { filename: "a.bin" };
    const parts = [
      { text: "echo <&> \u2028 \u{1F9EA}" },
      { data: { deep: [1, { a: false }] } },
      { raw: "AP8Q", mediaType: "application/octet-stream", ...named },
      { url: "https://example.com/a.png", mediaType: "image/png" },
    ];
    const task = Task.toJSON(await send("", { parts })) as { artifacts: [{ parts: unknown }] };
    expect(task.artifacts[0].parts).toMatchObject(parts);
  });

  test("sendMessage reads a message that needs no task", async () => {
    const message = (await client.sendMessage(say("msg"))) as Message;
    expect(message).toMatchObject({ messageId: expect.any(String), contextId: expect.any(String) });
    expect(JSON.stringify(message)).toContain("A message is all you get.");
  });

  test("sendMessage that does not wait answers while the task goes on; getTask sees its end", async () => {
    const task = await send("slow-100ms", {}, { returnImmediately: true });
    expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(stateOf(task));
    await expect
      .poll(async () => stateOf(await client.getTask(GetTaskRequest.fromJSON({ id: task.id }))), {
        timeout: 20_000,
      })
      .toBe("TASK_STATE_COMPLETED");
  });

  test("a question is answered in the same task", async () => {
    const asked = await send("ask");
    expect(stateOf(asked)).toBe("TASK_STATE_INPUT_REQUIRED");
    const told = await send("echo Rex", { taskId: asked.id, contextId: asked.contextId });
    expect([told.id, stateOf(told)]).toEqual([asked.id, "TASK_STATE_COMPLETED"]);
  });

  test("sendMessageStream begins with the task and ends where it ends", async () => {
    const elements = await all(client.sendMessageStream(say("burst-5")));
    expect(Object.keys(elements[0] as object)).toEqual(["task"]);
    const chunks = elements.filter((element) => "artifactUpdate" in element);
    expect(textsOf(chunks).join("")).toBe("1 2 3 4 5 ");
    expect(elements.at(-1)).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
  });

  test("sendMessageStream that is a message alone is one element", async () => {
    const elements = await all(client.sendMessageStream(say("msg")));
    expect(elements.map((element) => Object.keys(element))).toEqual([["message"]]);
  });

  test("a stream can be left, and resubscribeTask follows the task to its end", async () => {
    const stream = client.sendMessageStream(say("slow-1s"));
    const first = StreamResponse.toJSON((await stream.next()).value as StreamResponse) as {
      task: { id: string };
    };
    await stream.return(undefined);
    const elements = await all(client.resubscribeTask({ tenant: "", id: first.task.id }));
    expect(elements[0]).toMatchObject({ task: { id: first.task.id } });
    expect(elements.at(-1)).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
  });

  test("cancelTask cancels", async () => {
    const task = await send("slow-60s", {}, { returnImmediately: true });
    const cancelled = await client.cancelTask({ tenant: "", id: task.id, metadata: undefined });
    expect(stateOf(cancelled)).toBe("TASK_STATE_CANCELED");
  });

  test("getTask takes a length of history", async () => {
    const { id } = await send("echo hello");
    const task = await client.getTask(GetTaskRequest.fromJSON({ id, historyLength: 1 }));
    expect(task.history).toHaveLength(1);
  });

  test.runIf(version === "1.0")("listTasks pages through a context", async () => {
    const contextId = randomUUID();
    for (const n of [1, 2, 3]) await send(`echo ${n}`, { contextId });
    const ids = new Set<string>();
    let pageToken = "";
    do {
      const page = await client.listTasks(ListTasksRequest.fromJSON({ contextId, pageSize: 2, pageToken }));
      expect(page.totalSize).toBe(3);
      for (const { id } of page.tasks) ids.add(id);
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(ids.size).toBe(3);
  });

  test("a push configuration is made, read, listed and deleted", async () => {
    const { id: taskId } = await send("ask");
    const config = TaskPushNotificationConfig.fromJSON({
      taskId,
      id: "mine",
      url: "https://example.com/hook",
      token: "secret-token",
    });
    expect(await client.createTaskPushNotificationConfig(config)).toMatchObject({ taskId, id: "mine" });
    const named = { tenant: "", taskId, id: "mine" };
    expect(await client.getTaskPushNotificationConfig(named)).toMatchObject({ url: config.url });
    const list = () =>
      client.listTaskPushNotificationConfig({ tenant: "", taskId, pageSize: 0, pageToken: "" });
    expect((await list()).configs.map(({ id }) => id)).toEqual(["mine"]);
    await client.deleteTaskPushNotificationConfig(named);
    expect((await list()).configs).toEqual([]);
  });

  test("getAgentCard gives the extended card, which names the same agent", async () => {
    const card = AgentCard.toJSON(await client.getAgentCard()) as { name: string; skills: unknown[] };
    expect(card.name).toBe("CleverAgents");
    expect(card.skills.length).toBeGreaterThan(0);
  });

  const refused: Readonly<Record<string, [string, () => Promise<unknown>]>> = {
    "getTask of an unknown task": [
      "TaskNotFound",
      () => client.getTask(GetTaskRequest.fromJSON({ id: "ghost" })),
    ],
    "cancelTask of an unknown task": [
      "TaskNotFound",
      () => client.cancelTask({ tenant: "", id: "ghost", metadata: undefined }),
    ],
    "cancelTask of a finished task": [
      "TaskNotCancelable",
      async () => client.cancelTask({ tenant: "", id: (await send("echo")).id, metadata: undefined }),
    ],
    "sendMessage to a finished task": [
      "UnsupportedOperation",
      async () => send("echo", { taskId: (await send("echo")).id }),
    ],
    "sendMessage of a media type that nobody takes": [
      "ContentTypeNotSupported",
      () =>
        send("", {
          parts: [{ raw: "AA==", mediaType: "application/x-unheard-of", filename: "a" }],
        }),
    ],
    "resubscribeTask of an unknown task": [
      "TaskNotFound",
      () => all(client.resubscribeTask({ tenant: "", id: "ghost" })),
    ],
    "resubscribeTask of a finished task": [
      "UnsupportedOperation",
      async () => all(client.resubscribeTask({ tenant: "", id: (await send("echo")).id })),
    ],
    "sendMessageStream to an unknown task": [
      "TaskNotFound",
      () => all(client.sendMessageStream(say("echo", { taskId: "ghost" }))),
    ],
  };

  test.each(Object.entries(refused))("%s is an error of its own type", async (_, [type, provoke]) => {
    const error = await provoke().then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    // Of a refusal that came as an event, the type is that of the cause.
    const types = [error, error?.cause].map((each) => each?.constructor.name);
    expect(types.join(" ")).toContain(`${type}Error`);
  });
});
