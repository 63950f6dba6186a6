import { type ToolDescriptor, type Workspace, WorkspaceError } from "@cleveragents/application";
import { atRest, eventOf, logOf } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import { openAltered } from "./altered-server.ts";

const TOUCH = "  steps: [{ write: { path: touched.txt, content: x } }]\n";

/** The workspace with some of its methods in other hands. */
function workspaceWith(workspace: Workspace, own: Partial<Workspace>): Workspace {
  return {
    inspect: (...args) => workspace.inspect(...args),
    create: (...args) => workspace.create(...args),
    derive: (...args) => workspace.derive(...args),
    keep: (...args) => workspace.keep(...args),
    merge: (...args) => workspace.merge(...args),
    open: (...args) => workspace.open(...args),
    drift: (...args) => workspace.drift(...args),
    select: (...args) => workspace.select(...args),
    check: (...args) => workspace.check(...args),
    apply: (...args) => workspace.apply(...args),
    undo: (...args) => workspace.undo(...args),
    recover: () => workspace.recover(),
    holdings: () => workspace.holdings(),
    heldSince: (planId) => workspace.heldSince(planId),
    weigh: (planId) => workspace.weigh(planId),
    release: (planId) => workspace.release(planId),
    tidy: () => workspace.tidy(),
    ...own,
  };
}

describe("a step whose end could not be recorded", () => {
  test("is tried again from where its predecessor ended, so that nothing has its effect twice", async () => {
    let broken = 1;
    await using server = await openAltered(({ workspace }) => ({
      workspace: workspaceWith(workspace, {
        async open(...args) {
          const sandbox = await workspace.open(...args);
          const checkpoint = async (label: string) => {
            if (broken-- > 0) throw new WorkspaceError("NO_SPACE", "the disk is full");
            return sandbox.checkpoint(label);
          };
          return new Proxy(sandbox, {
            get(target, key) {
              if (key === "checkpoint") return checkpoint;
              const value: unknown = Reflect.get(target, key, target);
              return typeof value === "function" ? value.bind(target) : value;
            },
          });
        },
      }),
    }));
    const { client } = server;
    const plan_id = await server.plan("  steps: [{ run: { command: echo once >> marks.txt } }]\n");
    const failed = await atRest(client, plan_id);
    expect(failed).toMatchObject({
      state: "errored",
      error: { reason: "NO_SPACE", step: "1 of 1" },
      steps: [{ status: "failed" }],
      waiting_for: { kind: "retry" },
    });
    await client.call("_cleveragents/plan/execute", { plan_id });
    expect(await atRest(client, plan_id)).toMatchObject({ phase: "execute", state: "complete" });
    const { patch } = await client.call("_cleveragents/plan/diff", { plan_id });
    expect(patch).toContain("@@ -0,0 +1 @@\n+once\n");
  });
});

describe("a step whose effect cannot be undone", () => {
  const irreversible = (call: () => Promise<void>) =>
    openAltered(({ toolProviders: [builtin] }) => ({
      toolProviders: [
        {
          list: () =>
            (builtin?.list() ?? []).map(
              (tool): ToolDescriptor => ({ ...tool, effect: "irreversible", idempotent: false }),
            ),
          async call(name, args, context) {
            await call();
            return (builtin as NonNullable<typeof builtin>).call(name, args, context);
          },
        },
      ],
    }));

  async function interrupted(server: Awaited<ReturnType<typeof irreversible>>): Promise<string> {
    const document = "name: unsafe\ndescription: x\nextends: trusted\nallow_unsafe_tools: true\n";
    await server.client.call("_cleveragents/profile/add", { document });
    const plan_id = await server.plan(TOUCH, "unsafe");
    await expect
      .poll(async () => (await logOf(server.client, plan_id)).map((item) => eventOf(item)?.event))
      .toContain("tool.invoked");
    await server.killAndStart();
    expect(await atRest(server.client, plan_id)).toMatchObject({
      error: { reason: "INTERRUPTED" },
      waiting_for: { kind: "retry" },
    });
    return plan_id;
  }
  const never = () => new Promise<void>(() => undefined);

  test("is not run again by itself after a crash, and is run again when the user says so", async () => {
    let calls = 0;
    await using server = await irreversible(() => (++calls === 1 ? never() : Promise.resolve()));
    const plan_id = await interrupted(server);
    expect(calls).toBe(1);
    await server.client.call("_cleveragents/plan/execute", { plan_id });
    expect(await atRest(server.client, plan_id)).toMatchObject({ phase: "execute", state: "complete" });
    expect(calls).toBe(2);
  });

  test("can be given up after a crash", async () => {
    await using server = await irreversible(never);
    const plan_id = await interrupted(server);
    await server.client.call("_cleveragents/plan/reject", { plan_id });
    expect(await atRest(server.client, plan_id)).toMatchObject({ state: "failed" });
  });
});

