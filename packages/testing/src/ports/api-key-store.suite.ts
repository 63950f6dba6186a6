import type { ApiKey, ApiKeyStore } from "@cleveragents/application";
import { describe, expect, it } from "vitest";
import { ErrorLog, type OpenStore, StandingClock } from "./store-harness.ts";

function key(keyId: string, more: Partial<ApiKey> = {}): ApiKey {
  return {
    keyId,
    name: "ci",
    principal: "anna",
    scopes: ["task:read"],
    tenants: [],
    digest: "d",
    createdAt: 1,
    ...more,
  };
}

/** What every `ApiKeyStore` owes. `open` gives an empty one. */
export function apiKeyStoreSuite(open: OpenStore<ApiKeyStore>): void {
  const opened = () => open({ clock: new StandingClock(), logger: new ErrorLog() });

  describe("ApiKeyStore", () => {
    it.each([
      key("k"),
      key("k", { tenants: ["acme", "ü"], expiresAt: 1_900_000_000_000, scopes: ["task:read", "task:write"] }),
    ])("finds what was added", async (made) => {
      await using t = await opened();
      await t.store.add(made);
      expect(await t.store.find("k")).toEqual(made);
      expect(await t.store.find("K")).toBeUndefined();
    });

    it("revokes a key once, and keeps it", async () => {
      await using t = await opened();
      await t.store.add(key("k"));
      expect(await t.store.revoke("k", 7)).toEqual(key("k", { revokedAt: 7 }));
      expect(await t.store.revoke("k", 9)).toEqual(key("k", { revokedAt: 7 }));
      expect(await t.store.revoke("other", 9)).toBeUndefined();
      expect(await t.store.list()).toEqual([key("k", { revokedAt: 7 })]);
    });

    it("lists all keys, newest first", async () => {
      await using t = await opened();
      for (const [id, createdAt] of [
        ["b", 5],
        ["a", 9],
        ["c", 5],
      ] as const)
        await t.store.add(key(id, { createdAt, principal: id }));
      expect((await t.store.list()).map(({ keyId }) => keyId)).toEqual(["a", "c", "b"]);
    });

    it("shares no object with its callers, and keeps any text", async () => {
      await using t = await opened();
      const made = { ...key("k", { name: "👩‍🚀\u0000\udfff" }) };
      await t.store.add(made);
      Object.assign(made, { name: "spoiled" });
      Object.assign((await t.store.list())[0] ?? {}, { name: "spoiled" });
      expect((await t.store.find("k"))?.name).toBe("👩‍🚀\u0000\udfff");
    });
  });
}
