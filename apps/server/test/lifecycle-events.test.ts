import {
  type MethodName,
  methods,
  RESUME_EXTENSION,
  RemoteError,
  type StreamMethod,
} from "@cleveragents/protocol";
import {
  atRest,
  eventOf,
  followUntil,
  type Item,
  inProcess,
  logOf,
  openWorld,
  seen,
  stateOf,
  toGate,
  use,
  type World,
} from "@cleveragents/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openServer } from "./in-memory-server.ts";

let world: World;
/** A plan that has gone through. */
let finished: string;
beforeAll(async () => {
  world = await openWorld(inProcess, openServer, { project: "plain" });
  finished = (await toGate(world, "touch", { automation_profile: "ci" })).plan_id;
});
afterAll(() => world[Symbol.asyncDispose]());

/** What a subscription that resumes after a cursor gives, to its end. */
async function resumedAfter(id: string, cursor: string): Promise<Item[]> {
  const items: Item[] = [];
  const stream = world.client.stream(
    "SubscribeToTask",
    { id },
    { extensions: [RESUME_EXTENSION], lastEventId: cursor, signal: AbortSignal.timeout(10_000) },
  );
  for await (const item of stream) items.push(item);
  return items;
}

describe("the log of a plan", () => {
  test("tells its life in order, without a gap, and each event once", async () => {
    const plan_id = finished;
    const log = await logOf(world.client, plan_id);
    expect(log.map(({ cursor }) => cursor)).toEqual(log.map((_, index) => `${plan_id}:${index + 1}`));
    const story = log.map((item) => {
      const { event, phase, state, index } = eventOf(item) ?? { event: "artifact" };
      return [event, phase, state, index].filter((word) => word !== undefined).join(" ");
    });
    expect(story).toEqual([
      "plan.created",
      "plan.state_changed strategize processing",
      "decision.created",
      "plan.state_changed strategize complete",
      "plan.phase_changed execute queued",
      "plan.state_changed execute processing",
      "sandbox.created",
      "step.started 0",
      "tool.invoked",
      "tool.completed",
      "step.finished 0",
      "artifact",
      "plan.changeset_ready",
      "plan.phase_changed apply queued",
      "plan.state_changed apply processing",
      "plan.applied",
    ]);
    expect([...new Set(log.map(stateOf))]).toEqual([
      "TASK_STATE_SUBMITTED",
      "TASK_STATE_WORKING",
      undefined,
      "TASK_STATE_COMPLETED",
    ]);
  });

  test("a stage is never left and come back to by the states of its events", async () => {
    const { plan_id } = await toGate(world, "flaky-fail");
    await world.client.call("_cleveragents/plan/execute", { plan_id });
    await atRest(world.client, plan_id);
    const states = (await logOf(world.client, plan_id)).map(stateOf).filter((state) => state !== undefined);
    const changes = states
      .filter((state, index) => state !== states[index - 1])
      .map((state) => state.replace("TASK_STATE_", ""));
    expect(changes).toEqual(["SUBMITTED", "WORKING", "INPUT_REQUIRED", "WORKING", "INPUT_REQUIRED"]);
    await world.client.call("_cleveragents/plan/cancel", { plan_id });
  });

  test("output of a command comes while it runs, chunk by chunk, and together is what it said", async () => {
    const { plan_id } = await use(world, "chatty", { automation_profile: "ci" });
    const items = await followUntil(
      world.client,
      plan_id,
      (item) => stateOf(item) === "TASK_STATE_COMPLETED",
      { after: `${plan_id}:0` },
    );
    const chunks = items.flatMap(({ result }) => ("artifactUpdate" in result ? [result.artifactUpdate] : []));
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.map(({ append }) => append)).toEqual(chunks.map((_, index) => index > 0));
    expect(chunks.map(({ lastChunk }) => lastChunk)).toEqual(
      chunks.map((_, index) => index === chunks.length - 1),
    );
    expect(chunks.map(({ artifact }) => artifact.parts[0]?.text).join("")).toBe(
      "line 1\nline 2\nline 3\nline 4\n",
    );
    const first = items.findIndex(({ result }) => "artifactUpdate" in result);
    const finished = items.findIndex((item) => eventOf(item)?.event === "tool.completed");
    expect(first).toBeLessThan(finished);
    const { artifacts = [] } = await world.client.call("GetTask", { id: plan_id });
    expect(artifacts[0]?.parts.map(({ text }) => text).join("")).toBe("line 1\nline 2\nline 3\nline 4\n");
  });
});

