import type { ParamsInputOf, ResultOf } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import type { Caller } from "../../harness/harness.ts";
import { use } from "../../world/index.ts";
import { stranger, type World } from "../../world/world.ts";
import { refusals } from "../refusals.ts";
import { nameOf, spoken, subscribed } from "./fixtures.ts";

type Params = ParamsInputOf<"_cleveragents/event/export">;
type Exported = ResultOf<"_cleveragents/event/export">["events"];

/** All pages. */
async function exported({ client }: Caller, params: Params): Promise<Exported> {
  const all: Exported = [];
  for (let page_token = ""; ; ) {
    const page = await client.call("_cleveragents/event/export", { ...params, page_token });
    all.push(...page.events);
    page_token = page.next_page_token;
    if (page_token === "") return all;
  }
}
const names = (events: Exported) => events.map(({ params }) => params.event_id);

export function exporting(world: () => World): void {
  describe("_cleveragents/event/export", () => {
    test("has what a subscriber of the task has had, page by page, and how many there are", async () => {
      const caller = stranger(world());
      const task_id = await spoken(caller, "burst-20");
      const whole = await (await subscribed(caller, { task_id, afterSeq: 0 })).rest();
      const first = await caller.client.call("_cleveragents/event/export", { task_id, page_size: 3 });
      expect(first).toMatchObject({ total: whole.length, next_page_token: expect.stringMatching(/./) });
      expect(first.events).toHaveLength(3);
      const all = await exported(caller, { task_id, page_size: 3 });
      expect(names(all)).toEqual(whole.map(nameOf));
      expect(all.map(({ params }) => ({ ...params, final: undefined }))).toEqual(
        whole.map(({ result }) => ({ ...result, final: undefined })),
      );
      expect(all.map(({ method }) => method)).toContain("task/artifactUpdate");
    });

    test("has everything of the caller's and nothing of anybody else's, each event once", async () => {
      const caller = stranger(world());
      const ids = await Promise.all(["burst-20", "echo x"].map((text) => spoken(caller, text)));
      await spoken(stranger(world()), "echo not yours");
      const all = names(await exported(caller, { page_size: 4 }));
      const own = await Promise.all(ids.map((task_id) => exported(caller, { task_id })));
      expect([...all].sort()).toEqual(own.flatMap(names).sort());
    });

    test("has one session's alone", async () => {
      const caller = stranger(world());
      const { session_id } = await caller.client.call("session.create", {});
      const task_id = await spoken(caller, "echo x", session_id);
      await spoken(caller, "echo elsewhere");
      expect(names(await exported(caller, { session_id }))).toEqual(
        names(await exported(caller, { task_id })),
      );
    });

    test("has what was logged in a time", async () => {
      const caller = stranger(world());
      const task_id = await spoken(caller, "echo x");
      const all = await exported(caller, { task_id });
      const at = all.map(({ params }) => params.timestamp);
      const [since, until] = [at[1], at.at(-1)];
      const between = all.filter(({ params }) => params.timestamp >= (since ?? "")).length;
      expect(await exported(caller, { task_id, since, until })).toHaveLength(between);
      expect(await exported(caller, { since, until })).toHaveLength(between);
      expect(await exported(caller, { since: "2100-01-01T00:00:00Z" })).toEqual([]);
      expect(await exported(caller, { task_id, since: "2100-01-01T00:00:00Z" })).toEqual([]);
      expect(await exported(caller, { task_id, until: "2000-01-01T00:00:00Z" })).toEqual([]);
      expect(await exported(caller, { until: "2000-01-01T00:00:00Z" })).toEqual([]);
      const page = await caller.client.call("_cleveragents/event/export", { task_id, since });
      expect(page).not.toHaveProperty("total");
    });

    const attempt = (params: Params) => (w: World) => w.client.call("_cleveragents/event/export", params);
    refusals("_cleveragents/event/export", world, {
      InvalidParams: {
        "a plan and a session": attempt({ plan_id: "a", session_id: "b" }),
        "a time that is none": attempt({ since: "yesterday" }),
        "an end before the beginning": attempt({
          since: "2026-01-02T00:00:00Z",
          until: "2026-01-01T00:00:00Z",
        }),
        "a page of none": attempt({ page_size: 0 }),
        "a token that is not ours": attempt({ page_token: "nope" }),
        "a token of another task": async (w) => {
          const [one, other] = [await spoken(w, "burst-20"), await spoken(w, "burst-20")];
          const page = await w.client.call("_cleveragents/event/export", { task_id: one, page_size: 1 });
          const page_token = page.next_page_token;
          return w.client.call("_cleveragents/event/export", { task_id: other, page_token });
        },
      },
      PlanNotFound: {
        "an unknown plan": attempt({ plan_id: "nope" }),
        "somebody else's plan": async (w) => {
          const { plan_id } = await use(w, "touch");
          return stranger(w).client.call("_cleveragents/event/export", { plan_id });
        },
      },
      TaskNotFound: {
        "an unknown task": attempt({ task_id: "nope" }),
        "somebody else's task": async (w) => {
          const task_id = await spoken(w, "echo x");
          return stranger(w).client.call("_cleveragents/event/export", { task_id });
        },
      },
      SessionNotFound: {
        "an unknown session": attempt({ session_id: "nope" }),
        "somebody else's session": async (w) => {
          const { session_id } = await w.client.call("session.create", {});
          return stranger(w).client.call("_cleveragents/event/export", { session_id });
        },
      },
      Forbidden: {
        "a caller without task:read": (w) =>
          w.as("writer", ["task:write"]).client.call("_cleveragents/event/export", {}),
      },
    });
  });
}
