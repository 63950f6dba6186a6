import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scriptedMessageActor } from "../actors/scripted-message-actor.ts";
import { type OpenWorld, stranger, type World } from "../world/world.ts";
import { anId, aTime } from "./matchers.ts";
import { refusals } from "./refusals.ts";
import { deleting } from "./session/deleting.ts";
import { exporting } from "./session/exporting.ts";
import { showing } from "./session/showing.ts";
import { telling } from "./session/telling.ts";

const ACTOR = `
name: helper
type: script
description: Helps
script: { steps: [{ say: { text: hello } }] }
`;

/** Sessions: contexts that plans can be put into. */
export function sessionContract(open: OpenWorld): void {
  let shared: World;
  beforeAll(async () => {
    shared = await open({ project: "plain", actor: scriptedMessageActor });
    await shared.client.call("_cleveragents/registry/actor/add", { document: ACTOR });
  });
  afterAll(() => shared[Symbol.asyncDispose]());
  const world = () => shared;

  describe("session.create", () => {
    test("opens a session; the documents' synonyms name its actor", async () => {
      const { client } = world();
      expect(await client.call("session.create", {})).toEqual({
        session_id: anId,
        status: "created",
        created_at: aTime,
      });
      for (const synonym of ["actor_name", "actor", "agent_id"]) {
        const created = await client.call("session.create", { [synonym]: "helper" });
        expect(created).toEqual({
          session_id: anId,
          status: "created",
          created_at: aTime,
          actor: "local/helper",
        });
      }
    });

    test("with an id of the caller's it is idempotent", async () => {
      const caller = stranger(world());
      const once = await caller.client.call("session.create", {
        session_id: `own-${caller.principalId}`,
        name: "first",
      });
      expect(
        await caller.client.call("session.create", { session_id: once.session_id, name: "second" }),
      ).toEqual(once);
      expect(await caller.client.call("_cleveragents/session/list", {})).toMatchObject({
        total: 1,
        sessions: [{ name: "first" }],
      });
    });

    test("somebody else's id is as if it were not there", async () => {
      const { session_id } = await world().client.call("session.create", {});
      const attempt = stranger(world()).client.call("session.create", { session_id });
      await expect(attempt).rejects.toMatchObject({ code: -32001, reason: "SESSION_NOT_FOUND" });
    });

    refusals("session.create", world, {
      InvalidParams: {
        "an empty id": ({ client }) => client.call("session.create", { session_id: "" }),
        "an actor whose name is none": ({ client }) =>
          client.call("session.create", { actor_name: "two words" }),
        "a name that is no string": ({ client }) => client.call("session.create", { name: 7 } as never),
      },
      SessionNotFound: {
        "an id that is somebody else's": async (w) => {
          await w.client.call("session.create", { session_id: "not-yours" });
          return stranger(w).client.call("session.create", { session_id: "not-yours" });
        },
      },
      TooManySessions: {
        "one more than may be in use": async (w) => {
          const { client } = stranger(w);
          for (let n = 0; n < 100; n++) await client.call("session.create", {});
          return client.call("session.create", {});
        },
      },
      EntryNotFound: {
        "an unknown actor": {
          reason: "ACTOR_NOT_FOUND",
          attempt: ({ client }) => client.call("session.create", { actor_name: "nope" }),
        },
      },
      Forbidden: {
        "a caller who may only read": (w) => w.as("reader", ["task:read"]).client.call("session.create", {}),
      },
    });
  });

  describe("session.close", () => {
    test("closes a session, and closing it again changes nothing", async () => {
      const caller = stranger(world());
      const { session_id } = await caller.client.call("session.create", {});
      const closed = { session_id, status: "closed", closed_at: aTime, cancelled: [], detached: [] };
      expect(await caller.client.call("session.close", { session_id })).toEqual(closed);
      const { sessions } = await caller.client.call("_cleveragents/session/list", {});
      expect(await caller.client.call("session.close", { session_id })).toEqual(closed);
      expect((await caller.client.call("_cleveragents/session/list", {})).sessions).toEqual(sessions);
    });

    refusals("session.close", world, {
      InvalidParams: { "no session": ({ client }) => client.call("session.close", {} as never) },
      SessionNotFound: {
        "an unknown session": ({ client }) => client.call("session.close", { session_id: "nope" }),
        "somebody else's session": async (w) => {
          const { session_id } = await w.client.call("session.create", {});
          return w.as("somebody-else").client.call("session.close", { session_id });
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w.as("reader", ["task:read"]).client.call("session.close", { session_id: "x" }),
      },
    });
  });

  describe("_cleveragents/session/list", () => {
    test("shows the caller's sessions, newest first, page by page", async () => {
      const { client } = stranger(world());
      expect(await client.call("_cleveragents/session/list", {})).toEqual({
        sessions: [],
        total: 0,
        next_page_token: "",
      });
      const ids: string[] = [];
      for (const name of ["one", "two", "three"])
        ids.unshift((await client.call("session.create", { name })).session_id);
      await client.call("session.close", { session_id: ids[2] ?? "" });
      const item = (index: number, name: string, status: string) => ({
        session_id: ids[index],
        name,
        status,
        created_at: aTime,
        updated_at: aTime,
      });
      const all = [item(0, "three", "created"), item(1, "two", "created"), item(2, "one", "closed")];
      expect(await client.call("_cleveragents/session/list", {})).toEqual({
        sessions: all,
        total: 3,
        next_page_token: "",
      });
      const first = await client.call("_cleveragents/session/list", { page_size: 2 });
      expect(first).toEqual({
        sessions: all.slice(0, 2),
        total: 3,
        next_page_token: expect.stringMatching(/./),
      });
      const rest = await client.call("_cleveragents/session/list", {
        page_size: 2,
        page_token: first.next_page_token,
      });
      expect(rest).toEqual({ sessions: all.slice(2), total: 3, next_page_token: "" });
    });

    refusals("_cleveragents/session/list", world, {
      InvalidParams: {
        "a page of none": ({ client }) => client.call("_cleveragents/session/list", { page_size: 0 }),
        "a token that is not ours": ({ client }) =>
          client.call("_cleveragents/session/list", { page_token: "nope" }),
      },
      Forbidden: {
        "a caller without task:read": (w) =>
          w.as("writer", ["task:write"]).client.call("_cleveragents/session/list", {}),
      },
    });
  });

  showing(world);
  telling(world);
  deleting(world);
  exporting(world);
}
