import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { followUntil, type Item, stateOf } from "../../world/index.ts";
import { stranger, type World } from "../../world/world.ts";
import { asRefusal, drain, refusalOf } from "../refusals.ts";
import { say } from "../task/fixtures.ts";
import { taskOf } from "./turns.ts";

const ENDED = ["COMPLETED", "FAILED", "CANCELED", "REJECTED"].map((word) => `TASK_STATE_${word}`);

export function rules(world: () => World): void {
  describe("a task that is over", () => {
    test.each([
      ["echo", "TASK_STATE_COMPLETED"],
      ["boom", "TASK_STATE_FAILED"],
      ["reject", "TASK_STATE_REJECTED"],
      ["ask", "TASK_STATE_CANCELED"],
    ])("by %s takes no message, one by one or as a stream, and stays as it is", async (text, state) => {
      const { client } = world();
      const { id, contextId } = await taskOf(client, say(text));
      if (state === "TASK_STATE_CANCELED") await client.call("CancelTask", { id });
      const before = await client.call("GetTask", { id });
      expect(before.status.state).toBe(state);
      const message = () => say("echo", { taskId: id });
      expect(await refusalOf(client.call("SendMessage", { message: message() }))).toEqual(
        asRefusal("UnsupportedOperation"),
      );
      expect(await refusalOf(drain(client.stream("SendStreamingMessage", { message: message() })))).toEqual(
        asRefusal("UnsupportedOperation"),
      );
      expect(await client.call("GetTask", { id })).toEqual(before);
      const next = await taskOf(client, say("echo", { contextId }));
      expect([next.contextId, next.id === id]).toEqual([contextId, false]);
    });

    test("has one end, whichever of its own and a cancel comes first", async () => {
      const { client } = stranger(world());
      const ends = await Promise.all(
        Array.from({ length: 24 }, async (_, n) => {
          const { id } = await taskOf(client, say("slow-40ms"), { returnImmediately: true });
          await sleep(30 + (n % 6) * 5);
          const answer = await client.call("CancelTask", { id }).then(
            (task) => task.status.state as string,
            () => "refused",
          );
          const seen = await followUntil(client, id, (item) => ENDED.includes(stateOf(item) ?? ""));
          return { answer, end: stateOf(seen.at(-1) as Item), id };
        }),
      );
      for (const { answer, end, id } of ends) {
        expect([answer, end]).toEqual(
          answer === "refused"
            ? ["refused", "TASK_STATE_COMPLETED"]
            : ["TASK_STATE_CANCELED", "TASK_STATE_CANCELED"],
        );
        expect((await client.call("GetTask", { id })).status.state).toBe(end);
      }
    });
  });

  describe("a follow-up", () => {
    test("needs no contextId, and no other one will do", async () => {
      const { client } = world();
      const task = await taskOf(client, say("ask"));
      const other = client.call("SendMessage", {
        message: say("echo", { taskId: task.id, contextId: "another" }),
      });
      expect(await refusalOf(other)).toEqual(asRefusal("InvalidParams"));
      const told = await taskOf(client, say("echo", { taskId: task.id }));
      expect([told.id, told.contextId]).toEqual([task.id, task.contextId]);
    });

    test("appears to those who followed the task while it waited", async () => {
      const { client } = world();
      const task = await taskOf(client, say("ask"));
      const stream = client.stream("SubscribeToTask", { id: task.id })[Symbol.asyncIterator]();
      expect(stateOf((await stream.next()).value as Item)).toBe("TASK_STATE_INPUT_REQUIRED");
      await taskOf(client, say("echo Rex", { taskId: task.id }));
      const rest: Item[] = [];
      for (let next = await stream.next(); next.done !== true; next = await stream.next())
        rest.push(next.value);
      expect(rest.flatMap((item) => stateOf(item) ?? [])).toEqual([
        "TASK_STATE_WORKING",
        "TASK_STATE_COMPLETED",
      ]);
    });
  });

  test("an actor that throws after the answer was sent fails the task that the caller was told of", async () => {
    const { client } = world();
    const { id } = await taskOf(client, say("boom"), { returnImmediately: true });
    const seen = await followUntil(client, id, (item) => stateOf(item) === "TASK_STATE_FAILED");
    expect(JSON.stringify(seen)).not.toContain("sk-test-123");
  });

  describe("historyLength", () => {
    const lengths = [
      [undefined, 4],
      [0, undefined],
      [1, 1],
      [1000, 4],
    ] as const;
    test.each(lengths)(
      "%s gives %s messages wherever a task is answered, and the task keeps all",
      async (n, expected) => {
        const { client } = stranger(world());
        const { id } = await taskOf(client, say("ask"));
        const length = n === undefined ? {} : { historyLength: n };
        const told = await taskOf(client, say("ask", { taskId: id }), length);
        const got = await client.call("GetTask", { id, ...length });
        expect([told.history?.length, got.history?.length]).toEqual([expected, expected]);
        const listed = await client.call("ListTasks", length);
        expect(listed.tasks[0]?.history?.length).toBe(n === undefined ? undefined : expected);
        const all = (await client.call("GetTask", { id })).history ?? [];
        expect(all).toHaveLength(4);
        if (n === 1) expect(got.history).toEqual(all.slice(-1));
      },
    );

    test.each([-1, 1.5, "two"])("%j is refused wherever it may stand", async (historyLength) => {
      const { client } = world();
      const { id } = await taskOf(client, say("ask"));
      const wrong = { historyLength } as never;
      const configuration = wrong;
      const attempts = [
        client.call("GetTask", { id, ...(wrong as object) }),
        client.call("ListTasks", wrong),
        client.call("SendMessage", { message: say("echo"), configuration }),
        drain(client.stream("SendStreamingMessage", { message: say("echo"), configuration })),
      ];
      for (const attempt of attempts) expect(await refusalOf(attempt)).toEqual(asRefusal("InvalidParams"));
    });
  });

  describe("a list", () => {
    test("has all of the caller's tasks without a filter, and those of a state with one", async () => {
      const { client } = stranger(world());
      for (const text of ["echo", "ask", "reject"]) await taskOf(client, say(text));
      expect((await client.call("ListTasks", {})).totalSize).toBe(3);
      const done = await client.call("ListTasks", { status: "TASK_STATE_COMPLETED" });
      expect(done.tasks.map(({ status }) => status.state)).toEqual(["TASK_STATE_COMPLETED"]);
      const none = await client.call("ListTasks", { contextId: "none" });
      expect(none).toEqual({ tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 });
    });

    test.each(["bogus", "working", "completed", 2.5])("of the state %j is refused", async (status) => {
      const { client } = world();
      expect(await refusalOf(client.call("ListTasks", { status: status as never }))).toEqual(
        asRefusal("InvalidParams"),
      );
    });

    test("of no particular state has every task, or is refused", async () => {
      const { client } = stranger(world());
      await taskOf(client, say("echo"));
      const listed = client.call("ListTasks", { status: "TASK_STATE_UNSPECIFIED" as never });
      expect(
        await listed.then(
          ({ totalSize }) => totalSize,
          () => "refused",
        ),
      ).not.toBe(0);
    });

    test.each([
      ["a page of none", { pageSize: 0 }],
      ["a page of fewer than none", { pageSize: -1 }],
      ["a page of too many", { pageSize: 101 }],
      ["a token that is none", { pageToken: "!!!" }],
      ["a time that is none", { statusTimestampAfter: "yesterday" }],
    ])("with %s is refused", async (_, params) => {
      expect(await refusalOf(world().client.call("ListTasks", params))).toEqual(asRefusal("InvalidParams"));
    });
  });
}
