import { createRetryRules } from "@cleveragents/application";
import type { ParamsInputOf } from "@cleveragents/protocol";
import { ACTIONS, scriptedMessageActor } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import { type Alter, type Altered, openAltered } from "./altered-server.ts";
import { isOver, openReceiver, seqOf, wordOf } from "./webhook-receiver.ts";

const withActor: Alter = () => ({ actor: scriptedMessageActor });
const pushRetries = createRetryRules({ firstMs: 5, longestMs: 20, refusals: 2, random: () => 0.5 });
const open = (alter: Alter = withActor) => openAltered(alter, { pushRetries });

let messages = 0;
const say = (text: string, more = {}): ParamsInputOf<"SendMessage">["message"] => ({
  messageId: `push-${++messages}`,
  role: "ROLE_USER",
  parts: [{ text }],
  ...more,
});

type Config = {
  id?: string;
  url: string;
  token?: string;
  authentication?: { scheme: string; credentials?: string };
};

async function send(
  server: Altered,
  text: string,
  taskPushNotificationConfig?: Config,
  more = {},
  also = {},
) {
  const answer = await server.client.call("SendMessage", {
    message: say(text, more),
    configuration: { ...also, ...(taskPushNotificationConfig ? { taskPushNotificationConfig } : {}) },
  });
  if (!("task" in answer)) throw new Error("expected a task");
  return answer.task;
}

const statesOf = async ({ machine }: Altered, taskId: string) =>
  (await machine.adapters.push.ofTask(taskId)).map(({ state }) => state);

/** Until a row is as wanted: what is written after the receiver was answered. */
async function settled(server: Altered, taskId: string, state: string) {
  for (;;) {
    const rows = await server.machine.adapters.push.ofTask(taskId);
    if (rows.length > 0 && rows.every((row) => row.state === state)) return rows;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("what is posted", () => {
  test("is every event once and in order, however slow the receiver is with the first", async () => {
    await using server = await open();
    await using receiver = await openReceiver(async (_, count) => {
      if (count === 1) await new Promise((resolve) => setTimeout(resolve, 200));
      return 204;
    });
    const task = await send(server, "echo hello", { url: receiver.url });
    const hits = await receiver.until(isOver);
    expect(hits.map(wordOf)).toEqual(["submitted", "working", "artifact", "completed"]);
    expect(hits.map(seqOf)).toEqual([1, 2, 3, 4]);
    expect(hits.map(({ json }) => Object.keys(json).length)).toEqual([1, 1, 1, 1]);
    expect(hits.map(({ headers }) => headers["content-type"])).toEqual(Array(4).fill("application/a2a+json"));
    const [row] = await settled(server, task.id, "delivered");
    expect(row).toMatchObject({ deliveredSeq: 4 });
  });

  test("does not depend on whether the caller waits", async () => {
    await using server = await open();
    await using receiver = await openReceiver();
    await send(server, "slow-50ms", { url: receiver.url }, {}, { returnImmediately: true });
    expect((await receiver.until(isOver)).map(wordOf).at(-1)).toBe("completed");
  });

  test("is what comes after the registration of a task that is there, and what it is told later", async () => {
    await using server = await open();
    await using receiver = await openReceiver();
    const { id: taskId } = await send(server, "ask");
    await server.client.call("CreateTaskPushNotificationConfig", { taskId, url: receiver.url });
    await send(server, "echo Rex", undefined, { taskId });
    const hits = await receiver.until(isOver);
    expect(hits.map(wordOf)).toEqual(["working", "artifact", "completed"]);
    expect(hits.map(seqOf)).toEqual([4, 5, 6]);
  });

  test("is the Task of A2A 0.3 for whoever registered in 0.3", async () => {
    await using server = await open();
    await using receiver = await openReceiver();
    const message = {
      kind: "message",
      messageId: "old",
      role: "user",
      parts: [{ kind: "text", text: "echo" }],
    };
    const configuration = { pushNotificationConfig: { url: receiver.url, token: "t1" } };
    const params = { message, configuration };
    await server.harness.raw(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params }), {});
    const hit = (await receiver.until(isOver)).at(-1);
    expect(hit?.headers).toMatchObject({
      "content-type": "application/json",
      "x-a2a-notification-token": "t1",
    });
    expect(hit?.json).toMatchObject({
      kind: "task",
      status: { state: "completed" },
      history: [{ kind: "message" }, {}],
    });
    expect(hit && seqOf(hit)).toBe(4);
  });

  test("is registered in the shapes of 0.3, by the task's own id where none is given", async () => {
    await using server = await open();
    const { id: taskId } = await send(server, "ask");
    const call = async (method: string, params: object) => {
      const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      return ((await server.harness.raw(text, {})) as { result?: unknown }).result;
    };
    const url = "http://127.0.0.1:9/webhook";
    const authentication = { schemes: ["Bearer"], credentials: "s3cret" };
    const masked = { schemes: ["Bearer"], credentials: "********" };
    const made = { taskId, pushNotificationConfig: { id: taskId, url, authentication: masked } };
    const given = { taskId, pushNotificationConfig: { url, authentication } };
    expect(await call("tasks/pushNotificationConfig/set", given)).toEqual(made);
    expect(await call("tasks/pushNotificationConfig/get", { id: taskId })).toEqual(made);
    expect(await call("tasks/pushNotificationConfig/list", { id: taskId })).toEqual([made]);
    const named = { id: taskId, pushNotificationConfigId: taskId };
    expect(await call("tasks/pushNotificationConfig/delete", named)).toBe(null);
    expect(await call("tasks/pushNotificationConfig/list", { id: taskId })).toEqual([]);
  });

  test("has the headers that were asked for, and no others", async () => {
    await using server = await open();
    await using receiver = await openReceiver();
    const path = (id: string) => `${receiver.url}/${id}`;
    const { id: taskId } = await send(server, "ask");
    const bearer = { scheme: "Bearer", credentials: "abc" };
    const asked: Config[] = [
      { id: "both", url: path("both"), token: "t1", authentication: bearer },
      { id: "lower", url: path("lower"), authentication: { scheme: "bearer", credentials: "abc" } },
      { id: "basic", url: path("basic"), authentication: { scheme: "Basic", credentials: "dTpw" } },
      { id: "absent", url: path("absent"), authentication: { scheme: "Bearer" } },
      { id: "token", url: path("token"), token: "t2" },
    ];
    for (const config of asked)
      await server.client.call("CreateTaskPushNotificationConfig", { taskId, ...config });
    await server.client.call("CancelTask", { id: taskId });
    const hits = await receiver.until(({ length }) => length === asked.length);
    const seen = Object.fromEntries(
      hits.map(({ path, headers }) => [
        path.replace("/webhook/", ""),
        [headers.authorization, headers["x-a2a-notification-token"]],
      ]),
    );
    expect(seen).toEqual({
      both: ["Bearer abc", "t1"],
      lower: ["bearer abc", undefined],
      basic: ["Basic dTpw", undefined],
      absent: [undefined, undefined],
      token: [undefined, "t2"],
    });
  });

  test("is the whole life of a plan, to its cancelling", async () => {
    await using server = await open();
    await using receiver = await openReceiver();
    await server.client.call("_cleveragents/registry/action/add", { document: ACTIONS.idle });
    const parts = [{ data: { action_name: "idle", project: "demo", automation_profile: "manual" } }];
    const { id } = await send(server, "", { url: receiver.url }, { parts });
    await server.client.call("CancelTask", { id });
    const hits = await receiver.until(isOver);
    expect(wordOf(hits.at(-1) as (typeof hits)[number])).toBe("canceled");
    expect(hits.map(seqOf)).toEqual(hits.map((_, n) => n + 1));
    expect(hits.length).toBeGreaterThan(2);
  });

  test("ends with the configuration", async () => {
    await using server = await open();
    await using receiver = await openReceiver();
    const { id: taskId } = await send(server, "ask");
    const register = (id: string) =>
      server.client.call("CreateTaskPushNotificationConfig", { taskId, id, url: `${receiver.url}/${id}` });
    await register("stays");
    await register("goes");
    await server.client.call("DeleteTaskPushNotificationConfig", { taskId, id: "goes" });
    await send(server, "echo", undefined, { taskId });
    await receiver.until(isOver);
    expect(new Set(receiver.hits.map(({ path }) => path))).toEqual(new Set(["/webhook/stays"]));
  });
});

