import type { RegistryEntry, RegistryStore } from "@cleveragents/application";
import {
  EntryChangedError,
  EntryExistsError,
  EntryNotFoundError,
  type JsonObject,
} from "@cleveragents/domain";
import { describe, expect, it } from "vitest";
import { ErrorLog, type OpenStore, StandingClock } from "./store-harness.ts";

function entry(name: string, more: Partial<RegistryEntry> = {}): RegistryEntry {
  return {
    kind: "action",
    name,
    document: { of: name, deep: [{ a: 1 }] },
    createdAt: 1,
    updatedAt: 2,
    ...more,
  };
}

/** What every `RegistryStore` owes. `open` gives an empty one. */
export function registryStoreSuite(open: OpenStore<RegistryStore>): void {
  const opened = () => open({ clock: new StandingClock(), logger: new ErrorLog() });

  describe("RegistryStore", () => {
    it("finds what was added, by kind and full name", async () => {
      await using t = await opened();
      await t.store.add(entry("local/a"));
      expect(await t.store.find("action", "local/a")).toEqual(entry("local/a"));
      expect(await t.store.find("project", "local/a")).toBeUndefined();
      expect(await t.store.find("action", "local/b")).toBeUndefined();
    });

    it("refuses a name that is taken, and keeps what has it; another kind has names of its own", async () => {
      await using t = await opened();
      await t.store.add(entry("local/a"));
      const again = t.store.add(entry("local/a", { document: { new: true } }));
      await expect(again).rejects.toThrow(EntryExistsError);
      await expect(again).rejects.toMatchObject({ kind: "action", entry: "local/a" });
      await t.store.add(entry("local/a", { kind: "project" }));
      expect(await t.store.find("action", "local/a")).toEqual(entry("local/a"));
    });

    it("lets one of many that add the same name at once succeed", async () => {
      await using t = await opened();
      const all = await Promise.allSettled(
        [1, 2, 3, 4].map((n) => t.store.add(entry("local/a", { document: { n } }))),
      );
      const added = all.flatMap(({ status }, i) => (status === "fulfilled" ? [i + 1] : []));
      expect(added).toHaveLength(1);
      expect((await t.store.find("action", "local/a"))?.document).toEqual({ n: added[0] });
      for (const outcome of all) {
        if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(EntryExistsError);
      }
    });

    it("replaces an entry as a whole", async () => {
      await using t = await opened();
      await t.store.add(entry("local/a"));
      const replaced = entry("local/a", { document: { new: true }, updatedAt: 9 });
      await t.store.replace(replaced);
      expect(await t.store.find("action", "local/a")).toEqual(replaced);
    });

    it("cannot replace what is not there, and says what is", async () => {
      await using t = await opened();
      for (const name of ["local/b", "local/a"]) await t.store.add(entry(name));
      const replace = t.store.replace(entry("local/c"));
      await expect(replace).rejects.toThrow(EntryNotFoundError);
      await expect(replace).rejects.toMatchObject({
        kind: "action",
        entry: "local/c",
        known: ["local/a", "local/b"],
      });
      expect(await t.store.list("action")).toHaveLength(2);
    });

    it("replaces and removes what was seen, and nothing that has changed since", async () => {
      await using t = await opened();
      const first = entry("local/a");
      const second = entry("local/a", { document: { n: 2 } });
      await t.store.add(first);
      await t.store.replace(second, first);
      await expect(t.store.replace(entry("local/a", { document: { n: 3 } }), first)).rejects.toThrow(
        EntryChangedError,
      );
      await expect(t.store.remove("action", "local/a", first)).rejects.toMatchObject({
        kind: "action",
        entry: "local/a",
      });
      expect(await t.store.find("action", "local/a")).toEqual(second);
      await t.store.remove("action", "local/a", second);
      await expect(t.store.replace(first, second)).rejects.toThrow(EntryNotFoundError);
      await expect(t.store.remove("action", "local/a", second)).rejects.toThrow(EntryNotFoundError);
    });

    it("lets one of many that replace what they have all seen succeed", async () => {
      await using t = await opened();
      const seen = entry("local/a");
      await t.store.add(seen);
      const all = await Promise.allSettled(
        [1, 2, 3, 4].map((n) => t.store.replace(entry("local/a", { document: { n } }), seen)),
      );
      expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const outcome of all)
        if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(EntryChangedError);
    });

    it("forgets what is removed, and nothing else", async () => {
      await using t = await opened();
      for (const name of ["local/a", "local/b"]) await t.store.add(entry(name));
      await t.store.add(entry("local/a", { kind: "project" }));
      await t.store.remove("action", "local/a");
      expect((await t.store.list("action")).map(({ name }) => name)).toEqual(["local/b"]);
      expect(await t.store.find("project", "local/a")).toBeDefined();
      await expect(t.store.remove("action", "local/a")).rejects.toMatchObject({
        name: "EntryNotFoundError",
        entry: "local/a",
        known: ["local/b"],
      });
      await t.store.add(entry("local/a"));
    });

    it("lists the entries of a kind by name", async () => {
      await using t = await opened();
      for (const name of ["local/b", "team/a", "local/a", "local/a-b"]) await t.store.add(entry(name));
      await t.store.add(entry("local/0", { kind: "actor" }));
      const names = (await t.store.list("action")).map(({ name }) => name);
      expect(names).toEqual(["local/a", "local/a-b", "local/b", "team/a"]);
      expect((await t.store.list("action"))[0]).toEqual(entry("local/a"));
      expect(await t.store.list("tool")).toEqual([]);
    });

    it("shares no object with its callers", async () => {
      await using t = await opened();
      const mine = { a: { b: 1 } };
      await t.store.add(entry("local/a", { document: mine }));
      mine.a.b = 2;
      const found = (await t.store.find("action", "local/a"))?.document as typeof mine;
      expect(found).toEqual({ a: { b: 1 } });
      found.a.b = 3;
      expect((await t.store.find("action", "local/a"))?.document).toEqual({ a: { b: 1 } });
    });

    it("keeps any name and any key as data", async () => {
      await using t = await opened();
      const document = JSON.parse('{"__proto__":{"polluted":1},"\\ud800":"\\ud800"}') as JsonObject;
      for (const name of ["__proto__", "\ud800", "\ud801", "👩‍🚀"]) {
        await t.store.add(entry(name, { document }));
        const found = await t.store.find("action", name);
        expect(found?.name).toBe(name);
        expect(JSON.stringify(found?.document)).toBe(JSON.stringify(document));
      }
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
      expect(await t.store.list("action")).toHaveLength(4);
    });
  });
}
