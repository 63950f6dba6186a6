import type { Command, TaskRow } from "@cleveragents/application";
import type { JsonObject } from "@cleveragents/domain";
import { describe, expect, it } from "vitest";
import {
  aTask,
  chunk,
  create,
  entry,
  keyed,
  type OpenTaskStore,
  opened,
  status,
  textsOf,
} from "./fixtures.ts";

/** Changes everything that can be changed in an object, deeply. */
function spoil(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    spoil(Reflect.get(value, key));
    Reflect.set(value, key, "spoiled");
  }
  Reflect.set(value, "extra", "spoiled");
  if (Array.isArray(value)) value.push("spoiled");
}

export function dataTests(open: OpenTaskStore): void {
  describe("what is stored", () => {
    const whole = (): Command => ({
      taskId: "t",
      create: { ...aTask, referenceTaskIds: ["before"] },
      expect: { states: ["submitted"] },
      events: keyed("k", status("working", "said", "heard"), chunk("x", "1")),
      document: { list: [1, { two: 2 }] },
      inbox: { add: [entry("a", { deep: { er: [1] } }), entry("b")], take: ["b"] },
      claimMessage: { principal: "anna", messageId: "m" },
    });

    it("is not changed through the objects that were handed in, not even at once", async () => {
      await using t = await opened(open);
      const command = whole();
      const committing = t.store.commit(command);
      spoil(command);
      await committing;
      const snapshot = await t.store.snapshot("t", { artifacts: true });
      expect(snapshot).toMatchObject({
        row: {
          taskId: "t",
          contextId: "context",
          principal: "anna",
          referenceTaskIds: ["before"],
          document: { list: [1, { two: 2 }] },
        },
        history: [{ parts: [{ kind: "text", text: "heard" }] }, { parts: [{ kind: "text", text: "said" }] }],
        artifacts: [{ artifactId: "x", parts: [{ kind: "text", text: "1" }] }],
      });
      expect(await t.store.inbox("t")).toEqual([entry("a", { deep: { er: [1] } })]);
      expect(await t.store.taskOfMessage("anna", "m")).toBe("t");
    });

    it("is not changed through the objects that were handed out", async () => {
      await using t = await opened(open);
      await t.store.commit(whole());
      const read = async () => [
        await t.store.load("t"),
        await t.store.snapshot("t", { artifacts: true }),
        await t.store.events("t", 0),
        (await t.store.list({ principal: "anna", limit: 5 })).rows,
        await t.store.inbox("t"),
        await t.store.unfinished("plan"),
      ];
      const before = structuredClone(await read());
      spoil(await read());
      expect(await read()).toEqual(before);
      await expect(
        t.store.commit({ taskId: "t", inbox: { add: [entry("a", { else: 1 })] } }),
      ).rejects.toMatchObject({
        name: "InboxConflictError",
      });
    });

    it("may have a key named __proto__, which is data and pollutes nothing", async () => {
      await using t = await opened(open);
      const evil = () =>
        JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as JsonObject;
      const artifact = {
        artifactId: "__proto__",
        parts: [{ kind: "data" as const, data: evil() }],
        metadata: evil(),
      };
      await t.store.commit({
        taskId: "__proto__",
        create: { ...aTask, principal: "__proto__", contextId: "__proto__" },
        document: evil(),
        events: [
          { key: "__proto__", event: { type: "artifact", artifact, append: false, lastChunk: false } },
          { key: "constructor", event: { type: "artifact", artifact, append: true, lastChunk: false } },
        ],
        inbox: { add: [entry("__proto__", evil())] },
        claimMessage: { principal: "__proto__", messageId: "__proto__" },
      });
      const snapshot = await t.store.snapshot("__proto__", { artifacts: true });
      for (const json of [
        snapshot?.row.document,
        snapshot?.artifacts[0]?.metadata,
        (await t.store.inbox("__proto__"))[0]?.body,
      ]) {
        expect(JSON.stringify(json)).toBe(JSON.stringify(evil()));
      }
      expect(snapshot?.artifacts.map(({ artifactId, parts }) => [artifactId, parts.length])).toEqual([
        ["__proto__", 2],
      ]);
      expect(await t.store.taskOfMessage("__proto__", "__proto__")).toBe("__proto__");
      expect(await t.store.taskOfMessage("constructor", "constructor")).toBeUndefined();
      expect(await t.store.list({ principal: "__proto__", limit: 5 })).toMatchObject({ total: 1 });
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    });

    const texts = [
      "",
      " ",
      "é e\u0301",
      "日本語",
      "👩‍🚀",
      "\u0000nul",
      "\ud800",
      "\udfff",
      "a\ud800",
      "a\ud801",
      "\u0001",
      '\u0001"\\u0001"',
      "\ufffd",
      "'; drop table tasks; --",
    ];

    it.each(texts)("may be any text: %j", async (text) => {
      await using t = await opened(open);
      const task = { ...aTask, contextId: text, principal: text };
      const added = entry(text, { [text]: text });
      await t.store.commit({
        taskId: text,
        create: task,
        events: [{ key: text, event: chunk(text, text) }, ...keyed(text, status("working", text))],
        document: { [text]: text },
        runId: text,
        inbox: { add: [added] },
        claimMessage: { principal: text, messageId: text },
      });
      const row: Partial<TaskRow> = {
        ...task,
        taskId: text,
        runId: text,
        document: { [text]: text },
        lastSeq: 2,
      };
      expect(await t.store.load(text)).toMatchObject(row);
      expect((await t.store.events(text, 0))[0]).toMatchObject({ key: text, event: chunk(text, text) });
      expect(await textsOf(t.store, text)).toEqual({ [text]: [text] });
      expect(await t.store.inbox(text)).toEqual([added]);
      expect(await t.store.taskOfMessage(text, text)).toBe(text);
      expect((await t.store.list({ principal: text, contextId: text, limit: 5 })).rows).toHaveLength(1);
      expect(
        await t.store.commit({ taskId: text, expect: { runId: text }, inbox: { take: [text] } }),
      ).toMatchObject({ revision: 2 });
    });

    it("keeps texts apart that differ only in what UTF-8 cannot say", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      for (const text of texts) {
        const committed = await t.store.commit({
          taskId: "t",
          events: [{ key: text, event: chunk(text, text) }],
          inbox: { add: [entry(text)] },
        });
        expect(committed, JSON.stringify(text)).toMatchObject({ appended: 1 });
      }
      expect((await t.store.events("t", 0)).map(({ key }) => key)).toEqual(texts);
      expect(Object.keys(await textsOf(t.store, "t"))).toEqual(texts);
    });
  });

  describe("closing", () => {
    it("commits what was handed in before, and refuses everything after", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      const commits = [1, 2, 3].map((n) =>
        t.store.commit({ taskId: "t", events: keyed(`${n}.`, chunk("x", "-")) }),
      );
      const heard: number[] = [];
      t.store.watch("t", (_, lastSeq) => heard.push(lastSeq));
      await t.store.check();
      await t.store.close();
      expect((await Promise.all(commits)).map(({ lastSeq }) => lastSeq)).toEqual([1, 2, 3]);
      const refused = [
        t.store.commit({ taskId: "t", document: {} }),
        t.store.load("t"),
        t.store.snapshot("t", { artifacts: true }),
        t.store.events("t", 0),
        t.store.list({ principal: "anna", limit: 5 }),
        t.store.inbox("t"),
        t.store.unfinished("plan"),
        t.store.unfinishedHeads("plan", 5),
        t.store.count("plan", ["working"]),
        t.store.taskOfMessage("anna", "m"),
        t.store.check(),
      ];
      for (const call of await Promise.allSettled(refused)) {
        expect(call).toMatchObject({ status: "rejected", reason: { name: "StoreClosedError" } });
      }
      await t.store.close();
    });
  });
}