describe("a receiver", () => {
  test("that fails at first gets the same event again, and then the others", async () => {
    await using server = await open();
    await using receiver = await openReceiver((_, count) => [500, 503][count - 1] ?? 200);
    await send(server, "echo", { url: receiver.url });
    expect((await receiver.until(isOver)).map(seqOf)).toEqual([1, 1, 1, 2, 3, 4]);
  });

  test("that never answers delays neither the task nor another receiver", async () => {
    await using server = await open();
    await using hanging = await openReceiver(() => "hang");
    await using receiver = await openReceiver();
    const { id: taskId } = await send(server, "ask", { id: "hangs", url: hanging.url });
    await server.client.call("CreateTaskPushNotificationConfig", { taskId, url: receiver.url });
    const task = await send(server, "echo", undefined, { taskId });
    expect(task.status.state).toBe("TASK_STATE_COMPLETED");
    await receiver.until(isOver);
    expect(hanging.hits.map(seqOf)).toEqual([1]);
  });

  test("that is gone is called once, and its row says why", async () => {
    await using server = await open();
    await using receiver = await openReceiver(() => 410);
    const { id } = await send(server, "echo", { url: receiver.url });
    const [row] = await settled(server, id, "given-up");
    expect(row).toMatchObject({ failure: "answered 410", deliveredSeq: 0 });
    expect(receiver.hits).toHaveLength(1);
  });

  test("that is away is called when it is back", async () => {
    await using server = await open();
    let url: string;
    {
      await using away = await openReceiver();
      url = away.url;
    }
    const { id: taskId } = await send(server, "echo", { id: "a", url });
    for (;;) {
      const [row] = await server.machine.adapters.push.ofTask(taskId);
      if ((row?.attempts ?? 0) >= 2) break;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await statesOf(server, taskId)).toEqual(["active"]);
    await using receiver = await openReceiver();
    await server.client.call("CreateTaskPushNotificationConfig", { taskId, id: "a", url: receiver.url });
    expect((await receiver.until(isOver)).map(seqOf)).toEqual([1, 2, 3, 4]);
  });

  test("that redirects is a receiver that refuses, and nobody else hears of it", async () => {
    await using server = await open();
    await using internal = await openReceiver();
    await using receiver = await openReceiver(() => ({ status: 307, headers: { location: internal.url } }));
    const authentication = { scheme: "Bearer", credentials: "s3cret-words" };
    const { id } = await send(server, "echo", { url: receiver.url, authentication, token: "t0ken-words" });
    const [row] = await settled(server, id, "given-up");
    expect(row).toMatchObject({ failure: "answered 307", attempts: 2 });
    expect([receiver.hits.length, internal.hits.length]).toEqual([2, 0]);
    expect(JSON.stringify(server.machine.logged)).not.toMatch(/-words/);
    expect(server.machine.logged.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
  });
});
