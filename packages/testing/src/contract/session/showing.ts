import { describe, expect, test } from "vitest";
import { toGate } from "../../world/index.ts";
import { stranger, type World } from "../../world/world.ts";
import { anId, aTime } from "../matchers.ts";
import { refusals } from "../refusals.ts";
import { openSession, tell } from "./fixtures.ts";

export function showing(world: () => World): void {
  describe("_cleveragents/session/show", () => {
    test("shows what a new session is, and nothing that it has not", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller, {
        actor: "helper",
        name: "Nightly",
        budget: { cost_usd: 2, tokens: 1000 },
        metadata: { ticket: { id: 7 } },
      });
      expect(await caller.client.call("_cleveragents/session/show", { session_id })).toEqual({
        session_id,
        name: "Nightly",
        actor: "local/helper",
        status: "created",
        created_at: aTime,
        updated_at: aTime,
        budget: { cost_usd: 2, tokens: 1000 },
        metadata: { ticket: { id: 7 } },
        tasks: 0,
        waiting: 0,
        recent_messages: [],
        linked_plans: [],
      });
    });

    test("shows what was said, newest last and no more than was asked for, and its plans", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller);
      for (const text of ["echo one", "echo two"]) await tell(caller, session_id, text);
      const { plan_id } = await toGate(caller, "touch", { session_id });
      const shown = await caller.client.call("_cleveragents/session/show", { session_id, messages: 3 });
      expect(shown).toMatchObject({ status: "active", tasks: 2, waiting: 0 });
      expect(shown.recent_messages.map(({ parts }) => parts)).toEqual([
        [{ text: "Echoed." }],
        [{ text: "echo two" }],
        [{ text: "Echoed." }],
      ]);
      expect(shown.linked_plans).toEqual([
        { plan_id, phase: "execute", state: "complete", action: "local/touch" },
      ]);
      const all = await caller.client.call("_cleveragents/session/show", { session_id });
      expect(all.recent_messages.map(({ messageId }) => messageId)).toEqual([anId, anId, anId, anId]);
      const none = await caller.client.call("_cleveragents/session/show", { session_id, messages: 0 });
      expect(none.recent_messages).toEqual([]);
    });

    refusals("_cleveragents/session/show", world, {
      InvalidParams: {
        "no session": ({ client }) => client.call("_cleveragents/session/show", {} as never),
        "fewer messages than none": ({ client }) =>
          client.call("_cleveragents/session/show", { session_id: "x", messages: -1 }),
      },
      SessionNotFound: {
        "an unknown session": ({ client }) =>
          client.call("_cleveragents/session/show", { session_id: "nope" }),
        "somebody else's session": async (w) => {
          const session_id = await openSession(stranger(w));
          return stranger(w).client.call("_cleveragents/session/show", { session_id });
        },
      },
      Forbidden: {
        "a caller without task:read": (w) =>
          w.as("writer", ["task:write"]).client.call("_cleveragents/session/show", { session_id: "x" }),
      },
    });
  });
}
