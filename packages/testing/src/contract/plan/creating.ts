import { describe, expect, test } from "vitest";
import { atRest } from "../../world/index.ts";
import { anId, aTime } from "../matchers.ts";
import { refusals } from "../refusals.ts";
import { NOBODY, type PreparedPlans } from "./fixtures.ts";

const DEFINITION = {
  name: "Write and copy",
  description: "Writes a file and copies it",
  steps: [
    {
      id: "first-file",
      type: "tool" as const,
      action: "write_file",
      params: { path: "made.txt", content: "made\n" },
    },
    { id: "look", type: "tool" as const, action: "builtin/read_file", params: { path: "made.txt" } },
    { type: "command" as const, action: "cp made.txt copy.txt" },
    {
      type: "command" as const,
      params: { command: ["sh", "-c", "echo '{{ results.look.size }}' > size.txt"] },
    },
    { type: "command" as const, action: "touch never.txt", when: "results.look.size > 100" },
  ],
};
const RELAXED = { project: "demo", automation_profile: "trusted" };
const step = (type: "skill" | "tool" | "prompt", action: string) => ({
  plan_definition: { name: "x", steps: [{ type, action }] },
  ...RELAXED,
});

export function planCreate({ world }: PreparedPlans): void {
  describe("_cleveragents/plan/create", () => {
    test("makes a plan of the steps that come with it, under an id of the caller's, once", async () => {
      const { client } = world();
      const { session_id } = await client.call("session.create", {});
      const params = {
        ...RELAXED,
        session_id,
        plan_id: `plan_${session_id}`,
        plan_definition: DEFINITION,
        metadata: { ticket: 7 },
      };
      const created = await client.call("_cleveragents/plan/create", params);
      expect(created).toEqual({
        plan_id: params.plan_id,
        task_id: anId,
        session_id,
        status: "created",
        created_at: aTime,
        project: "local/demo",
        automation_profile: "trusted",
      });
      expect(await client.call("_cleveragents/plan/create", params)).toEqual(created);
      const { plan_id, task_id } = created;
      await atRest(client, task_id);
      const status = await client.call("_cleveragents/plan/status", { plan_id });
      expect(status).toMatchObject({
        plan_id: task_id,
        alias: plan_id,
        metadata: { ticket: 7 },
        context_id: session_id,
        action: "Write and copy",
        progress: { total_steps: 5, completed_steps: 5, current_step: null },
        waiting_for: { kind: "apply" },
      });
      const { files, patch } = await client.call("_cleveragents/plan/diff", { plan_id });
      expect(files.map(({ path }) => path)).toEqual(["copy.txt", "made.txt", "size.txt"]);
      expect(patch).toContain("+5\n");
      // Every method takes the caller's id, and only from the caller.
      for (const known of [{ plan_id }, { plan_id: task_id }])
        expect(await client.call("_cleveragents/plan/tree", known)).toMatchObject({ plan_id: task_id });
      const another = world().as(NOBODY).client;
      await expect(another.call("_cleveragents/plan/status", { plan_id })).rejects.toMatchObject({
        reason: "PLAN_NOT_FOUND",
        data: { plan_id },
      });
      expect(await client.call("_cleveragents/plan/explain", { plan_id })).toMatchObject({
        chosen: "Writes a file and copies it",
      });
      const cancelled = await client.call("_cleveragents/plan/cancel", { plan_id });
      expect(cancelled).toMatchObject({ plan_id: task_id, state: "cancelled" });
      expect(await client.call("_cleveragents/plan/create", params)).toEqual(created);
    });

    test("takes a file, and names its mistakes by line", async () => {
      const { client } = world();
      const document =
        "name: from a file\nsteps:\n  - { type: command, action: true }\n  - { type: tool, action: write_file, params: { path: x } }\n";
      const made = client.call("_cleveragents/plan/create", { document, file: "steps.yaml", ...RELAXED });
      await expect(made).rejects.toMatchObject({
        reason: "DOCUMENT_INVALID",
        violations: expect.arrayContaining([
          expect.objectContaining({ file: "steps.yaml", line: 3 }),
          expect.objectContaining({ file: "steps.yaml", line: 4 }),
        ]),
      });
      const slips =
        'name: x\nsteps:\n  - { type: command, action: "ls {{ ( }}" }\n  - type: command\n    action: ls\n    when: "1 =="\n';
      await expect(
        client.call("_cleveragents/plan/create", { document: slips, file: "slips.yaml", ...RELAXED }),
      ).rejects.toMatchObject({
        violations: [
          { file: "slips.yaml", line: 3, field: "steps.0.action" },
          { file: "slips.yaml", line: 6, field: "steps.1.when" },
        ],
      });
    });

    refusals("_cleveragents/plan/create", world, {
      InvalidParams: {
        "neither a definition nor a document": ({ client }) =>
          client.call("_cleveragents/plan/create", RELAXED),
        "a definition without steps": ({ client }) =>
          client.call("_cleveragents/plan/create", { ...RELAXED, plan_definition: { name: "x", steps: [] } }),
        "a type that is none": ({ client }) =>
          client.call("_cleveragents/plan/create", {
            ...RELAXED,
            plan_definition: { name: "x", steps: [{ type: "dance" as never, action: "x" }] },
          }),
        "an argument that a tool does not take": {
          reason: "DOCUMENT_INVALID",
          attempt: ({ client }) =>
            client.call("_cleveragents/plan/create", {
              ...RELAXED,
              plan_definition: {
                name: "x",
                steps: [{ type: "tool", action: "delete_file", params: { path: "x", force: true } }],
              },
            }),
        },
        "an expression that cannot be read": {
          reason: "DOCUMENT_INVALID",
          attempt: ({ client }) =>
            client.call("_cleveragents/plan/create", {
              ...RELAXED,
              plan_definition: { name: "x", steps: [{ type: "command", action: "echo {{ 1 + }}" }] },
            }),
        },
        "no project where there are two": {
          reason: "PROJECT_REQUIRED",
          attempt: ({ client }) => client.call("_cleveragents/plan/create", { plan_definition: DEFINITION }),
        },
      },
      AlreadyExists: {
        "an id that another plan of the caller's has": async ({ client }) => {
          const params = {
            plan_id: "taken",
            plan_definition: DEFINITION,
            project: "demo",
            automation_profile: "manual",
          };
          await client.call("_cleveragents/plan/create", params);
          return client.call("_cleveragents/plan/create", { ...params, automation_profile: "trusted" });
        },
      },
      EntryNotFound: {
        "an unknown project": {
          reason: "PROJECT_NOT_FOUND",
          attempt: ({ client }) =>
            client.call("_cleveragents/plan/create", { plan_definition: DEFINITION, project: "nope" }),
        },
      },
      NotAvailable: {
        "a skill": ({ client }) =>
          client.call("_cleveragents/plan/create", step("skill", "deploy_application")),
        "a prompt without a model": ({ client }) =>
          client.call("_cleveragents/plan/create", step("prompt", "Summarise it")),
        "a tool that is not there": ({ client }) =>
          client.call("_cleveragents/plan/create", step("tool", "jira/close")),
      },
      WorkspaceUnusable: {
        "a project whose folder is gone": {
          reason: "PATH_NOT_FOUND",
          attempt: ({ client }) =>
            client.call("_cleveragents/plan/create", { plan_definition: DEFINITION, project: "gone" }),
        },
      },
      SessionNotFound: {
        "an unknown session": ({ client }) =>
          client.call("_cleveragents/plan/create", {
            plan_definition: DEFINITION,
            project: "demo",
            session_id: "nope",
          }),
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w
            .as("reader", ["task:read"])
            .client.call("_cleveragents/plan/create", { plan_definition: DEFINITION, project: "demo" }),
      },
    });
  });
}
