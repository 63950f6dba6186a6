import { createRetryRules, type PushStore } from "@cleveragents/application";
import { InMemoryEngineState, InMemoryPlanEngine } from "@cleveragents/infrastructure/memory";
import type { ParamsInputOf } from "@cleveragents/protocol";
import { scriptedMessageActor } from "@cleveragents/testing";
import { expect, test } from "vitest";
import { compose } from "../src/compose.ts";
import { openAltered } from "./altered-server.ts";
import { VERSION } from "./in-memory-server.ts";
import { isOver, openReceiver, seqOf } from "./webhook-receiver.ts";

const pushRetries = createRetryRules({ firstMs: 5, longestMs: 20, random: () => 0.5 });
let messages = 0;
const say = (text: string, more = {}): ParamsInputOf<"SendMessage">["message"] => ({
  messageId: `restart-${++messages}`,
  role: "ROLE_USER",
  parts: [{ text }],
  ...more,
});

test("what was received when the process died, and not yet noted, is posted again, and nothing is left out", async () => {
  let dies = true;
  const never = new Promise<never>(() => undefined);
  await using receiver = await openReceiver();
  await using server = await openAltered(
    ({ push }) => {
      const dying = dies;
      dies = false;
      const advance: PushStore["advance"] = (...args) =>
        dying && args[2] === 2 ? never : push.advance(...args);
      return {
        actor: scriptedMessageActor,
        push: Object.assign(Object.create(push), bound(push), { advance }),
      };
    },
    { pushRetries },
  );
  await server.client.call("SendMessage", {
    message: say("echo"),
    configuration: { taskPushNotificationConfig: { url: receiver.url } },
  });
  await receiver.until((hits) => hits.some((hit) => seqOf(hit) === 2));
  await server.killAndStart();
  expect((await receiver.until(isOver)).map(seqOf)).toEqual([1, 2, 2, 3, 4]);
});

test("a new process goes on where the last one was", async () => {
  await using receiver = await openReceiver();
  await using server = await openAltered(() => ({ actor: scriptedMessageActor }), { pushRetries });
  const answer = await server.client.call("SendMessage", {
    message: say("ask"),
    configuration: { taskPushNotificationConfig: { id: "c", url: receiver.url } },
  });
  const taskId = "task" in answer ? answer.task.id : "";
  for (;;) {
    const row = await server.machine.adapters.push.find({ taskId, configId: "c" });
    if (row?.deliveredSeq === 3) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await server.composition.stop(1000);
  await server.killAndStart();
  await server.client.call("SendMessage", { message: say("echo Rex", { taskId }) });
  expect((await receiver.until(isOver)).map(seqOf)).toEqual([1, 2, 3, 4, 5, 6]);
});

test("of two processes on the same stores one delivers", async () => {
  await using receiver = await openReceiver();
  await using server = await openAltered(() => ({ actor: scriptedMessageActor }), {
    pushRetries,
    alone: false,
  });
  const engine = new InMemoryPlanEngine({ state: new InMemoryEngineState(), retryDelayMs: 5 });
  const second = compose(
    { ...server.machine.adapters, engine },
    { version: VERSION, alone: false, pushRetries },
  );
  const taskPushNotificationConfig = { id: "c", url: receiver.url };
  const asked = await server.client.call("SendMessage", {
    message: say("ask"),
    configuration: { taskPushNotificationConfig },
  });
  // It knows of the row from its start on.
  await second.start();
  const taskId = "task" in asked ? asked.task.id : "";
  await server.client.call("SendMessage", { message: say("burst-30", { taskId }) });
  await receiver.until(isOver);
  const seqs = receiver.hits.map(seqOf);
  expect(seqs).toEqual(seqs.map((_, n) => n + 1));
  await second.stop(1000);
});

/** Methods as own members, so that one of them can be replaced. */
function bound(push: PushStore): PushStore {
  const names = [
    "put",
    "find",
    "ofTask",
    "remove",
    "active",
    "due",
    "claim",
    "renew",
    "fail",
    "free",
  ] as const;
  return Object.fromEntries(names.map((name) => [name, push[name].bind(push)])) as never;
}
