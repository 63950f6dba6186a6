import type { TaskEvent } from "@cleveragents/domain";
import { describe, expect, it, vi } from "vitest";
import {
  chunk,
  counted,
  create,
  keyed,
  logOf,
  message,
  type OpenTaskStore,
  opened,
  status,
  textsOf,
} from "./fixtures.ts";

export function readingTests(open: OpenTaskStore): void {
  describe("events", () => {
    it("come in order after a sequence, at most as many as asked for, 500 by default", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await t.store.commit({
        taskId: "t",
        events: keyed("k", ...counted(1203).map((n) => chunk("x", `${n}`))),
      });
      const seqs = async (after: number, limit?: number) =>
        (await t.store.events("t", after, limit)).map(({ seq }) => seq);
      expect(await seqs(0)).toEqual(counted(500));
      expect(await seqs(500)).toEqual(counted(500).map((n) => n + 500));
      expect(await seqs(1000)).toEqual(counted(203).map((n) => n + 1000));
      expect(await seqs(1203)).toEqual([]);
      expect(await seqs(9999)).toEqual([]);
      expect(await seqs(7, 3)).toEqual([8, 9, 10]);
      expect(await seqs(0, 1000)).toEqual(counted(1000));
      expect((await logOf(t.store, "t", 100)).map(({ seq }) => seq)).toEqual(counted(1203));
    });

    it("come at about 1 MiB at a time, but at least one", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      const large = "x".repeat(300_000);
      const events = [
        ...counted(7).map(() => chunk("x", large)),
        chunk("x", "x".repeat(3_000_000)),
        chunk("x", "last"),
      ];
      await t.store.commit({ taskId: "t", events: keyed("k", ...events) });
      const pages: number[] = [];
      for (let after = 0; after < events.length; ) {
        const page = await t.store.events("t", after);
        pages.push(page.length);
        after = page.at(-1)?.seq ?? Number.NaN;
      }
      expect(pages).toEqual([3, 3, 1, 1, 1]);
    });
  });

  describe("the history", () => {
    it("is what was received and said, oldest first: all, the newest n, or none", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await t.store.commit({
        taskId: "t",
        events: keyed(
          "k",
          ...[
            status("working", "said 1", "heard 1"),
            chunk("x", "-"),
            status("working"),
            status("working", "said 2"),
          ],
          ...[status("working", undefined, "heard 3"), chunk("x", "-")],
        ),
      });
      const all = [
        message("heard 1", "user"),
        message("said 1"),
        message("said 2"),
        message("heard 3", "user"),
      ];
      const history = async (historyLength?: number) =>
        (
          await t.store.snapshot("t", {
            artifacts: false,
            ...(historyLength !== undefined && { historyLength }),
          })
        )?.history;
      expect(await history()).toEqual(all);
      for (const n of counted(6)) expect(await history(n), `the newest ${n}`).toEqual(all.slice(-n));
      expect(await history(0)).toEqual([]);
    });
  });

  describe("artifacts", () => {
    it("are put together from their chunks, in order of first appearance", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await t.store.commit({
        taskId: "t",
        events: keyed(
          "a",
          chunk("z", "1", false),
          chunk("a", "A"),
          chunk("z", "2"),
          status("working"),
          chunk("z", "3"),
        ),
      });
      const texts = await textsOf(t.store, "t");
      expect(Object.entries(texts)).toEqual([
        ["z", ["1", "2", "3"]],
        ["a", ["A"]],
      ]);
    });

    it("are replaced by a chunk that does not append, in their place, and go on from there", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await t.store.commit({
        taskId: "t",
        events: keyed("a", chunk("z", "old", false), chunk("z", "old"), chunk("a", "A")),
      });
      await t.store.commit({
        taskId: "t",
        events: keyed("b", chunk("z", "new", false), chunk("z", "and more")),
      });
      expect(Object.entries(await textsOf(t.store, "t"))).toEqual([
        ["z", ["new", "and more"]],
        ["a", ["A"]],
      ]);
    });

    it("have the newest name, description and extensions that a chunk gave, and metadata of all, until replaced", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      const part = { kind: "text" as const, text: "-" };
      const given = (artifact: object, append: boolean) =>
        ({
          type: "artifact",
          artifact: { artifactId: "x", parts: [part], ...artifact },
          append,
          lastChunk: true,
        }) as TaskEvent;
      await t.store.commit({
        taskId: "t",
        events: keyed(
          "a",
          given({ name: "one", description: "d", extensions: ["e"], metadata: { a: 1, b: 1 } }, false),
          given({ name: "two", metadata: { b: 2, c: 2 } }, true),
          given({}, true),
        ),
      });
      const artifacts = async () => (await t.store.snapshot("t", { artifacts: true }))?.artifacts;
      expect(await artifacts()).toEqual([
        {
          artifactId: "x",
          name: "two",
          description: "d",
          extensions: ["e"],
          metadata: { a: 1, b: 2, c: 2 },
          parts: [part, part, part],
        },
      ]);
      await t.store.commit({ taskId: "t", events: keyed("b", given({ name: "three" }, false)) });
      expect(await artifacts()).toEqual([{ artifactId: "x", name: "three", parts: [part] }]);
    });

    it("are left out if they are not asked for", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      await t.store.commit({ taskId: "t", events: keyed("a", chunk("z", "1")) });
      expect((await t.store.snapshot("t", { artifacts: false }))?.artifacts).toEqual([]);
    });

    it("cost as many reads as they have chunks since they were replaced, with very many too", async () => {
      await using t = await opened(open);
      await create(t.store, "t");
      // A chunk is text until it is parsed, once: how often that happens is what the reading costs.
      const parsed = async (length: number) => {
        const parse = vi.spyOn(JSON, "parse");
        try {
          const snapshot = await t.store.snapshot("t", { historyLength: 0, artifacts: true });
          expect(snapshot?.artifacts[0]?.parts).toHaveLength(length);
          return parse.mock.calls.length;
        } finally {
          parse.mockRestore();
        }
      };
      const grow = async (from: number, to: number) => {
        const commits = counted((to - from) / 1000).map((n) => {
          const first = from + (n - 1) * 1000;
          return t.store.commit({
            taskId: "t",
            events: counted(1000).map((i) => ({
              key: `${first + i}`,
              event: chunk("x", "-", first + i !== 1),
            })),
          });
        });
        await Promise.all(commits);
      };
      await grow(0, 1000);
      expect(await parsed(1000)).toBeLessThan(1010);
      await grow(1000, t.many);
      expect(await parsed(t.many)).toBeLessThan(t.many + 10);
      await t.store.commit({
        taskId: "t",
        events: keyed("new", chunk("x", "new", false), chunk("x", "new")),
      });
      expect(await parsed(2)).toBeLessThan(10);
    }, 60_000);
  });

  it("an earlier snapshot is given back at most until something of the task is changed", async () => {
    await using t = await opened(open);
    await create(t.store, "t");
    const snapshot = async (earlier?: Awaited<ReturnType<typeof t.store.snapshot>>) =>
      t.store.snapshot("t", { artifacts: true, earlier });
    const first = await snapshot();
    expect(await snapshot(first)).toEqual(first);
    await t.store.commit({ taskId: "t", events: keyed("k", chunk("x", "1")) });
    const second = await snapshot(first);
    expect(second).toMatchObject({ row: { lastSeq: 1 }, artifacts: [{ artifactId: "x" }] });
    await t.store.commit({ taskId: "t", document: { a: 1 } });
    expect(await snapshot(second)).toMatchObject({ row: { document: { a: 1 } } });
  });

  it("a snapshot is of one moment: all of its last sequence and nothing after", async () => {
    await using t = await opened(open);
    await create(t.store, "t");
    const commits: Promise<unknown>[] = [];
    const snapshots: ReturnType<typeof t.store.snapshot>[] = [];
    for (const n of counted(120)) {
      commits.push(
        t.store.commit({
          taskId: "t",
          events: keyed(`${n}.`, status("working", `${n}`), chunk("x", `${n}`)),
        }),
      );
      snapshots.push(t.store.snapshot("t", { artifacts: true }));
      // Neither may fall behind the other, or all snapshots would be of the end.
      if (n % 7 === 0) await Promise.all([commits.at(-1), snapshots.at(-1)]);
    }
    await Promise.all(commits);
    const lengths = new Set<number>();
    for (const snapshot of await Promise.all(snapshots)) {
      const { row, history = [], artifacts = [] } = snapshot ?? {};
      const pairs = (row?.lastSeq ?? Number.NaN) / 2;
      expect(history).toHaveLength(pairs);
      expect(artifacts[0]?.parts ?? []).toHaveLength(pairs);
      expect(row?.statusMessage ?? undefined).toEqual(history.at(-1));
      lengths.add(pairs);
    }
    expect(lengths.size, "snapshots of several moments").toBeGreaterThan(5);
  });
}
