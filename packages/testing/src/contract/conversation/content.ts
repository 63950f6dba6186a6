import { describe, expect, test } from "vitest";
import { stranger, type World } from "../../world/world.ts";
import { asRefusal, drain, refusalOf } from "../refusals.ts";
import { say } from "../task/fixtures.ts";
import { taskOf } from "./turns.ts";

/** What escaping, framing or storage is likely to break. */
const TORTURE =
  "<a href='x'>&amp;</a> \"/\\ a\r\nb\rc\nd \u2028\u2029 e\u0301 \u202Eabc\u202C \u0000\u0001\u007F \u{1F9D1}\u200D\u{1F4BB} id: 7\n\ndata: {}";

export function content(world: () => World): void {
  describe("content of messages", () => {
    test("any text comes back as it was sent, in the answer, the stream, the store and the list", async () => {
      const { client } = stranger(world());
      const parts = [{ text: "echo" }, { text: TORTURE }, { data: { [TORTURE]: TORTURE } }];
      const task = await taskOf(client, say(parts));
      expect(task.artifacts?.[0]?.parts).toEqual(parts);
      const items = await drain(client.stream("SendStreamingMessage", { message: say(parts) }));
      const updates = items.flatMap(({ result }) =>
        "artifactUpdate" in result ? [result.artifactUpdate] : [],
      );
      expect(updates.map(({ artifact }) => artifact.parts)).toEqual([parts]);
      const read = await client.call("GetTask", { id: task.id });
      expect([read.artifacts?.[0]?.parts, read.history?.[0]?.parts]).toEqual([parts, parts]);
      const listed = await client.call("ListTasks", { includeArtifacts: true, historyLength: 9 });
      expect(listed.tasks.map((each) => each.artifacts?.[0]?.parts)).toEqual([parts, parts]);
    });

    test("half a surrogate pair is replaced or refused, and breaks nothing", async () => {
      const { client } = world();
      const sent = client.call("SendMessage", { message: say([{ text: "echo" }, { text: "a\ud800b" }]) });
      const shown = await sent.then(
        (answer) => ("task" in answer ? answer.task.artifacts?.[0]?.parts[1]?.text : undefined),
        () => "refused",
      );
      expect(["a\uFFFDb", "refused"]).toContain(shown);
      await taskOf(client, say("echo"));
    });

    test.each([200_000, 2_000_000])(
      "a text of %i characters goes through, also as one event",
      async (length) => {
        const { client } = world();
        const parts = [{ text: "echo" }, { text: "x".repeat(length) }];
        const task = await taskOf(client, say(parts));
        expect(task.artifacts?.[0]?.parts[1]?.text?.length).toBe(length);
        const items = await drain(client.stream("SendStreamingMessage", { message: say(parts) }));
        const lengths = items.flatMap(({ result }) =>
          "artifactUpdate" in result ? [result.artifactUpdate.artifact.parts[1]?.text?.length] : [],
        );
        expect(lengths).toEqual([length]);
      },
    );

    test("no member of a task or a list is null or empty for nothing", async () => {
      const { client } = stranger(world());
      const task = await taskOf(client, say("ask"));
      expect(nothings(task)).toEqual([]);
      expect(task).not.toHaveProperty("artifacts");
      expect(nothings((await client.call("ListTasks", {})).tasks)).toEqual([]);
    });

    test.each([
      ["parts that are null", { parts: null }],
      ["no parts", { parts: [] }],
      ["parts that are no list", { parts: { text: "x" } }],
      ["a part that is null", { parts: [null] }],
      ["a part with two contents", { parts: [{ text: "a", data: { b: 1 } }] }],
      ["a part without content", { parts: [{}] }],
      ["a role of 0.3", { role: "user" }],
      ["a role that is none", { role: "ROLE_ROBOT" }],
      ["no role", { role: undefined }],
      ["the agent's role", { role: "ROLE_AGENT" }],
      ["no messageId", { messageId: undefined }],
      ["an empty messageId", { messageId: "" }],
      ["bytes that are no base64", { parts: [{ raw: "%%%" }] }],
    ])("%s are refused, and no task is made", async (_, more) => {
      const { client } = stranger(world());
      const message = { ...say("echo"), ...more } as never;
      expect(await refusalOf(client.call("SendMessage", { message }))).toEqual(asRefusal("InvalidParams"));
      expect((await client.call("ListTasks", {})).totalSize).toBe(0);
    });
  });
}

/** Paths of members that are there and hold nothing. */
function nothings(value: unknown, path = "$"): string[] {
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return [path];
  if (typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, member]) => nothings(member, `${path}.${key}`));
}