describe("resuming a subscription", () => {
  test("after every event of a finished task gives exactly the later ones, once and in order", async () => {
    const plan_id = finished;
    const log = await logOf(world.client, plan_id);
    const task = await world.client.call("GetTask", { id: plan_id });
    const { artifacts: _, history: __, ...bare } = task;
    for (let k = 0; k <= log.length; k++) {
      const [first, ...later] = await resumedAfter(plan_id, `${plan_id}:${k}`);
      expect(first, `after ${k}`).toEqual({ cursor: `${plan_id}:${k}`, result: { task: bare } });
      expect(later, `after ${k}`).toEqual(log.slice(k));
    }
  });

  test("while the plan goes on gives the past and the present without a seam", async () => {
    const { plan_id } = await use(world, "chatty", { automation_profile: "ci" });
    await seen(world.client, plan_id, "tool.output");
    const [one, two] = await Promise.all([1, 4].map((k) => resumedAfter(plan_id, `${plan_id}:${k}`)));
    const log = await logOf(world.client, plan_id);
    expect(one?.slice(1)).toEqual(log.slice(1));
    expect(two?.slice(1)).toEqual(log.slice(4));
  });

  test("after a cursor that the log does not have gives the whole Task, and says that there is a gap", async () => {
    const plan_id = finished;
    const task = await world.client.call("GetTask", { id: plan_id });
    const [first, ...later] = await resumedAfter(plan_id, `${plan_id}:999`);
    expect(first?.result).toEqual({
      task: { ...task, metadata: { ...task.metadata, [RESUME_EXTENSION]: { gap: true } } },
    });
    expect(first?.cursor).toBe(`${plan_id}:${(await logOf(world.client, plan_id)).length}`);
    expect(later).toEqual([]);
  });
});

describe("another principal", () => {
  test("sees nothing of a plan by any method, and an empty page of everything that is one's own", async () => {
    const { plan_id } = await use(world, "touch", { arguments: { path: "private.txt" } });
    const before = await atRest(world.client, plan_id);
    const { session_id } = await world.client.call("session.create", {});
    const { client } = world.as("mallory");
    const params = {
      plan_id,
      id: plan_id,
      taskId: plan_id,
      session_id,
      url: "https://example.com/hook",
      text: "be quick",
      action_name: "idle",
      project: "demo",
      message: { messageId: "m", taskId: plan_id, role: "ROLE_USER", parts: [{ text: "yes" }] },
    };
    // What an event stream follows is one thing, and what usage is of; a correction that goes back names no action.
    const { session_id: _, ...ofStream } = params;
    const { action_name: __, ...ofCorrection } = params;
    const paramsOf: Partial<Record<MethodName, object>> = {
      "_cleveragents/plan/correct": ofCorrection,
      "_cleveragents/usage/show": ofStream,
      "_cleveragents/event/export": { plan_id },
    };
    const refusals: Record<string, string> = {};
    const lists: Record<string, unknown> = {};
    for (const method of Object.keys(methods) as MethodName[]) {
      if (
        /registry|profile|policy|health|diagnostics|session.create|auth|trust|GetExtendedAgentCard/.test(
          method,
        )
      )
        continue;
      try {
        if (methods[method].kind === "stream") {
          for await (const item of client.stream(method as StreamMethod, ofStream as never))
            lists[method] = item;
        } else lists[method] = await client.request(method, paramsOf[method] ?? params);
      } catch (error) {
        if (!RemoteError.is(error)) throw error;
        refusals[method] = error.reason;
        expect(JSON.stringify(error.data), method).not.toMatch(/touch|private|demo/);
      }
    }
    const task = [
      "SendMessage",
      "SendStreamingMessage",
      "GetTask",
      "CancelTask",
      "SubscribeToTask",
      "CreateTaskPushNotificationConfig",
      "GetTaskPushNotificationConfig",
      "ListTaskPushNotificationConfigs",
      "DeleteTaskPushNotificationConfig",
    ].map((name) => [name, "TASK_NOT_FOUND"]);
    const plan = [
      "execute",
      "status",
      "diff",
      "apply",
      "approve",
      "reject",
      "cancel",
      "artifacts",
      "rollback",
      "tree",
      "correct",
      "revert",
      "explain",
      "prompt",
    ].map((name) => [`_cleveragents/plan/${name}`, "PLAN_NOT_FOUND"]);
    expect(refusals).toEqual(
      Object.fromEntries([
        ...task,
        ...plan,
        ["_cleveragents/plan/create", "INVALID_PARAMS"],
        ["_cleveragents/invariant/add", "INVALID_PARAMS"],
        ["_cleveragents/invariant/list", "PLAN_NOT_FOUND"],
        ["_cleveragents/invariant/remove", "INVARIANT_NOT_FOUND"],
        ["_cleveragents/plan/use", "SESSION_NOT_FOUND"],
        ["_cleveragents/sandbox/gc", "PLAN_NOT_FOUND"],
        ["_cleveragents/event/subscribe", "PLAN_NOT_FOUND"],
        ["_cleveragents/event/export", "PLAN_NOT_FOUND"],
        ["session.close", "SESSION_NOT_FOUND"],
        ...["show", "tell", "delete", "export"].map((name) => [
          `_cleveragents/session/${name}`,
          "SESSION_NOT_FOUND",
        ]),
        ["_cleveragents/session/import", "INVALID_PARAMS"],
        ["_cleveragents/usage/show", "PLAN_NOT_FOUND"],
      ]),
    );
    expect(lists).toEqual({
      ListTasks: { tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 },
      "_cleveragents/plan/list": { plans: [], total: 0, next_page_token: "" },
      "_cleveragents/sandbox/list": { sandboxes: [], total: 0, next_page_token: "" },
      "_cleveragents/session/list": { sessions: [], total: 0, next_page_token: "" },
    });
    expect(await world.client.call("_cleveragents/plan/status", { plan_id })).toEqual(before);
  });
});
