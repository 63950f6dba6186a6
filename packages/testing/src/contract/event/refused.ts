import type { ParamsInputOf } from "@cleveragents/protocol";
import { describe } from "vitest";
import { use } from "../../world/index.ts";
import { stranger, type World } from "../../world/world.ts";
import { drain, refusals } from "../refusals.ts";
import { spoken, subscribed } from "./fixtures.ts";

type Params = ParamsInputOf<"_cleveragents/event/subscribe">;

export function subscribeRefusals(world: () => World): void {
  const attempt =
    (params: Params | ((world: World) => Promise<Params>)) =>
    async (w: World): Promise<unknown> =>
      drain(
        w.client.stream(
          "_cleveragents/event/subscribe",
          typeof params === "function" ? await params(w) : params,
        ),
      );
  const ofTask = async (w: World) => {
    const task_id = await spoken(w, "echo x");
    const { cursor } = await subscribed(w, { task_id });
    return { task_id, cursor };
  };

  describe("_cleveragents/event/subscribe", () => {
    refusals("_cleveragents/event/subscribe", world, {
      InvalidParams: {
        "a plan and a session": attempt({ plan_id: "a", session_id: "b" }),
        "a number without a task": attempt({ afterSeq: 1 }),
        "a number below 0": attempt({ task_id: "a", afterSeq: -1 }),
        "a number beyond the log": attempt(async (w) => ({
          ...(await ofTask(w)),
          cursor: null,
          afterSeq: 999,
        })),
        "a number and a cursor": attempt({ task_id: "a", afterSeq: 1, cursor: "b" }),
        "a cursor that is none of ours": attempt({ cursor: "01JD0000000000000000000000:7" }),
        "a cursor of one task for many": attempt(async (w) => ({ cursor: (await ofTask(w)).cursor })),
        "a cursor of many for one task": attempt(async (w) => {
          await using many = await subscribed(w, {});
          return { ...(await ofTask(w)), cursor: many.cursor };
        }),
        "a cursor of another task": attempt(async (w) => ({
          task_id: (await ofTask(w)).task_id,
          cursor: (await ofTask(w)).cursor,
        })),
        "a cursor that was cut off": attempt(async (w) => {
          const { task_id, cursor } = await ofTask(w);
          return { task_id, cursor: cursor.slice(0, -4) };
        }),
      },
      PlanNotFound: {
        "an unknown plan": attempt({ plan_id: "nope" }),
        "a task that is no plan": attempt(async (w) => ({ plan_id: (await ofTask(w)).task_id })),
        "somebody else's plan": async (w) => {
          const { plan_id } = await use(w, "touch");
          return drain(stranger(w).client.stream("_cleveragents/event/subscribe", { plan_id }));
        },
      },
      TaskNotFound: {
        "an unknown task": attempt({ task_id: "nope" }),
        "somebody else's task": async (w) => {
          const { task_id } = await ofTask(w);
          return drain(stranger(w).client.stream("_cleveragents/event/subscribe", { task_id }));
        },
      },
      SessionNotFound: {
        "an unknown session": attempt({ session_id: "nope" }),
        "somebody else's session": async (w) => {
          const { session_id } = await w.client.call("session.create", {});
          return drain(stranger(w).client.stream("_cleveragents/event/subscribe", { session_id }));
        },
      },
      Forbidden: {
        "a caller without task:read": (w) =>
          drain(w.as("writer", ["task:write"]).client.stream("_cleveragents/event/subscribe", {})),
      },
    });
  });
}
