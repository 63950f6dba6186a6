import type { CommandRunner } from "@cleveragents/application";
import type { EnforcementLevel } from "@cleveragents/domain";
import { atRest, eventOf, logOf } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import { isolationRequired } from "../src/config.ts";
import { openAltered } from "./altered-server.ts";

const TOUCH = "  steps: [{ write: { path: touched.txt, content: x } }]\n";
const IN_TWO_PARTS = `  steps:
    - ask: { question: Go on?, options: [{ id: so, label: So }] }
    - run: { command: echo ran > ran.txt }
`;

/** A host that isolates commands as much as it says at the moment. */
async function openOn(host: { level: EnforcementLevel }, requireIsolation = false) {
  return openAltered(
    ({ commands }) => ({
      commands: {
        probe: async () => ({ level: host.level, why: `because the host is ${host.level}` }),
        run: (request) => commands.run(request),
      } satisfies CommandRunner,
    }),
    { requireIsolation },
  );
}

/** What the log says of the sandbox. */
async function told(client: Parameters<typeof logOf>[0], planId: string) {
  return (await logOf(client, planId)).map(eventOf).find((event) => event?.event === "sandbox.created");
}

const refusal = async (attempt: Promise<unknown>) => attempt.catch((error: unknown) => error);

describe("a plan's isolation", () => {
  test("is recorded, shown and told when its sandbox is made", async () => {
    await using server = await openOn({ level: "full" });
    const plan_id = await server.plan(TOUCH);
    const { execution } = await atRest(server.client, plan_id);
    expect(execution).toMatchObject({ enforcement: "full" });
    expect(execution).not.toHaveProperty("enforcement_reason");
    expect(await told(server.client, plan_id)).toMatchObject({ enforcement: "full" });
  });

  test("is told with its reason where there is none", async () => {
    await using server = await openOn({ level: "none" });
    const plan_id = await server.plan(TOUCH);
    expect((await atRest(server.client, plan_id)).execution).toMatchObject({
      enforcement: "none",
      enforcement_reason: "because the host is none",
    });
    expect(await told(server.client, plan_id)).toMatchObject({
      enforcement: "none",
      enforcement_reason: "because the host is none",
    });
    expect(await server.client.call("_cleveragents/health/check", {})).toMatchObject({
      checks: expect.arrayContaining([
        expect.objectContaining({
          id: "commands",
          status: "warn",
          summary: expect.stringMatching(/the host is none/),
        }),
      ]),
    });
  });

  test("is never less than was shown: a later step is refused, and runs once the host is what it was", async () => {
    const host = { level: "full" as EnforcementLevel };
    await using server = await openOn(host);
    const { client } = server;
    const plan_id = await server.plan(IN_TWO_PARTS);
    expect(await atRest(client, plan_id)).toMatchObject({ waiting_for: { kind: "question" } });
    host.level = "none";
    await client.call("_cleveragents/plan/approve", { plan_id, option: "so" });
    expect(await atRest(client, plan_id)).toMatchObject({
      state: "errored",
      error: {
        reason: "ISOLATION_UNAVAILABLE",
        message: expect.stringMatching(/began with full: because the host is none$/),
        recoverable: true,
      },
      steps: [{ status: "done" }, { status: "pending" }],
      execution: { enforcement: "full" },
    });
    host.level = "full";
    await client.call("_cleveragents/plan/execute", { plan_id });
    expect(await atRest(client, plan_id)).toMatchObject({ state: "complete", changes: { files: 1 } });
  });

  test("may be more than was shown", async () => {
    const host = { level: "none" as EnforcementLevel };
    await using server = await openOn(host);
    const plan_id = await server.plan(IN_TWO_PARTS);
    await atRest(server.client, plan_id);
    host.level = "full";
    await server.client.call("_cleveragents/plan/approve", { plan_id, option: "so" });
    expect(await atRest(server.client, plan_id)).toMatchObject({ state: "complete" });
  });
});

describe("a demand of isolation", () => {
  const use = (server: Awaited<ReturnType<typeof openOn>>, require_isolation?: boolean) =>
    server.client.call("_cleveragents/plan/use", {
      action_name: "action-1",
      automation_profile: "manual",
      ...(require_isolation === undefined ? {} : { require_isolation }),
    });
  const plans = async (server: Awaited<ReturnType<typeof openOn>>) =>
    (await server.client.call("_cleveragents/plan/list", {})).total;

  test("is met where commands are isolated, and shown", async () => {
    await using server = await openOn({ level: "full" });
    await server.plan(TOUCH, "manual");
    const { plan_id } = await use(server, true);
    expect(await server.client.call("_cleveragents/plan/status", { plan_id })).toMatchObject({
      execution: { isolation_demanded_by: "plan" },
    });
  });

  test("of the operator's holds for every plan, and none is made without", async () => {
    const host = { level: "full" as EnforcementLevel };
    await using server = await openOn(host, true);
    await server.plan(TOUCH, "manual");
    host.level = "none";
    expect(await refusal(use(server, false))).toMatchObject({
      reason: "ISOLATION_UNAVAILABLE",
      data: expect.objectContaining({ demanded_by: "server", level: "none" }),
      hint: expect.stringMatching(/health check/),
    });
    expect(await plans(server)).toBe(1);
  });

  test("holds for a plan that was made where it was met: nothing of it starts elsewhere", async () => {
    const host = { level: "full" as EnforcementLevel };
    await using server = await openOn(host);
    await server.plan(TOUCH, "manual");
    const { plan_id } = await use(server, true);
    host.level = "none";
    for (const phase of ["strategize", "execute"]) {
      await server.client.call("_cleveragents/plan/execute", { plan_id });
      await atRest(server.client, plan_id);
      expect(phase).toBeDefined();
    }
    expect(await server.client.call("_cleveragents/plan/status", { plan_id })).toMatchObject({
      error: { reason: "ISOLATION_UNAVAILABLE" },
      execution: { sandbox: "none", tool_calls: 0 },
    });
  });

  test("can come with a message, and is refused rather than misread", async () => {
    await using server = await openOn({ level: "none" });
    await server.plan(TOUCH, "manual");
    const send = (require_isolation: unknown) =>
      server.client.call("SendMessage", {
        message: {
          messageId: `m-${String(require_isolation)}`,
          role: "ROLE_USER",
          parts: [{ data: { action_name: "action-1", automation_profile: "manual", require_isolation } }],
        },
      } as never);
    expect(await refusal(send(true))).toMatchObject({ reason: "ISOLATION_UNAVAILABLE" });
    expect(await refusal(send("yes"))).toMatchObject({ reason: "INVALID_PARAMS" });
    expect(await plans(server)).toBe(1);
    await send(false);
    expect(await plans(server)).toBe(2);
  });

  test("in the environment is read as yes or no, and nothing else is taken for no", () => {
    const read = (value?: string) => isolationRequired({ CLEVERAGENTS_REQUIRE_ISOLATION: value });
    expect([read("1"), read("true"), read("Yes")]).toEqual([true, true, true]);
    expect([read("0"), read("false"), read(""), read()]).toEqual([false, false, false, false]);
    expect(() => read("full")).toThrow(/CLEVERAGENTS_REQUIRE_ISOLATION/);
  });
});
