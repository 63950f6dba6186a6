import type { SessionStore } from "@cleveragents/application";
import { type Session, SessionExistsError, TooManySessionsError } from "@cleveragents/domain";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ErrorLog, type OpenStore, StandingClock } from "./store-harness.ts";

function session(sessionId: string, more: Partial<Session> = {}): Session {
  return { sessionId, principal: "anna", status: "created", createdAt: 1, updatedAt: 1, ...more };
}

const FULL: Partial<Session> = {
  actor: "local/a",
  name: "A name",
  budget: { tokens: 10, cost_usd: 0.5 },
  metadata: { a: { b: [1, null] } },
  closing: "cancel",
  turn: "task",
  status: "closing",
};

/** What every `SessionStore` owes. `open` gives an empty one. */
export function sessionStoreSuite(open: OpenStore<SessionStore>): void {
  const opened = () => open({ clock: new StandingClock(), logger: new ErrorLog() });

  describe("SessionStore", () => {
    it.each([session("s"), session("s", FULL)])("finds what was created", async (made) => {
      await using t = await opened();
      expect(await t.store.create(made)).toEqual(made);
      expect(await t.store.find("s")).toEqual(made);
      expect(await t.store.find("other")).toBeUndefined();
      expect(await t.store.record("s")).toBeUndefined();
    });

    it("answers the session that has the id already, and does not change it", async () => {
      await using t = await opened();
      const first = session("s", { name: "first" });
      await t.store.create(first);
      const places = { atMost: 0, usedAfter: 0 };
      expect(await t.store.create(session("s", { principal: "ben", name: "second" }), places)).toEqual(first);
      expect(await t.store.find("s")).toEqual(first);
      expect((await t.store.list({ principal: "ben", limit: 9 })).sessions).toEqual([]);
    });

    it("has no place for one more than may be in use; closed ones, idle ones and other principals' take none", async () => {
      await using t = await opened();
      const places = { atMost: 2, usedAfter: 5 };
      await t.store.create(session("closed", { status: "closed", updatedAt: 9 }));
      await t.store.create(session("closing", { status: "closing", updatedAt: 9 }));
      await t.store.create(session("idle", { updatedAt: 5 }));
      await t.store.create(session("ben's", { principal: "ben", updatedAt: 9 }));
      await t.store.create(session("one", { updatedAt: 9 }), places);
      await t.store.create(session("two", { updatedAt: 9, status: "active" }), places);
      await expect(t.store.create(session("three", { updatedAt: 9 }), places)).rejects.toThrow(
        TooManySessionsError,
      );
      await expect(t.store.insert(session("three", { updatedAt: 9 }), {}, places)).rejects.toThrow(
        TooManySessionsError,
      );
      expect(await t.store.find("three")).toBeUndefined();
      expect((await t.store.create(session("one"), places)).sessionId).toBe("one");
    });

    it("of many that are made at once in one process, takes as many as there are places", async () => {
      await using t = await opened();
      const made = await Promise.allSettled(
        Array.from({ length: 12 }, (_, n) =>
          t.store.create(session(`s${n}`, { updatedAt: 9 }), { atMost: 12, usedAfter: 5 }),
        ),
      );
      expect(made.map(({ status }) => status)).toEqual(made.map(() => "fulfilled"));
    });

    it("knows how many that take work name an actor, whoever's they are", async () => {
      await using t = await opened();
      await t.store.create(session("one", { actor: "local/a" }));
      await t.store.create(session("two", { actor: "local/a", principal: "ben", status: "active" }));
      await t.store.create(session("over", { actor: "local/a", status: "closed" }));
      await t.store.create(session("ends", { actor: "local/a", status: "closing" }));
      await t.store.create(session("other", { actor: "local/b" }));
      expect(await t.store.using("local/a")).toBe(2);
      expect(await t.store.using("local/c")).toBe(0);
    });

    it("keeps a record beside a session, or neither", async () => {
      await using t = await opened();
      const record = { messages: [{ text: "👩‍🚀\u0000\udfff" }] };
      await t.store.insert(session("s", FULL), record);
      expect(await t.store.find("s")).toEqual(session("s", FULL));
      expect(await t.store.record("s")).toEqual(record);
      await expect(t.store.insert(session("s"), { other: true })).rejects.toThrow(SessionExistsError);
      expect(await t.store.record("s")).toEqual(record);
      expect(await t.store.record("other")).toBeUndefined();
    });

    it("replaces one that is as it was believed to be, and no other", async () => {
      await using t = await opened();
      const first = session("s", { actor: "local/a" });
      await t.store.insert(first, { kept: 1 });
      const second: Session = {
        ...session("s", { actor: "local/a", turn: "t1" }),
        status: "active",
        updatedAt: 7,
      };
      expect(await t.store.replace(first, second)).toBe(true);
      expect(await t.store.find("s")).toEqual(second);
      for (const stale of [first, { ...second, turn: "t0" }, { ...second, updatedAt: 6 }]) {
        expect(await t.store.replace(stale, session("s", { name: "spoiled" }))).toBe(false);
      }
      expect(await t.store.find("s")).toEqual(second);
      expect(await t.store.record("s")).toEqual({ kept: 1 });
      expect(await t.store.replace(session("other"), session("other"))).toBe(false);
    });

    it("is replaced by one of many who try at once", async () => {
      await using t = await opened();
      const before = await t.store.create(session("s"));
      const tries = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          t.store.replace(before, { ...before, turn: `t${n}`, updatedAt: 2 }),
        ),
      );
      expect(tries.filter(Boolean)).toHaveLength(1);
      expect((await t.store.find("s"))?.turn).toBe(`t${tries.indexOf(true)}`);
    });

    it("lists the sessions of a principal, newest first, page by page, each once", async () => {
      await using t = await opened();
      const rows: readonly (readonly [string, number])[] = [
        ["b", 5],
        ["a", 9],
        ["c", 5],
        ["d", 1],
      ];
      for (const [id, createdAt] of rows) await t.store.create(session(id, { createdAt }));
      await t.store.create(session("e", { principal: "ben" }));
      for (const limit of [1, 2, 3, 4, 5]) {
        const ids: string[] = [];
        let page = await t.store.list({ principal: "anna", limit });
        for (;;) {
          expect(page.total).toBe(4);
          ids.push(...page.sessions.map(({ sessionId }) => sessionId));
          if (page.next === undefined) break;
          page = await t.store.list({ principal: "anna", limit, cursor: page.next });
        }
        expect(ids).toEqual(["a", "c", "b", "d"]);
      }
      expect(await t.store.list({ principal: "nobody", limit: 1 })).toEqual({ sessions: [], total: 0 });
    });

    it("knows which are closing, and removes what is closed and nothing else", async () => {
      await using t = await opened();
      for (const status of ["created", "active", "closing", "closed"] as const)
        await t.store.insert(session(status, { status }), { of: status });
      expect((await t.store.closing()).map(({ sessionId }) => sessionId)).toEqual(["closing"]);
      for (const kept of ["created", "active", "closing", "unknown"])
        expect(await t.store.remove(kept)).toBe(false);
      expect(await t.store.remove("closed")).toBe(true);
      expect(await t.store.remove("closed")).toBe(false);
      expect(await t.store.find("closed")).toBeUndefined();
      expect(await t.store.record("closed")).toBeUndefined();
      expect((await t.store.list({ principal: "anna", limit: 9 })).total).toBe(3);
    });

    it("shares no object with its callers, and keeps any text", async () => {
      await using t = await opened();
      const made = { ...session("\ud800", { name: "👩‍🚀\u0000\udfff", principal: "__proto__" }) };
      const answered = await t.store.create(made);
      Object.assign(made, { name: "spoiled" });
      Object.assign(answered, { name: "spoiled" });
      const list = await t.store.list({ principal: "__proto__", limit: 9 });
      Object.assign(list.sessions[0] ?? {}, { name: "spoiled" });
      Object.assign((await t.store.find("\ud800")) ?? {}, { name: "spoiled" });
      expect((await t.store.find("\ud800"))?.name).toBe("👩‍🚀\u0000\udfff");
      expect(await t.store.find("\ud801")).toBeUndefined();
    });

    it("keeps any metadata and any record as it was", async () => {
      await using t = await opened();
      let n = 0;
      const object = fc.dictionary(fc.string(), fc.jsonValue());
      await fc.assert(
        fc.asyncProperty(object, object, async (metadata, record) => {
          const id = `s${n++}`;
          const json = (value: unknown) => JSON.parse(JSON.stringify(value));
          await t.store.insert(session(id, { metadata: json(metadata) }), json(record));
          expect((await t.store.find(id))?.metadata).toEqual(json(metadata));
          expect(await t.store.record(id)).toEqual(json(record));
        }),
        { numRuns: 25 },
      );
    });
  });
}
