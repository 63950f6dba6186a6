import type { MessageActor, MessageTurn } from "@cleveragents/application";
import type { Client } from "@cleveragents/protocol";
import { inProcess } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import type { Composition } from "../src/compose.ts";
import { bootMachine, type Machine } from "./in-memory-server.ts";

interface Doubles {
  readonly actor: MessageActor;
  readonly attempts: MessageTurn[];
}

/** Answers at once from the given attempt on; before that it never comes to an end. */
function endingAtAttempt(ending: number): Doubles {
  const attempts: MessageTurn[] = [];
  const actor: MessageActor = {
    async run(turn, log) {
      attempts.push(turn);
      await log.artifact({
        artifact: { artifactId: "a", parts: [{ kind: "text", text: `try ${turn.attempt}` }] },
      });
      if (turn.attempt < ending) {
        await log.status("working");
        await new Promise((_, reject) =>
          turn.signal.addEventListener("abort", () => reject(turn.signal.reason)),
        );
      }
      return { state: "completed" };
    },
  };
  return { actor, attempts };
}

async function started(machine: Machine): Promise<{ composition: Composition; client: Client }> {
  const composition = await machine.start();
  const { client } = await inProcess({ dispatcher: composition.dispatcher });
  return { composition, client };
}

const message = { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "hello" }] } as const;

async function sendAndStop(machine: Machine): Promise<string> {
  const { composition, client } = await started(machine);
  const answer = await client.call("SendMessage", {
    message: { ...message, parts: [...message.parts] },
    configuration: { returnImmediately: true },
  });
  if (!("task" in answer)) throw new Error("no task");
  await expect
    .poll(async () => (await client.call("GetTask", { id: answer.task.id })).artifacts)
    .toBeDefined();
  await composition.stop(1000);
  return answer.task.id;
}

describe("a message that was being worked on when the process ended", () => {
  test("is worked on again at the next start, and what was said before gives way to what is said now", async () => {
    const { actor, attempts } = endingAtAttempt(2);
    await using machine = await bootMachine({ actor });
    const id = await sendAndStop(machine);
    const { composition, client } = await started(machine);
    await expect
      .poll(async () => (await client.call("GetTask", { id })).status.state)
      .toBe("TASK_STATE_COMPLETED");
    const task = await client.call("GetTask", { id });
    expect(task.artifacts).toEqual([{ artifactId: "a", parts: [{ text: "try 2" }] }]);
    expect(task.history).toHaveLength(1);
    expect(attempts.map(({ attempt, turn, history }) => [attempt, turn, history.length])).toEqual([
      [1, 1, 1],
      [2, 1, 1],
    ]);
    await composition.stop(1000);
  });

  test("fails after three deaths, so that it cannot end the process for ever", async () => {
    const { actor, attempts } = endingAtAttempt(99);
    await using machine = await bootMachine({ actor });
    await using killed = new AsyncDisposableStack();
    const id = await sendAndStop(machine);
    for (let start = 2; start <= 4; start++) {
      // The next one begins while this one has not been told to stop: it is alone and takes it for dead.
      const { composition } = await started(machine);
      killed.defer(() => composition.stop(1000));
      await expect.poll(() => attempts.length).toBe(start);
    }
    const { composition, client } = await started(machine);
    const task = await client.call("GetTask", { id });
    expect(task.status.state).toBe("TASK_STATE_FAILED");
    expect(JSON.stringify(task.status.message)).toContain("interrupted");
    // The first of them ended in good order.
    expect(attempts).toHaveLength(4);
    await composition.stop(1000);
  });

  test("is begun again after any number of orderly stops", async () => {
    const { actor, attempts } = endingAtAttempt(6);
    await using machine = await bootMachine({ actor });
    const id = await sendAndStop(machine);
    for (let start = 2; start <= 5; start++) {
      const { composition } = await started(machine);
      await expect.poll(() => attempts.length).toBe(start);
      await composition.stop(1000);
    }
    const { composition, client } = await started(machine);
    await expect
      .poll(async () => (await client.call("GetTask", { id })).status.state)
      .toBe("TASK_STATE_COMPLETED");
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6]);
    await composition.stop(1000);
  });

  test("fails clearly where nobody answers messages any more", async () => {
    const { actor } = endingAtAttempt(99);
    await using machine = await bootMachine({ actor });
    const id = await sendAndStop(machine);
    await using without = await bootMachine({}, machine);
    const { composition, client } = await started(without);
    expect((await client.call("GetTask", { id })).status.state).toBe("TASK_STATE_FAILED");
    await composition.stop(1000);
  });

  test("one that waits for the user is left alone, and takes the answer", async () => {
    const actor: MessageActor = {
      run: async (turn) => ({ state: turn.turn === 1 ? "input-required" : "completed" }),
    };
    await using machine = await bootMachine({ actor });
    const first = await started(machine);
    const send = (client: Client, messageId: string, taskId?: string) =>
      client.call("SendMessage", {
        message: {
          ...message,
          messageId,
          parts: [{ text: "x" }],
          ...(taskId === undefined ? {} : { taskId }),
        },
      });
    const asked = (await send(first.client, "m-1")) as { task: { id: string } };
    await first.composition.stop(1000);
    const second = await started(machine);
    expect(await send(second.client, "m-2", asked.task.id)).toMatchObject({
      task: { id: asked.task.id, status: { state: "TASK_STATE_COMPLETED" } },
    });
    await second.composition.stop(1000);
  });
});
