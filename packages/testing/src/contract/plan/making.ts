import { describe, expect, test } from "vitest";
import { atRest, createRepository, use } from "../../world/index.ts";
import { anId, aTime } from "../matchers.ts";
import { refusals } from "../refusals.ts";
import { NOBODY, type PreparedPlans } from "./fixtures.ts";

export function planUse({ world, plan }: PreparedPlans): void {
  describe("_cleveragents/plan/use", () => {
    test("makes a plan with its arguments bound, and says what comes next", async () => {
      const { client } = world();
      const used = await client.call("_cleveragents/plan/use", {
        action_name: "full-edit",
        arguments: { who: "Ada", times: "3" },
        project: "demo",
        automation_profile: "manual",
      });
      expect(used).toEqual({
        plan_id: anId,
        phase: "strategize",
        state: "queued",
        context_id: anId,
        action: "local/full-edit",
        project: "local/demo",
        automation_profile: "manual",
        attempt: 1,
        inputs: { who: "Ada", times: 3, loud: false },
        actors: { strategy: null, execution: null, estimation: null, review: null, invariant: null },
        automation: { profile: "manual", source: "plan", read_only: true },
        next_steps: [`agents plan execute ${used.plan_id}`, `agents plan status ${used.plan_id}`],
      });
    });

    test("a plan of a session belongs to its context", async () => {
      const { client } = world();
      const { session_id } = await client.call("session.create", {});
      expect(await use(world(), "idle", { session_id })).toMatchObject({ context_id: session_id });
    });

    test("the project is the one that the caller's folder lies in", async () => {
      const { client, repository } = world();
      const params = {
        action_name: "idle",
        automation_profile: "manual",
        working_directory: `${repository.root}/src`,
      };
      expect(await client.call("_cleveragents/plan/use", params)).toMatchObject({ project: "local/demo" });
    });

    test.each([
      ["devcontainer", "the project describes no dev container"],
      ["vm", "use host, devcontainer or devcontainer:NAME"],
    ])("the environment %s is refused where there is none, and no plan is made", async (environment, why) => {
      const { client } = world();
      const { total } = await client.call("_cleveragents/plan/list", {});
      await expect(use(world(), "idle", { environment })).rejects.toMatchObject({
        code: -32602,
        violations: [{ field: "environment", description: expect.stringContaining(why) }],
      });
      expect(await client.call("_cleveragents/plan/list", {})).toMatchObject({ total });
    });

    test("without a profile the product's own stands", async () => {
      const used = await world()
        .client.call("_cleveragents/plan/use", { action_name: "retired", project: "demo" })
        .catch(() => undefined);
      expect(used).toBeUndefined();
      const { plan_id, automation } = await world().client.call("_cleveragents/plan/use", {
        action_name: "touch",
        project: "demo",
      });
      expect(automation).toEqual({ profile: "supervised", source: "global", read_only: true });
      await world().client.call("_cleveragents/plan/cancel", { plan_id });
    });

    refusals("_cleveragents/plan/use", world, {
      InvalidParams: {
        "no action": ({ client }) => client.call("_cleveragents/plan/use", { project: "demo" } as never),
        "an argument that is missing": { reason: "ARGUMENTS_INVALID", attempt: (w) => use(w, "full-edit") },
        "an argument of another type": {
          reason: "ARGUMENTS_INVALID",
          attempt: (w) => use(w, "full-edit", { arguments: { who: "Ada", times: "often" } }),
        },
        "an argument that is none": {
          reason: "ARGUMENTS_INVALID",
          attempt: (w) => use(w, "idle", { arguments: { who: "Ada" } }),
        },
        "a profile that is none": (w) => use(w, "idle", { automation_profile: "yolo" }),
        "a name that is none": ({ client }) =>
          client.call("_cleveragents/plan/use", { action_name: "two words", project: "demo" }),
        "no project where there are two": {
          reason: "PROJECT_REQUIRED",
          attempt: ({ client }) => client.call("_cleveragents/plan/use", { action_name: "idle" }),
        },
      },
      IsolationUnavailable: {
        "a demand of isolation where there is none": {
          reason: "ISOLATION_UNAVAILABLE",
          attempt: (w) => use(w, "idle", { require_isolation: true }),
        },
        "a demand of the action's": {
          reason: "ISOLATION_UNAVAILABLE",
          attempt: (w) => use(w, "demanding"),
        },
        "a demand of a level": {
          reason: "ISOLATION_UNAVAILABLE",
          attempt: (w) => use(w, "idle", { require_isolation: "full" }),
        },
      },
      EntryNotFound: {
        "an unknown action": {
          reason: "ACTION_NOT_FOUND",
          attempt: ({ client }) =>
            client.call("_cleveragents/plan/use", { action_name: "nope", project: "demo" }),
        },
        "an unknown project": {
          reason: "PROJECT_NOT_FOUND",
          attempt: (w) => use(w, "idle", { project: "nope" }),
        },
      },
      InvalidState: { "an archived action": (w) => use(w, "retired") },
      WorkspaceUnusable: {
        "a project whose folder is gone": {
          reason: "PATH_NOT_FOUND",
          attempt: (w) => use(w, "idle", { project: "gone" }),
        },
      },
      SessionNotFound: {
        "an unknown session": (w) => use(w, "idle", { session_id: "nope" }),
        "a closed session": async (w) => {
          const { session_id } = await w.client.call("session.create", {});
          await w.client.call("session.close", { session_id });
          return use(w, "idle", { session_id });
        },
        "somebody else's session": async (w) => {
          const { session_id } = await w.client.call("session.create", {});
          return use(w.as(NOBODY), "idle", { session_id });
        },
      },
      BudgetExceeded: {
        "a project of a namespace that has used up its budget": async (w) => {
          await using poor = await createRepository("plain");
          await w.client.call("_cleveragents/registry/project/add", { name: "spent/poor", path: poor.root });
          return await use(w, "idle", { project: "spent/poor" });
        },
      },
      Forbidden: { "a caller who may only read": (w) => use(w.as("reader", ["task:read"]), "idle") },
    });
  });

  describe("_cleveragents/plan/execute", () => {
    test("starts a plan that waits, and lets it go on to its next gate", async () => {
      const { client } = world();
      const { plan_id } = await use(world(), "idle");
      const executed = await client.call("_cleveragents/plan/execute", { plan_id });
      expect(executed).toMatchObject({
        plan_id,
        phase: "strategize",
        attempt: 1,
        already: false,
        execution_id: `${plan_id}.1`,
        started_at: aTime,
      });
      expect(await atRest(client, plan_id)).toMatchObject({
        phase: "strategize",
        state: "complete",
        waiting_for: { kind: "start" },
      });
    });

    test("a plan that waits for something else, or is applied, has nothing to start", async () => {
      const { client } = world();
      expect(await client.call("_cleveragents/plan/execute", { plan_id: plan("gate") })).toEqual({
        plan_id: plan("gate"),
        phase: "execute",
        state: "complete",
        attempt: 1,
        already: true,
        execution_id: `${plan("gate")}.1`,
        started_at: aTime,
      });
      expect(await client.call("_cleveragents/plan/execute", { plan_id: plan("applied") })).toMatchObject({
        state: "applied",
        already: true,
      });
    });

    test("what is not done within the time that it is given is stopped, and can be tried again", async () => {
      const { client } = world();
      const { plan_id } = await use(world(), "run", { arguments: { command: "sleep 600" } });
      await client.call("_cleveragents/plan/execute", { plan_id });
      await atRest(client, plan_id);
      await client.call("_cleveragents/plan/execute", { plan_id, execution_options: { timeout: 300 } });
      expect(await atRest(client, plan_id)).toMatchObject({
        phase: "execute",
        state: "errored",
        error: { reason: "TIMEOUT", recoverable: true },
        waiting_for: { kind: "retry" },
      });
      await client.call("_cleveragents/plan/cancel", { plan_id });
    });

    refusals("_cleveragents/plan/execute", world, {
      InvalidParams: {
        "no plan": ({ client }) => client.call("_cleveragents/plan/execute", {} as never),
        "no time at all": ({ client }) =>
          client.call("_cleveragents/plan/execute", {
            plan_id: plan("manual"),
            execution_options: { timeout: 0 },
          }),
      },
      PlanNotFound: {
        "an unknown plan": ({ client }) => client.call("_cleveragents/plan/execute", { plan_id: "nope" }),
        "somebody else's plan": (w) =>
          w.as(NOBODY).client.call("_cleveragents/plan/execute", { plan_id: plan("manual") }),
      },
      InvalidState: {
        "a cancelled plan": ({ client }) =>
          client.call("_cleveragents/plan/execute", { plan_id: plan("cancelled") }),
      },
      NotAvailable: {
        "steps side by side": ({ client }) =>
          client.call("_cleveragents/plan/execute", {
            plan_id: plan("manual"),
            execution_options: { parallel: true },
          }),
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w
            .as("reader", ["task:read"])
            .client.call("_cleveragents/plan/execute", { plan_id: plan("manual") }),
      },
    });
  });

  describe("_cleveragents/plan/cancel", () => {
    test("ends a plan for good and says how to begin anew", async () => {
      const { client } = world();
      const { plan_id } = await use(world(), "touch");
      const cancelled = await client.call("_cleveragents/plan/cancel", { plan_id, reason: "not now" });
      expect(cancelled).toEqual({
        plan_id,
        phase: "strategize",
        state: "cancelled",
        reason: "not now",
        cancelled_at: aTime,
        recovery: ["agents plan use local/touch --project local/demo"],
      });
      expect(await client.call("_cleveragents/plan/status", { plan_id })).toMatchObject({
        state: "cancelled",
        task_state: "TASK_STATE_CANCELED",
        cancel_reason: "not now",
        timing: { finished: cancelled.cancelled_at },
      });
    });

    refusals("_cleveragents/plan/cancel", world, {
      InvalidParams: { "no plan": ({ client }) => client.call("_cleveragents/plan/cancel", {} as never) },
      PlanNotFound: {
        "an unknown plan": ({ client }) => client.call("_cleveragents/plan/cancel", { plan_id: "nope" }),
        "somebody else's plan": (w) =>
          w.as(NOBODY).client.call("_cleveragents/plan/cancel", { plan_id: plan("manual") }),
      },
      InvalidState: {
        "a cancelled plan": ({ client }) =>
          client.call("_cleveragents/plan/cancel", { plan_id: plan("cancelled") }),
        "an applied plan": ({ client }) =>
          client.call("_cleveragents/plan/cancel", { plan_id: plan("applied") }),
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w.as("reader", ["task:read"]).client.call("_cleveragents/plan/cancel", { plan_id: plan("manual") }),
      },
    });
  });
}
