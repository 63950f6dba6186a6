import type { Command } from "@cleveragents/application";
import { describe, expect, it } from "vitest";
import { chunk, create, entry, keyed, message, type OpenTaskStore, opened, status } from "./fixtures.ts";

export function projectionTests(open: OpenTaskStore): void {
  describe("the row", () => {
    it("has the state, the message and the time of the newest status event, and no message if that had none", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      const from = t.clock.time;
      t.clock.time = from + 1;
      await t.store.commit({
        taskId: "t",
        events: keyed("a", status("working", "one"), status("input-required", "two")),
      });
      t.clock.time = from + 2;
      await t.store.commit({ taskId: "t", events: keyed("b", chunk("x", "1")) });
      expect(await t.store.load("t")).toMatchObject({
        state: "input-required",
        statusMessage: message("two"),
        statusAt: from + 1,
        createdAt: from,
        updatedAt: from + 2,
        lastSeq: 3,
      });
      t.clock.time = from + 3;
      await t.store.commit({ taskId: "t", events: keyed("c", status("working", undefined, "heard")) });
      expect(await t.store.load("t")).toMatchObject({
        state: "working",
        statusMessage: null,
        statusAt: from + 3,
      });
    });

    it("goes back in time with no clock that is set back", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      const from = t.clock.time;
      t.clock.time = from - 5000;
      await t.store.commit({ taskId: "t", events: keyed("a", status("working", "one")) });
      expect(await t.store.load("t")).toMatchObject({ statusAt: from, createdAt: from, updatedAt: from });
      expect((await t.store.events("t", 0)).map(({ at }) => at)).toEqual([from]);
    });

    it("takes a status event of the same state, at the same time, for a new one", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await t.store.commit({ taskId: "t", events: keyed("a", status("working", "one")) });
      await t.store.commit({ taskId: "t", events: keyed("b", status("working", "two")) });
      expect(await t.store.load("t")).toMatchObject({
        state: "working",
        statusMessage: message("two"),
        lastSeq: 2,
      });
    });

    it("keeps the document until it is replaced as a whole", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await t.store.commit({ taskId: "t", document: { a: 1, b: [2] } });
      await t.store.commit({ taskId: "t", events: keyed("a", status("working")) });
      expect((await t.store.load("t"))?.document).toEqual({ a: 1, b: [2] });
      await t.store.commit({ taskId: "t", document: { c: 3 } });
      expect((await t.store.load("t"))?.document).toEqual({ c: 3 });
      expect((await t.store.snapshot("t", { artifacts: false }))?.row.document).toEqual({ c: 3 });
    });

    const changes: readonly (readonly [string, Omit<Command, "taskId">])[] = [
      ["an event", { events: keyed("a", chunk("x", "1")) }],
      ["a document", { document: { a: 1 } }],
      ["a run", { runId: "run" }],
      ["an inbox entry", { inbox: { add: [entry("new")] } }],
      ["a taken entry", { inbox: { take: ["there"] } }],
    ];
    it.each(changes)("counts %s as one change, and the same again as none", async (_, command) => {
      await using t = await opened(open);
      await create(t.store, "t");
      await t.store.commit({ taskId: "t", inbox: { add: [entry("there")] } });
      t.clock.time += 1;
      expect(await t.store.commit({ taskId: "t", ...command })).toMatchObject({ revision: 3 });
      const changed = await t.store.load("t");
      expect(changed).toMatchObject({ revision: 3, updatedAt: t.clock.time });
      t.clock.time += 1;
      expect(await t.store.commit({ taskId: "t", ...command })).toMatchObject({ revision: 3, appended: 0 });
      expect(await t.store.load("t")).toEqual(changed);
    });

    it("counts a command that changes many things as one change", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      const all = Object.assign({}, ...changes.map(([, command]) => command)) as Omit<Command, "taskId">;
      expect(await t.store.commit({ taskId: "t", ...all, bumpEpoch: true })).toMatchObject({ revision: 2 });
    });

    it("is read by a commit that is in the same group", async () => {
      await using t = await opened(open);
      const commits = [
        t.store.commit({ taskId: "t", create: { contextId: "c", principal: "anna", kind: "message" } }),
        t.store.commit({ taskId: "t", expect: { states: ["submitted"], revision: 1 }, bumpEpoch: true }),
        t.store.commit({
          taskId: "t",
          expect: { epoch: 2, revision: 2 },
          events: keyed("a", status("working")),
        }),
        t.store.commit({ taskId: "t", expect: { states: ["working"], revision: 3 }, document: { a: 1 } }),
      ];
      expect((await Promise.all(commits)).at(-1)).toEqual({ lastSeq: 1, epoch: 2, revision: 4, appended: 0 });
      expect(await t.store.load("t")).toMatchObject({
        epoch: 2,
        revision: 4,
        state: "working",
        document: { a: 1 },
      });
    });
  });
}
