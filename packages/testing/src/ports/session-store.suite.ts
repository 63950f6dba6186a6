import type { SessionStore } from "@cleveragents/application";
import { type Session, SessionNotFoundError } from "@cleveragents/domain";
import { describe, expect, it } from "vitest";
import { ErrorLog, type OpenStore, StandingClock } from "./store-harness.ts";

function session(sessionId: string, more: Partial<Session> = {}): Session {
  return { sessionId, principal: "anna", status: "open", createdAt: 1, updatedAt: 1, ...more };
}

/** What every `SessionStore` owes. `open` gives an empty one. */
export function sessionStoreSuite(open: OpenStore<SessionStore>): void {
  const opened = () => open({ clock: new StandingClock(), logger: new ErrorLog() });

  describe("SessionStore", () => {
    it.each([session("s"), session("s", { actor: "local/a", name: "A name" })])(
      "finds what was created",
      async (made) => {
        await using t = await opened();
        expect(await t.store.create(made)).toEqual(made);
        expect(await t.store.find("s")).toEqual(made);
        expect(await t.store.find("other")).toBeUndefined();
      },
    );

    it("answers the session that has the id already, and does not change it", async () => {
      await using t = await opened();
      const first = session("s", { name: "first" });
      await t.store.create(first);
      expect(await t.store.create(session("s", { principal: "ben", name: "second" }))).toEqual(first);
      expect(await t.store.find("s")).toEqual(first);
      expect(await t.store.list("ben")).toEqual([]);
    });

    it("closes a session, once", async () => {
      await using t = await opened();
      await t.store.create(session("s", { actor: "local/a" }));
      await t.store.close("s", 7);
      const closed = session("s", { actor: "local/a", status: "closed", updatedAt: 7 });
      expect(await t.store.find("s")).toEqual(closed);
      await t.store.close("s", 9);
      expect(await t.store.find("s")).toEqual(closed);
      expect(await t.store.create(session("s"))).toEqual(closed);
    });

    it("says so if there is no session to close", async () => {
      await using t = await opened();
      await expect(t.store.close("s", 7)).rejects.toThrow(SessionNotFoundError);
    });

    it("lists the sessions of a principal, newest first", async () => {
      await using t = await opened();
      for (const [id, createdAt] of [
        ["b", 5],
        ["a", 9],
        ["c", 5],
        ["d", 1],
      ] as const)
        await t.store.create(session(id, { createdAt }));
      await t.store.create(session("e", { principal: "ben" }));
      await t.store.close("b", 20);
      expect((await t.store.list("anna")).map(({ sessionId }) => sessionId)).toEqual(["a", "c", "b", "d"]);
      expect(await t.store.list("nobody")).toEqual([]);
    });

    it("shares no object with its callers, and keeps any text", async () => {
      await using t = await opened();
      const made = { ...session("\ud800", { name: "👩‍🚀\u0000\udfff", principal: "__proto__" }) };
      const answered = await t.store.create(made);
      Object.assign(made, { name: "spoiled" });
      Object.assign(answered, { name: "spoiled" });
      Object.assign((await t.store.list("__proto__"))[0] ?? {}, { name: "spoiled" });
      Object.assign((await t.store.find("\ud800")) ?? {}, { name: "spoiled" });
      expect((await t.store.find("\ud800"))?.name).toBe("👩‍🚀\u0000\udfff");
      expect(await t.store.find("\ud801")).toBeUndefined();
    });
  });
}
