import type { Workspace } from "@cleveragents/application";
import { BaseDriftError } from "@cleveragents/domain";
import { atRest, eventOf, logOf } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import { type LightWorkspace, openLight } from "./light-workspace.ts";

const WRITE = `  steps: [{ write: { path: a.txt, content: "try {{ attempt }}" } }, { write: { path: b.txt, content: b } }]`;
const events = async (server: Awaited<ReturnType<typeof openLight>>, planId: string) =>
  (await logOf(server.client, planId)).flatMap((item) => eventOf(item)?.event ?? []);

describe("an apply to which a plan went on by itself", () => {
  const drifting = async (times: number) => {
    let left = times;
    const server = await openLight();
    const disk: LightWorkspace = server.disk;
    const workspace = disk.workspace as unknown as Record<string, unknown>;
    const apply = disk.workspace.apply.bind(disk.workspace);
    workspace["apply"] = (async (target, request, progress) => {
      if (left-- > 0)
        throw new BaseDriftError(request.planId, [{ path: "a.txt", expected: null, found: "0".repeat(64) }]);
      return apply(target, request, progress);
    }) satisfies Workspace["apply"];
    return server;
  };

  test("and that finds the project changed goes back by itself, on a new copy, and is applied then", async () => {
    await using server = await drifting(1);
    const planId = await server.plan(WRITE, "ci");
    expect(await atRest(server.client, planId)).toMatchObject({
      state: "applied",
      attempt: 2,
      reversions: 1,
    });
    expect(server.disk.project.get("a.txt")).toBe("try 2");
    expect((await events(server, planId)).filter((name) => name === "sandbox.created")).toHaveLength(2);
  });

  test("is for somebody to say when it has gone back twice", async () => {
    await using server = await drifting(5);
    const planId = await server.plan(WRITE, "ci");
    expect(await atRest(server.client, planId)).toMatchObject({
      reversions: 2,
      waiting_for: { kind: "apply" },
      error: { reason: "PLAN_BASE_DRIFT" },
    });
  });
});

test.each([
  ["ci", { state: "applied", attempt: 2 }],
  ["trusted", { attempt: 2, waiting_for: { kind: "start" } }],
])(
  "a plan that is taken back to a checkpoint goes on by itself only where the profile lets it: %s",
  async (profile, then) => {
    await using server = await openLight();
    const planId = await server.plan(
      `  steps: [{ write: { path: a.txt, content: a } }, { ask: { question: Go on? } }, { write: { path: b.txt, content: "{{ attempt }}" } }]`,
      profile,
    );
    await atRest(server.client, planId);
    await server.client.call("_cleveragents/plan/rollback", { plan_id: planId, checkpoint: "step-1" });
    const rested = await atRest(server.client, planId);
    if (profile === "trusted") expect(rested).toMatchObject(then);
    else expect(rested).toMatchObject({ attempt: 2, waiting_for: { kind: "question" } });
  },
);

test("of an approval and a correction that come at once one is heard, and what is applied is what was approved", async () => {
  for (let round = 0; round < 5; round++) {
    await using server = await openLight();
    const planId = await server.plan(
      `  decisions: [{ id: way, question: Which?, choose: [{ when: 'size(guidance) > 0', choice: corrected }, { choice: first }] }]\n  steps: [{ write: { path: a.txt, content: "{{ decisions.way }}" } }]`,
    );
    const offered = await atRest(server.client, planId);
    const [applied, corrected] = await Promise.allSettled([
      server.client.call("_cleveragents/plan/apply", { plan_id: planId, digest: offered.digest ?? null }),
      server.client.call("_cleveragents/plan/correct", { plan_id: planId, guidance: "otherwise" }),
    ]);
    const after = await atRest(server.client, planId);
    if (after.state === "applied") {
      expect(server.disk.project.get("a.txt")).toBe("first");
      expect(corrected.status).toBe("rejected");
    } else {
      expect(server.disk.project.size).toBe(0);
      expect(applied.status).toBe("rejected");
      expect(after.digest).not.toBe(offered.digest);
    }
  }
});
