import type { TaskStore, Workspace } from "@cleveragents/application";
import type { Plan } from "@cleveragents/domain";
import { atRest, eventOf, logOf, stateOf } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import { type Altered, openAltered } from "./altered-server.ts";

const TOUCH = "  steps: [{ write: { path: touched.txt, content: x } }]\n";

type Commit = Parameters<TaskStore["commit"]>[0];

/** The store, in which something else is done before a commit. */
function storeBefore(store: TaskStore, first: (command: Commit) => Promise<void>): TaskStore {
  return new Proxy(store, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      if (key !== "commit") return value.bind(target);
      return async (command: Commit) => {
        await first(command);
        return target.commit(command);
      };
    },
  });
}

/** The store, which does something else first when an answer is about to be recorded. */
function storeAnswering(store: TaskStore, first: () => Promise<void>): TaskStore {
  let done = false;
  return storeBefore(store, async ({ inbox }) => {
    if (done || inbox?.add?.some((entry) => entry.key.startsWith("answer:")) !== true) return;
    done = true;
    await first();
  });
}

/** The store, in which a plan has decided what it will do only when it is let. */
function storeDeciding(store: TaskStore, permitted: () => Promise<void>): TaskStore {
  return storeBefore(store, async ({ document }) => {
    const { phase, state } = (document as Partial<Plan> | undefined)?.stage ?? {}; // the document of a plan's task
    if (phase === "strategize" && state === "complete") await permitted();
  });
}

describe("a plan that is told to go on while it still decides", () => {
  async function toldWhileDeciding(
    profile: string,
    before: (server: Altered, plan_id: string) => Promise<void>,
  ) {
    const asked = Promise.withResolvers<void>();
    const decided = Promise.withResolvers<void>();
    await using server = await openAltered(({ store }) => ({
      store: storeDeciding(store, () => {
        asked.resolve();
        return decided.promise;
      }),
    }));
    const plan_id = await server.plan(TOUCH, profile);
    await before(server, plan_id);
    await asked.promise;
    const told = server.client.call("_cleveragents/plan/execute", { plan_id });
    decided.resolve();
    return { told: await told, status: await atRest(server.client, plan_id) };
  }

  test("is carried out where it would have asked for the first time", async () => {
    const { told, status } = await toldWhileDeciding("supervised", async () => undefined);
    expect(told).toMatchObject({ already: false });
    expect(status).toMatchObject({ waiting_for: { kind: "apply" } });
  });

  test("asks all the same where the same call has let it decide", async () => {
    const { told, status } = await toldWhileDeciding("manual", async ({ client }, plan_id) => {
      await client.call("_cleveragents/plan/execute", { plan_id });
    });
    expect(told).toMatchObject({ already: true });
    expect(status).toMatchObject({ phase: "strategize", waiting_for: { kind: "start" } });
  });
});

