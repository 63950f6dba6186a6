import { describe, expect, test } from "vitest";
import { atRest, use } from "../../world/index.ts";
import { aDigest, anId, aTime } from "../matchers.ts";
import { refusals } from "../refusals.ts";
import { NO_DIGEST, NOBODY, type PreparedPlans } from "./fixtures.ts";

const ONE_FILE = {
  files: 1,
  created: 1,
  modified: 0,
  deleted: 0,
  renamed: 0,
  mode_changes: 0,
  binary: 0,
  insertions: 1,
  deletions: 0,
};

export function planApply({ world, plan, appliedResult }: PreparedPlans): void {
  describe("_cleveragents/plan/apply", () => {
    test("writes the changeset that was shown, once", async () => {
      const { client, repository } = world();
      const plan_id = plan("applied");
      const result = {
        plan_id,
        phase: "apply",
        state: "applied",
        digest: aDigest,
        project: "local/demo",
        changes: ONE_FILE,
        applied_at: aTime,
      };
      expect(appliedResult()).toEqual({ ...result, already: false });
      expect(String(await repository.read("applied.txt"))).toBe("touched\n");
      await repository.write("applied.txt", "mine now\n");
      expect(await client.call("_cleveragents/plan/apply", { plan_id })).toEqual({
        ...appliedResult(),
        already: true,
      });
      expect(String(await repository.read("applied.txt"))).toBe("mine now\n");
    });

    test("a changeset that is refused names the path that it is refused for", async () => {
      const apply = world().client.call("_cleveragents/plan/apply", { plan_id: plan("escaping") });
      await expect(apply).rejects.toMatchObject({
        message: "escape: is a link that leaves the project: /etc/hostname",
        data: { path: "escape", hint: expect.stringContaining("--exclude") },
      });
    });

    refusals("_cleveragents/plan/apply", world, {
      InvalidParams: {
        "no plan": ({ client }) => client.call("_cleveragents/plan/apply", {} as never),
        "a digest that is none": ({ client }) =>
          client.call("_cleveragents/plan/apply", { plan_id: plan("gate"), digest: "abc" }),
        "a glob that matches no change": ({ client }) =>
          client.call("_cleveragents/plan/apply", { plan_id: plan("gate"), only: ["nowhere/**"] }),
        "a selection that leaves nothing": ({ client }) =>
          client.call("_cleveragents/plan/apply", { plan_id: plan("gate"), exclude: ["*"] }),
      },
      PlanNotFound: {
        "an unknown plan": ({ client }) => client.call("_cleveragents/plan/apply", { plan_id: "nope" }),
        "somebody else's plan": (w) =>
          w.as(NOBODY).client.call("_cleveragents/plan/apply", { plan_id: plan("gate") }),
      },
      InvalidState: {
        "a plan that has not run": ({ client }) =>
          client.call("_cleveragents/plan/apply", { plan_id: plan("manual") }),
        "a cancelled plan": ({ client }) =>
          client.call("_cleveragents/plan/apply", { plan_id: plan("cancelled") }),
      },
      DigestMismatch: {
        "another changeset than the plan's": ({ client }) =>
          client.call("_cleveragents/plan/apply", { plan_id: plan("gate"), digest: NO_DIGEST }),
      },
      BaseDrift: {
        "a file that changed in the meantime": async ({ client, repository }) => {
          await repository.write("gate.txt", "mine\n");
          try {
            return await client.call("_cleveragents/plan/apply", { plan_id: plan("gate") });
          } finally {
            await repository.remove("gate.txt");
          }
        },
      },
      ChangesetRefused: {
        "a link that leads out of the project": ({ client }) =>
          client.call("_cleveragents/plan/apply", { plan_id: plan("escaping") }),
      },
      MergeConflict: {
        "a file that was made by the plan and by the user, differently": async ({ client, repository }) => {
          await repository.write("gate.txt", "mine\n");
          try {
            return await client.call("_cleveragents/plan/apply", { plan_id: plan("gate"), rebase: true });
          } finally {
            await repository.remove("gate.txt");
          }
        },
      },
      PlanConstrained: {
        "a plan that a required validation holds back": async (w) => {
          await w.client.call("_cleveragents/registry/validation/add", {
            document: "name: applying/never\ndescription: Nothing changes\npaths: { deny: ['**'] }\n",
            update: true,
          });
          const { plan_id } = await use(w, "touch", {
            arguments: { path: "held-back.txt" },
            validations: ["applying/never"],
            automation_profile: "auto",
          });
          await atRest(w.client, plan_id);
          return w.client.call("_cleveragents/plan/apply", { plan_id });
        },
      },
      WorkspaceUnusable: {
        "a name that no branch can have": {
          reason: "BRANCH_REFUSED",
          attempt: ({ client }) =>
            client.call("_cleveragents/plan/apply", { plan_id: plan("gate"), branch: "bad..name" }),
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w.as("reader", ["task:read"]).client.call("_cleveragents/plan/apply", { plan_id: plan("gate") }),
      },
    });
  });
}

export function planAnswers({ world, plan }: PreparedPlans): void {
  describe("_cleveragents/plan/approve", () => {
    test("answers a start with yes", async () => {
      const { client } = world();
      const { plan_id } = await use(world(), "idle");
      await atRest(client, plan_id);
      const answer = await client.call("_cleveragents/plan/approve", { plan_id });
      expect(answer).toEqual({
        plan_id,
        phase: "strategize",
        state: "queued",
        request_id: anId,
        choice: "yes",
      });
      expect(await atRest(client, plan_id)).toMatchObject({ phase: "strategize", state: "complete" });
    });

    refusals("_cleveragents/plan/approve", world, {
      InvalidParams: {
        "no plan": ({ client }) => client.call("_cleveragents/plan/approve", {} as never),
        "another request": {
          reason: "ANSWER_MISMATCH",
          attempt: ({ client }) =>
            client.call("_cleveragents/plan/approve", {
              plan_id: plan("asking"),
              request_id: "nope",
              option: "red",
            }),
        },
        "an option that was not offered": {
          reason: "ANSWER_MISMATCH",
          attempt: ({ client }) =>
            client.call("_cleveragents/plan/approve", { plan_id: plan("asking"), option: "green" }),
        },
        "a bare yes to a question": {
          reason: "ANSWER_MISMATCH",
          attempt: ({ client }) => client.call("_cleveragents/plan/approve", { plan_id: plan("asking") }),
        },
      },
      DigestMismatch: {
        "another changeset than the plan's": ({ client }) =>
          client.call("_cleveragents/plan/approve", { plan_id: plan("gate"), digest: NO_DIGEST }),
      },
      PlanNotFound: {
        "an unknown plan": ({ client }) => client.call("_cleveragents/plan/approve", { plan_id: "nope" }),
        "somebody else's plan": (w) =>
          w.as(NOBODY).client.call("_cleveragents/plan/approve", { plan_id: plan("gate") }),
      },
      NothingOpen: {
        "an applied plan": ({ client }) =>
          client.call("_cleveragents/plan/approve", { plan_id: plan("applied") }),
        "a cancelled plan": ({ client }) =>
          client.call("_cleveragents/plan/approve", { plan_id: plan("cancelled") }),
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w.as("reader", ["task:read"]).client.call("_cleveragents/plan/approve", { plan_id: plan("gate") }),
      },
    });

    // Uses the plan up, so it comes last.
    test("answers a question with an option, or with a text where one is asked for", async () => {
      const { client } = world();
      const plan_id = plan("asking");
      expect(await client.call("_cleveragents/plan/approve", { plan_id, option: "blue" })).toMatchObject({
        choice: "blue",
      });
      const { waiting_for } = await atRest(client, plan_id);
      expect(waiting_for).toMatchObject({
        kind: "question",
        prompt: "Which word?",
        options: [],
        free_text: true,
      });
      const request_id = waiting_for?.request_id ?? "";
      expect(
        await client.call("_cleveragents/plan/approve", { plan_id, request_id, text: "so be it" }),
      ).toMatchObject({ request_id, choice: "text" });
      await atRest(client, plan_id);
      const { patch } = await client.call("_cleveragents/plan/diff", { plan_id });
      expect(patch).toContain("+blue so be it\n");
    });
  });

  describe("_cleveragents/plan/reject", () => {
    test("ends the plan at its gate with the reason, and nothing is written", async () => {
      const { client, repository } = world();
      const plan_id = plan("escaping");
      const answer = await client.call("_cleveragents/plan/reject", { plan_id, reason: "too short" });
      expect(answer).toEqual({
        plan_id,
        phase: "execute",
        state: "complete",
        request_id: anId,
        choice: "no",
      });
      expect(await atRest(client, plan_id)).toMatchObject({
        state: "cancelled",
        task_state: "TASK_STATE_CANCELED",
        cancel_reason: "too short",
      });
      expect(Object.keys(await repository.tree())).not.toContain("escape");
    });

    refusals("_cleveragents/plan/reject", world, {
      InvalidParams: {
        "no plan": ({ client }) => client.call("_cleveragents/plan/reject", {} as never),
        "another request": {
          reason: "ANSWER_MISMATCH",
          attempt: ({ client }) =>
            client.call("_cleveragents/plan/reject", { plan_id: plan("gate"), request_id: "nope" }),
        },
      },
      PlanNotFound: {
        "an unknown plan": ({ client }) => client.call("_cleveragents/plan/reject", { plan_id: "nope" }),
        "somebody else's plan": (w) =>
          w.as(NOBODY).client.call("_cleveragents/plan/reject", { plan_id: plan("gate") }),
      },
      NothingOpen: {
        "an applied plan": ({ client }) =>
          client.call("_cleveragents/plan/reject", { plan_id: plan("applied") }),
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w.as("reader", ["task:read"]).client.call("_cleveragents/plan/reject", { plan_id: plan("gate") }),
      },
    });
  });
}
