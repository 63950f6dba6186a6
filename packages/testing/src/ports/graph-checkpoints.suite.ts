import type { CheckpointWrite, GraphCheckpoint, GraphCheckpoints } from "@cleveragents/application";
import { describe, expect, it } from "vitest";
import { ErrorLog, type OpenStore, StandingClock } from "./store-harness.ts";

function checkpoint(id: string, more: Partial<GraphCheckpoint> = {}): GraphCheckpoint {
  return {
    thread: "plan:execution:1",
    namespace: "",
    id,
    parent: undefined,
    checkpoint: { kind: "json", text: `{"id":"${id}"}` },
    metadata: { kind: "json", text: '{"step":1}' },
    ...more,
  };
}

function write(task: string, index: number, text: string): CheckpointWrite {
  return { task, index, channel: "last", value: { kind: "json", text } };
}

/** What every `GraphCheckpoints` owes. `open` gives an empty one. */
export function graphCheckpointsSuite(open: OpenStore<GraphCheckpoints>): void {
  const opened = () => open({ clock: new StandingClock(), logger: new ErrorLog() });
  const thread = "plan:execution:1";

  describe("GraphCheckpoints", () => {
    it("gives a checkpoint by its id, and the newest one without", async () => {
      await using t = await opened();
      await t.store.put(checkpoint("2"));
      await t.store.put(checkpoint("3", { parent: "2" }));
      await t.store.put(checkpoint("1"));
      await t.store.put(checkpoint("9", { namespace: "part" }));
      expect(await t.store.get({ thread, namespace: "" })).toEqual({
        ...checkpoint("3", { parent: "2" }),
        writes: [],
      });
      expect(await t.store.get({ thread, namespace: "", id: "1" })).toMatchObject({ id: "1" });
      expect(await t.store.get({ thread, namespace: "", id: "9" })).toBeUndefined();
      expect(await t.store.get({ thread: "another", namespace: "" })).toBeUndefined();
    });

    it("lists what a filter lets through, newest first", async () => {
      await using t = await opened();
      for (const id of ["1", "2", "3"]) await t.store.put(checkpoint(id));
      await t.store.put(checkpoint("4", { thread: "another" }));
      const ids = async (filter: Parameters<GraphCheckpoints["list"]>[0]) =>
        (await t.store.list(filter)).map(({ id }) => id);
      expect(await ids({})).toEqual(["4", "3", "2", "1"]);
      expect(await ids({ thread })).toEqual(["3", "2", "1"]);
      expect(await ids({ thread, before: "3" })).toEqual(["2", "1"]);
      expect(await ids({ thread, before: "3", limit: 1 })).toEqual(["2"]);
      expect(await ids({ thread, namespace: "part" })).toEqual([]);
    });

    it("replaces a checkpoint that is put again", async () => {
      await using t = await opened();
      await t.store.put(checkpoint("1"));
      const other = checkpoint("1", { checkpoint: { kind: "bytes", text: "AAH/" } });
      await t.store.put(other);
      expect(await t.store.list({})).toEqual([{ ...other, writes: [] }]);
    });

    it("keeps the first write of a task, unless the new one is to count, in the order of their numbers", async () => {
      await using t = await opened();
      const place = checkpoint("1");
      await t.store.put(place);
      await t.store.putWrites(
        place,
        [write("b", 0, "1"), write("a", 10, "2"), write("a", 9, "3"), write("a", -3, "4")],
        false,
      );
      await t.store.putWrites(place, [write("a", 9, "5"), write("a", 11, "6")], false);
      await t.store.putWrites(place, [write("a", -3, "7")], true);
      const found = await t.store.get({ thread, namespace: "", id: "1" });
      expect(found?.writes.map(({ task, index, value }) => [task, index, value.text])).toEqual([
        ["a", -3, "7"],
        ["a", 9, "3"],
        ["a", 10, "2"],
        ["a", 11, "6"],
        ["b", 0, "1"],
      ]);
    });

    it("forgets a thread with all of its parts, and no other", async () => {
      await using t = await opened();
      for (const place of [
        checkpoint("1"),
        checkpoint("2", { namespace: "part" }),
        checkpoint("3", { thread: "another" }),
      ]) {
        await t.store.put(place);
        await t.store.putWrites(place, [write("a", 0, "1")], false);
      }
      await t.store.remove(thread);
      expect((await t.store.list({})).map(({ id, writes }) => [id, writes.length])).toEqual([["3", 1]]);
      await t.store.put(checkpoint("1"));
      expect((await t.store.get({ thread, namespace: "" }))?.writes).toEqual([]);
    });

    it("keeps any text as it is, and shares no object with its callers", async () => {
      await using t = await opened();
      const odd = { kind: "json", text: `${"ä".repeat(100_000)}\u0000\ud800` };
      const mine = checkpoint("1\u0000", { checkpoint: { ...odd } });
      await t.store.put(mine);
      (mine.checkpoint as { text: string }).text = "changed";
      expect((await t.store.get({ thread, namespace: "", id: "1\u0000" }))?.checkpoint).toEqual(odd);
    });
  });
}
