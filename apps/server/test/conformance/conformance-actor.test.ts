import { randomUUID } from "node:crypto";
import type { Client } from "@cleveragents/protocol";
import { inProcess, openWorld, type World } from "@cleveragents/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openServer } from "../in-memory-server.ts";
import { actsBehaviours } from "./acts-behaviours.ts";
import { conformanceActor } from "./conformance-actor.ts";
import { tckBehaviours } from "./tck-behaviours.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  const actor = conformanceActor([tckBehaviours(0.01), actsBehaviours]);
  world = await openWorld(inProcess, openServer, { bare: true, actor });
  client = world.client;
});
afterAll(() => world[Symbol.asyncDispose]());

async function said(text: string, messageId: string = randomUUID(), taskId?: string) {
  const message = { messageId, role: "ROLE_USER" as const, parts: [{ text }] };
  const answer = await client.call("SendMessage", {
    message: { ...message, ...(taskId === undefined ? {} : { taskId }) },
  });
  if ("message" in answer) return { kind: "message", parts: answer.message.parts };
  const { id, status, artifacts } = answer.task;
  return { id, state: status.state.replace("TASK_STATE_", ""), parts: artifacts?.[0]?.parts };
}

const FILE = { filename: "output.txt", mediaType: "text/plain" };

test.each([
  ["tck-complete-task", "COMPLETED", undefined],
  ["tck-artifact-text", "COMPLETED", { text: "Generated text content" }],
  ["tck-artifact-file", "COMPLETED", { raw: expect.any(String), ...FILE }],
  ["tck-artifact-file-url", "COMPLETED", { url: "https://example.com/output.txt", ...FILE }],
  ["tck-artifact-data", "COMPLETED", { data: { key: "value", count: 42 } }],
  ["tck-input-required", "INPUT_REQUIRED", undefined],
  ["tck-reject-task", "REJECTED", undefined],
  ["tck-stream-001", "COMPLETED", { text: "Stream hello from TCK" }],
  ["test-resubscribe-message-id", "COMPLETED", undefined],
  ["anything else", "INPUT_REQUIRED", undefined],
])("by the id %s… the kit gets a task that is %s", async (prefix, state, part) => {
  const answer = await said("hello", `${prefix}-${randomUUID()}`);
  expect(answer).toMatchObject({ state });
  expect(answer.parts).toEqual(part === undefined ? undefined : [part]);
});

test("by its id or its text a message is answered without a task", async () => {
  expect(await said("hello", `tck-message-response-${randomUUID()}`)).toMatchObject({ kind: "message" });
  expect(await said("tck-message-response hello")).toMatchObject({ kind: "message" });
});

test("by the first word of the first text a conversation goes on until it is done", async () => {
  const { id, state } = (await said("tck-multi-turn start")) as { id: string; state: string };
  expect(state).toBe("INPUT_REQUIRED");
  expect(await said("more", undefined, id)).toMatchObject({ id, state: "INPUT_REQUIRED" });
  expect(await said("done", undefined, id)).toMatchObject({ id, state: "COMPLETED" });
});

test("a task that the kit left open is completed by its next message", async () => {
  const { id } = (await said("hello", `tck-input-required-${randomUUID()}`)) as { id: string };
  expect(await said("hello", `tck-complete-task-${randomUUID()}`, id)).toMatchObject({
    id,
    state: "COMPLETED",
  });
});