describe("an apply", () => {
  test("that failed inside is not waited for by the next one, which tries it again", async () => {
    let broken = 1;
    await using server = await openAltered(({ workspace }) => ({
      workspace: workspaceWith(workspace, {
        async apply(...args) {
          if (broken-- > 0) throw new Error("unforeseen");
          return workspace.apply(...args);
        },
      }),
    }));
    const { client } = server;
    const plan_id = await server.plan(TOUCH);
    await atRest(client, plan_id);
    await expect(client.call("_cleveragents/plan/apply", { plan_id })).rejects.toMatchObject({
      reason: "INVALID_STATE",
    });
    expect(await atRest(client, plan_id)).toMatchObject({
      phase: "apply",
      state: "errored",
      waiting_for: { kind: "retry" },
    });
    expect(await client.call("_cleveragents/plan/apply", { plan_id })).toMatchObject({ state: "applied" });
    expect(String(await server.repository.read("touched.txt"))).toBe("x");
  });

  test("that finds another one at work or done answers what became of the plan, and no drift", async () => {
    let looked = 0;
    const second = Promise.withResolvers<void>();
    await using server = await openAltered(({ workspace }) => ({
      workspace: workspaceWith(workspace, {
        async drift(...args) {
          // The second caller looks when the first one's apply has been carried out.
          if (++looked === 2) await second.promise;
          return workspace.drift(...args);
        },
      }),
    }));
    const { client } = server;
    const plan_id = await server.plan(TOUCH);
    await atRest(client, plan_id);
    const both = [1, 2].map(() => client.call("_cleveragents/plan/apply", { plan_id }));
    for (const call of both) call.catch(() => undefined);
    expect(await Promise.race(both)).toMatchObject({ state: "applied" });
    second.resolve();
    for (const call of both) expect(await call).toMatchObject({ state: "applied" });
  });

  test("that was refused and is approved again is an event of its own each time", async () => {
    await using server = await openAltered();
    const { client, repository } = server;
    await repository.write("touched.txt", "before");
    const plan_id = await server.plan(TOUCH);
    await atRest(client, plan_id);
    const approve = async () => {
      await client.call("_cleveragents/plan/approve", { plan_id });
      return atRest(client, plan_id);
    };
    await repository.write("touched.txt", "by hand");
    expect(await approve()).toMatchObject({
      error: { reason: "PLAN_BASE_DRIFT" },
      waiting_for: { kind: "apply" },
    });
    await repository.write("touched.txt", "before");
    expect(await approve()).toMatchObject({ state: "applied" });
    const stages = (await logOf(client, plan_id))
      .map(eventOf)
      .filter((event) => event?.["phase"] === "apply");
    expect(stages.map((event) => event?.["state"])).toEqual(["queued", "processing", "queued", "processing"]);
  });

  test("that is overtaken by a cancellation answers what became of the plan", async () => {
    let opened = 0;
    const second = Promise.withResolvers<void>();
    await using server = await openAltered(({ workspace }) => ({
      workspace: workspaceWith(workspace, {
        async drift(...args) {
          if (++opened === 1) await second.promise;
          return workspace.drift(...args);
        },
      }),
    }));
    const { client } = server;
    const plan_id = await server.plan(TOUCH);
    await atRest(client, plan_id);
    const late = client.call("_cleveragents/plan/apply", { plan_id });
    late.catch(() => undefined);
    await expect.poll(() => opened).toBe(1);
    await client.call("_cleveragents/plan/cancel", { plan_id });
    second.resolve();
    await expect(late).rejects.toMatchObject({
      reason: "INVALID_STATE",
      message: expect.stringContaining("cancelled"),
    });
  });
});
