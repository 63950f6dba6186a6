import type { ChangesetStore, StoredChangeset } from "@cleveragents/application";
import { type FileChange, statsOf } from "@cleveragents/domain";
import { describe, expect, it } from "vitest";
import { ErrorLog, type OpenStore, StandingClock } from "./store-harness.ts";

function stored(digest: string, path = "a.txt"): StoredChangeset {
  const files: FileChange[] = [
    {
      path,
      op: "create",
      before: null,
      after: { mode: "100644", sha256: "0".repeat(64), size: 3 },
      binary: false,
      insertions: 1,
      deletions: 0,
    },
  ];
  const changeset = {
    version: 1 as const,
    files,
    stats: statsOf(files),
    risks: [{ kind: "dotfile" as const, path, note: "n" }],
  };
  return { digest, changeset, patch: `diff --git a/${path} b/${path}\n+é\n` };
}

/** What every `ChangesetStore` owes. `open` gives an empty one. */
export function changesetStoreSuite(open: OpenStore<ChangesetStore>): void {
  const opened = () => open({ clock: new StandingClock(), logger: new ErrorLog() });

  describe("ChangesetStore", () => {
    it("gives a changeset and its patch by digest", async () => {
      await using t = await opened();
      await t.store.put(stored("one"));
      await t.store.put(stored("two", "b.txt"));
      expect(await t.store.get("one")).toEqual(stored("one"));
      expect(await t.store.get("two")).toEqual(stored("two", "b.txt"));
      expect(await t.store.get("three")).toBeUndefined();
    });

    it("takes the same digest as often as it comes, and keeps the content that it had first", async () => {
      await using t = await opened();
      await Promise.all([t.store.put(stored("one")), t.store.put(stored("one"))]);
      await t.store.put(stored("one", "other.txt"));
      expect(await t.store.get("one")).toEqual(stored("one"));
    });

    it("shares no object with its callers", async () => {
      await using t = await opened();
      const mine = stored("one");
      await t.store.put(mine);
      (mine.changeset.files as FileChange[]).length = 0;
      const found = await t.store.get("one");
      expect(found).toEqual(stored("one"));
      (found?.changeset.files as FileChange[]).length = 0;
      expect(await t.store.get("one")).toEqual(stored("one"));
    });

    it("keeps patches of many megabytes, and any text, as they are", async () => {
      await using t = await opened();
      const patch = `${"+ä line\n".repeat(1_000_000)}\u0000\ud800`;
      await t.store.put({ ...stored("one"), patch });
      expect((await t.store.get("one"))?.patch === patch).toBe(true);
    });
  });
}
