import { InboxConflictError } from "@cleveragents/application";
import { describe, expect, it } from "vitest";
import { create, entry, keyed, type OpenTaskStore, opened, status } from "./fixtures.ts";

export function inboxTests(open: OpenTaskStore): void {
  describe("the inbox", () => {
    it("gives what was not yet taken, in the order in which it was added", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await create(t.store, "other");
      await t.store.commit({ taskId: "t", inbox: { add: [entry("z"), entry("b")] } });
      await t.store.commit({ taskId: "other", inbox: { add: [entry("z", { else: 1 })] } });
      await Promise.all(
        ["y", "a"].map((key) => t.store.commit({ taskId: "t", inbox: { add: [entry(key)] } })),
      );
      expect(await t.store.inbox("t")).toEqual([entry("z"), entry("b"), entry("y"), entry("a")]);
      await t.store.commit({ taskId: "t", inbox: { take: ["b", "y"], add: [entry("c")] } });
      expect(await t.store.inbox("t")).toEqual([entry("z"), entry("a"), entry("c")]);
      expect(await t.store.inbox("other")).toEqual([entry("z", { else: 1 })]);
    });

    it("leaves an entry that comes again as it is, open or taken, alone or among others", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await t.store.commit({
        taskId: "t",
        inbox: { add: [entry("a", { x: 1, y: { z: [2] } }), entry("b")] },
      });
      // Of the same body, whatever the order of its members.
      await t.store.commit({
        taskId: "t",
        inbox: { add: [entry("a", { y: { z: [2] }, x: 1 }), entry("c"), entry("c")] },
      });
      expect((await t.store.inbox("t")).map(({ key }) => key)).toEqual(["a", "b", "c"]);
      await t.store.commit({ taskId: "t", inbox: { take: ["a", "a", "unknown"] } });
      await t.store.commit({ taskId: "t", inbox: { add: [entry("a", { x: 1, y: { z: [2] } })] } });
      expect((await t.store.inbox("t")).map(({ key }) => key)).toEqual(["b", "c"]);
    });

    it.each(["open", "taken", "of the same command"])(
      "refuses another body for a key that is %s",
      async (which) => {
        await using t = await opened(open);
        await create(t.store, "t");
        if (which !== "of the same command")
          await t.store.commit({ taskId: "t", inbox: { add: [entry("a")] } });
        if (which === "taken") await t.store.commit({ taskId: "t", inbox: { take: ["a"] } });
        const before = await t.store.load("t");
        const add =
          which === "of the same command"
            ? [entry("a"), entry("a", { else: 1 })]
            : [entry("b"), entry("a", { else: 1 })];
        const conflict = t.store.commit({
          taskId: "t",
          events: keyed("k", status("working")),
          inbox: { add },
        });
        await expect(conflict).rejects.toThrow(InboxConflictError);
        await expect(conflict).rejects.toMatchObject({ taskId: "t", entry: entry("a", { else: 1 }) });
        expect(await t.store.load("t")).toEqual(before);
        expect(await t.store.inbox("t")).toEqual(which === "open" ? [entry("a")] : []);
      },
    );

    it("takes what the same command adds", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await t.store.commit({ taskId: "t", inbox: { add: [entry("a"), entry("b")], take: ["a"] } });
      expect(await t.store.inbox("t")).toEqual([entry("b")]);
    });
  });
}