describe("an answer", () => {
  test("counts although another worker has taken the plan over while it was on its way", async () => {
    let plan_id = "";
    await using server = await openAltered(({ store, engine }) => ({
      store: storeAnswering(store, async () => {
        const { epoch } = await store.commit({ taskId: plan_id, bumpEpoch: true, runId: null });
        await engine.start({ taskId: plan_id, epoch, part: 0 });
      }),
    }));
    plan_id = await server.plan("  steps: [{ ask: { question: Well? } }]\n");
    await atRest(server.client, plan_id);
    await server.client.call("_cleveragents/plan/approve", { plan_id, text: "yes" });
    expect(await atRest(server.client, plan_id)).toMatchObject({ task_state: "TASK_STATE_COMPLETED" });
  });

  test("to a question is an option or a text, never a bare yes, also where any text would do", async () => {
    await using server = await openAltered(() => ({}));
    const plan_id = await server.plan(
      "  steps: [{ ask: { question: How many?, options: [{ id: one }, { id: many }], freeText: true } }]\n",
    );
    await atRest(server.client, plan_id);
    await expect(server.client.call("_cleveragents/plan/approve", { plan_id })).rejects.toMatchObject({
      reason: "ANSWER_MISMATCH",
      violations: [{ description: expect.stringContaining("one, many") }],
    });
    for (const slip of [{ option: "menny" }, { option: "menny", text: "a lot" }])
      await expect(
        server.client.call("_cleveragents/plan/approve", { plan_id, ...slip }),
      ).rejects.toMatchObject({
        reason: "ANSWER_MISMATCH",
        violations: [{ description: '"menny" is not one of one, many; an answer in words is a text' }],
      });
    await server.client.call("_cleveragents/plan/approve", { plan_id, option: "many" });
    expect(await atRest(server.client, plan_id)).toMatchObject({ task_state: "TASK_STATE_COMPLETED" });
  });

  test("that a cancellation has overtaken is told so, and not that there is another answer", async () => {
    let plan_id = "";
    await using server = await openAltered(({ store }) => ({
      store: storeAnswering(store, async () => {
        await server.client.call("_cleveragents/plan/cancel", { plan_id });
      }),
    }));
    plan_id = await server.plan(TOUCH);
    await atRest(server.client, plan_id);
    await expect(server.client.call("_cleveragents/plan/approve", { plan_id })).rejects.toMatchObject({
      reason: "INVALID_STATE",
      message: expect.stringContaining("execute/cancelled"),
    });
  });

  test("is not reported as failed when only the wake-up of the plan has failed", async () => {
    let deaf = false;
    await using server = await openAltered(({ engine }) => {
      const signal = engine.signal.bind(engine);
      engine.signal = async (taskId) => {
        if (!deaf) return signal(taskId);
        deaf = false;
        throw new Error("the engine's database is busy");
      };
      return {};
    });
    const plan_id = await server.plan(TOUCH, "supervised");
    await atRest(server.client, plan_id);
    deaf = true;
    await server.client.call("_cleveragents/plan/execute", { plan_id });
    expect(await atRest(server.client, plan_id)).toMatchObject({ waiting_for: { kind: "apply" } });
  });
});

test("a plan that could not be queued at once is there, and goes on by itself later", async () => {
  let busy = true;
  await using server = await openAltered(({ engine }) => {
    const start = engine.start.bind(engine);
    engine.start = async (input) => {
      if (busy) throw new Error("the engine's database is busy");
      return start(input);
    };
    return {};
  });
  const plan_id = await server.plan(TOUCH);
  busy = false;
  await server.killAndStart();
  expect(await atRest(server.client, plan_id)).toMatchObject({ waiting_for: { kind: "apply" } });
});

test("guidance that comes just before a gate does not hide what the gate asks", async () => {
  const comparing = Promise.withResolvers<void>();
  const guided = Promise.withResolvers<void>();
  const slow = (workspace: Workspace): Workspace =>
    new Proxy(workspace, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== "function") return value;
        if (key !== "open") return value.bind(target);
        return async (...args: Parameters<Workspace["open"]>) => {
          const sandbox = await workspace.open(...args);
          return new Proxy(sandbox, {
            get(inner, name) {
              const own: unknown = Reflect.get(inner, name, inner);
              if (typeof own !== "function") return own;
              if (name !== "compare") return own.bind(inner);
              return async () => {
                comparing.resolve();
                await guided.promise;
                return inner.compare();
              };
            },
          });
        };
      },
    });
  await using server = await openAltered(({ workspace }) => ({ workspace: slow(workspace) }));
  const { client } = server;
  const plan_id = await server.plan(TOUCH);
  await comparing.promise;
  await client.call("SendMessage", {
    message: {
      messageId: "hint",
      taskId: plan_id,
      role: "ROLE_USER",
      parts: [{ text: "be careful" }],
    },
    configuration: { returnImmediately: true },
  });
  guided.resolve();
  await atRest(client, plan_id);
  await server.killAndStart(); // whatever the plan has still to take, it takes now
  await new Promise((resolve) => setTimeout(resolve, 200));
  const { status } = await client.call("GetTask", { id: plan_id });
  expect(status).toMatchObject({
    state: "TASK_STATE_INPUT_REQUIRED",
    message: { parts: [{ text: expect.stringContaining("Apply 1 changed file") }, {}] },
  });
  const log = await logOf(client, plan_id);
  expect(log.filter((item) => stateOf(item) === "TASK_STATE_INPUT_REQUIRED").map(eventOf)).toMatchObject([
    { event: "ask.opened" },
  ]);
  expect(await client.call("_cleveragents/plan/apply", { plan_id })).toMatchObject({ state: "applied" });
});
