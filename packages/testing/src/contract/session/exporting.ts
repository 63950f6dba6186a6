import type { ResultOf } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import { toGate } from "../../world/index.ts";
import { stranger, type World } from "../../world/world.ts";
import { aDigest } from "../matchers.ts";
import { asRefusal, refusalOf, refusals } from "../refusals.ts";
import { openSession, tell } from "./fixtures.ts";

type Document = ResultOf<"_cleveragents/session/export">["document"];
const EXPORT = "_cleveragents/session/export";
const IMPORT = "_cleveragents/session/import";

export function exporting(world: () => World): void {
  /** A document that says little, from a caller of its own. */
  async function exported(w: World): Promise<Document> {
    const caller = stranger(w);
    const session_id = await openSession(caller);
    return (await caller.client.call(EXPORT, { session_id })).document;
  }

  describe("_cleveragents/session/export", () => {
    test("says what the session is, what was said in it and what its plans are, in version v3 with a checksum", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller, { name: "Nightly", metadata: { a: 1 } });
      const told = await tell(caller, session_id, "echo hello");
      const { plan_id } = await toGate(caller, "touch", { session_id });
      const { document, ...about } = await caller.client.call(EXPORT, { session_id });
      expect(about).toEqual({
        session_id,
        messages: 2,
        linked_plans: 1,
        schema_version: "v3",
        checksum: aDigest,
      });
      expect(document).toMatchObject({
        schema_version: "v3",
        session_id,
        name: "Nightly",
        metadata: { a: 1 },
        messages: [
          { role: "ROLE_USER", parts: [{ text: "echo hello" }] },
          { role: "ROLE_AGENT", parts: [{ text: "Echoed." }] },
        ],
        tasks: [{ task_id: told.task?.id, state: "completed", artifacts: [{ artifactId: "echo" }] }],
        linked_plan_ids: [plan_id],
        linked_plans: [{ plan_id, phase: "execute", state: "complete", changeset: { digest: aDigest } }],
        checksum: about.checksum,
      });
    });

    test("has nothing of where notifications are posted to, or with what", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller);
      const told = await tell(caller, session_id, "ask");
      await caller.client.call("CreateTaskPushNotificationConfig", {
        taskId: told.task?.id ?? "",
        id: "hook",
        url: "https://example.com/hook",
        token: "push-secret-1",
        authentication: { scheme: "Bearer", credentials: "push-secret-2" },
      });
      expect(JSON.stringify(await caller.client.call(EXPORT, { session_id }))).not.toContain("push-secret");
    });

    refusals("_cleveragents/session/export", world, {
      InvalidParams: { "no session": ({ client }) => client.call(EXPORT, {} as never) },
      SessionNotFound: {
        "an unknown session": ({ client }) => client.call(EXPORT, { session_id: "nope" }),
        "somebody else's session": async (w) => {
          const session_id = await openSession(stranger(w));
          return stranger(w).client.call(EXPORT, { session_id });
        },
      },
      InvalidState: {
        "more than a document holds": {
          reason: "SESSION_TOO_LARGE",
          attempt: async (w) => {
            const caller = stranger(w);
            const session_id = await openSession(caller);
            // What was said, and the same once more as the answer.
            await tell(caller, session_id, `echo ${"x".repeat(4_300_000)}`, { wait: false });
            await expect
              .poll(
                async () =>
                  (await caller.client.call("_cleveragents/session/show", { session_id, messages: 0 }))
                    .waiting,
              )
              .toBe(0);
            return caller.client.call(EXPORT, { session_id });
          },
        },
      },
      Forbidden: {
        "a caller without task:read": (w) =>
          w.as("writer", ["task:write"]).client.call(EXPORT, { session_id: "x" }),
      },
    });
  });

  describe("_cleveragents/session/import", () => {
    test("makes a session of another id with all that the document says, which is exported again as it was", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller, {
        actor: "helper",
        name: "Nightly",
        budget: { tokens: 5 },
        metadata: { a: [1, { b: null }] },
      });
      const own = await openSession(caller);
      await tell(caller, own, "echo hello");
      const { plan_id } = await toGate(caller, "touch", { session_id: own });
      for (const id of [session_id, own]) {
        const { document } = await caller.client.call(EXPORT, { session_id: id });
        const other = stranger(world());
        const imported = await other.client.call(IMPORT, { document });
        expect(imported).toMatchObject({ imported_from: id, checksum: document["checksum"] });
        expect(imported.session_id).not.toBe(id);
        const again = (await other.client.call(EXPORT, { session_id: imported.session_id })).document;
        const { session_id: _, created_at: __, updated_at: ___, checksum: ____, ...kept } = document;
        expect(again).toMatchObject(kept);
        expect(Object.keys(again)).toEqual(Object.keys(document));
      }
      const shown = await caller.client.call("_cleveragents/session/show", { session_id: own });
      expect(shown.linked_plans.map((plan) => plan.plan_id)).toEqual([plan_id]);
    });

    test("keeps the id where it is free, and goes on with what was said", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller);
      await tell(caller, session_id, "echo before");
      const { document } = await caller.client.call(EXPORT, { session_id });
      await caller.client.call("_cleveragents/session/delete", { session_id, force: true });
      expect(await caller.client.call(IMPORT, { document, on_conflict: "refuse" })).toMatchObject({
        session_id,
      });
      await tell(caller, session_id, "echo after");
      const shown = await caller.client.call("_cleveragents/session/show", { session_id });
      expect(shown).toMatchObject({ imported_from: session_id, status: "active", tasks: 1 });
      expect(shown.recent_messages.map(({ parts }) => parts[0]?.text)).toEqual([
        "echo before",
        "Echoed.",
        "echo after",
        "Echoed.",
      ]);
    });

    test("makes nothing that could be carried out: plans and tasks of the document are references", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller);
      const { plan_id } = await toGate(caller, "touch", { session_id });
      const { document } = await caller.client.call(EXPORT, { session_id });
      const other = stranger(world());
      const imported = await other.client.call(IMPORT, { document });
      expect((await other.client.call("ListTasks", {})).totalSize).toBe(0);
      const status = other.client.call("_cleveragents/plan/status", { plan_id });
      expect(await refusalOf(status)).toEqual(asRefusal("PlanNotFound"));
      const shown = await other.client.call("_cleveragents/session/show", {
        session_id: imported.session_id,
      });
      expect(shown.linked_plans).toEqual([
        { plan_id, phase: "execute", state: "complete", action: "local/touch", imported: true },
      ]);
    });

    test("what is refused leaves nothing behind", async () => {
      const document = await exported(world());
      const caller = stranger(world());
      const broken = { ...document, name: "another" };
      expect(await refusalOf(caller.client.call(IMPORT, { document: broken }))).toEqual(
        asRefusal("InvalidParams", "CHECKSUM_MISMATCH"),
      );
      expect((await caller.client.call("_cleveragents/session/list", {})).total).toBe(0);
    });

    refusals("_cleveragents/session/import", world, {
      InvalidParams: {
        "no document": ({ client }) => client.call(IMPORT, {} as never),
        "a document that was changed": {
          reason: "CHECKSUM_MISMATCH",
          attempt: async (w) =>
            w.client.call(IMPORT, { document: { ...(await exported(w)), metadata: { more: true } } }),
        },
        "a document without a checksum": {
          reason: "CHECKSUM_MISMATCH",
          attempt: async (w) => {
            const { checksum: _, ...document } = await exported(w);
            return w.client.call(IMPORT, { document });
          },
        },
        "a document of a version that nobody knows": {
          reason: "SCHEMA_VERSION_UNKNOWN",
          attempt: async (w) =>
            w.client.call(IMPORT, { document: { ...(await exported(w)), schema_version: "v9" } }),
        },
      },
      EntryNotFound: {
        "an actor that is not here": {
          reason: "ACTOR_NOT_FOUND",
          attempt: async (w) => w.client.call(IMPORT, { document: await exported(w), actor: "nope" }),
        },
      },
      AlreadyExists: {
        "an id that is taken, where no other is wanted": async (w) =>
          w.client.call(IMPORT, { document: await exported(w), on_conflict: "refuse" }),
      },
      TooManySessions: {
        "one more than may be in use": async (w) => {
          const document = await exported(w);
          const caller = stranger(w);
          for (let n = 0; n < 100; n++) await openSession(caller);
          return caller.client.call(IMPORT, { document });
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w.as("reader", ["task:read"]).client.call(IMPORT, { document: {} }),
      },
    });
  });
}
