import { type CallContext, LOCAL_PRINCIPAL, type StreamElement } from "@cleveragents/protocol";
import { expect, test, vi } from "vitest";
import { createDispatcher } from "./dispatcher.ts";
import type { MethodHandlers } from "./method-handlers.ts";

const status = { state: "TASK_STATE_CANCELED", timestamp: "2026-01-02T03:04:05.678Z" };
const task = { id: "t", contextId: "c", status };

async function* events(): AsyncGenerator<StreamElement> {
  yield { cursor: "t:1", seq: 1, result: { statusUpdate: { taskId: "t", contextId: "c", status } } };
}

function dispatcherOf(more: object = {}) {
  const handlers = {
    GetTask: async () => task,
    SubscribeToTask: events,
    ...more,
  } as unknown as MethodHandlers;
  const silent = () => undefined;
  const dispatcher = createDispatcher({
    handlers,
    clock: { now: () => 0 },
    ids: { next: () => "new-id" },
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  });
  return (method: string, params: object, version?: string, more: Partial<CallContext> = {}) =>
    dispatcher.dispatch(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), {
      principal: LOCAL_PRINCIPAL,
      serviceParameters: version === undefined ? {} : { "a2a-version": version },
      binding: "in-process",
      signal: new AbortController().signal,
      ...more,
    });
}

async function resultOf(answer: Promise<unknown>): Promise<unknown> {
  return ((await answer) as { response: { result?: unknown } }).response.result;
}

test("one result is written as the version and the encoding of the request say", async () => {
  const dispatch = dispatcherOf();
  expect(await resultOf(dispatch("GetTask", { id: "t" }, "1.0"))).toEqual(task);
  expect(await resultOf(dispatch("GetTask", { id: "t" }, "1.0", { encoding: "http+json" }))).toEqual(task);
  expect(await resultOf(dispatch("tasks/get", { id: "t" }))).toEqual({
    ...task,
    kind: "task",
    status: { ...status, state: "canceled" },
  });
  expect(await resultOf(dispatch("GetTask", { name: "tasks/t" }, "0.3", { encoding: "http+json" }))).toEqual({
    ...task,
    status: { ...status, state: "TASK_STATE_CANCELLED" },
  });
});

test("0.3 over HTTP+JSON has no list of tasks, and no names of JSON-RPC", async () => {
  const dispatch = dispatcherOf();
  for (const method of ["ListTasks", "tasks/get"]) {
    const answer = await dispatch(method, {}, "0.3", { encoding: "http+json" });
    expect(answer).toMatchObject({ response: { error: { code: -32601 } } });
  }
});

test("a stream says whose objects its elements are", async () => {
  const dispatch = dispatcherOf();
  const old = await dispatch("tasks/resubscribe", { id: "t" });
  expect(old).toMatchObject({ kind: "stream", version: "0.3" });
  const elements: unknown[] = [];
  if (old.kind === "stream") for await (const element of old.elements) elements.push(element);
  expect(elements).toMatchObject([
    { cursor: "t:1", seq: 1, result: { kind: "status-update", status: { state: "canceled" }, final: true } },
  ]);
  expect(await dispatch("SubscribeToTask", { id: "t" }, "1.0")).not.toHaveProperty("version");
});

test("whether a contextId is a task's is asked of GetTask with the caller's own eyes; its failure is the answer", async () => {
  const GetTask = vi.fn(async (): Promise<object> => task);
  const SendMessage = vi.fn(async () => ({ task }));
  const dispatch = dispatcherOf({ GetTask, SendMessage });
  const message = { role: "user", contextId: "t", parts: [{ text: "yes" }] };
  await dispatch("message/send", { message });
  expect(GetTask).toHaveBeenCalledWith(
    { id: "t", historyLength: 0 },
    expect.objectContaining({ principal: LOCAL_PRINCIPAL }),
  );
  expect(SendMessage).toHaveBeenCalledWith(
    { message: { messageId: "new-id", role: "ROLE_USER", taskId: "t", parts: [{ text: "yes" }] } },
    expect.anything(),
  );
  GetTask.mockRejectedValue(new Error("secret"));
  const answer = await dispatch("message/send", { message });
  expect(answer).toMatchObject({ response: { error: { code: -32603, message: "Internal error" } } });
  expect(SendMessage).toHaveBeenCalledOnce();
});
