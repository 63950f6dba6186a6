import { TransportError } from "@cleveragents/protocol";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FakeCli, type FakeCliOptions, Refusal } from "../testing/fake-cli.ts";
import {
  APPLY_ASK,
  askMessage,
  PLAN_ID,
  RUNNING,
  STATUS,
  statusUpdate,
  taskItem,
} from "../testing/samples.ts";
import { Screen } from "../testing/screen.ts";

const WORKING = "TASK_STATE_WORKING";
const WAITING = "TASK_STATE_INPUT_REQUIRED";
const STARTED = { plan_id: PLAN_ID, phase: "execute", state: "running", attempt: 1, already: false };
const gate = (ask: object = APPLY_ASK) => statusUpdate(WAITING, undefined, askMessage(ask));
const QUESTION = {
  request_id: "q-1",
  kind: "question",
  prompt: "Which?",
  options: [{ id: "a", label: "the first" }],
  free_text: true,
};

function cli(options: FakeCliOptions & { readonly status?: object; readonly execute?: object }) {
  return new FakeCli({
    ...options,
    calls: {
      "_cleveragents/plan/execute": options.execute ?? STARTED,
      "_cleveragents/plan/status": options.status ?? STATUS,
      ...options.calls,
    },
  });
}
const execute = (fake: FakeCli, ...flags: string[]) => fake.run("plan", "execute", PLAN_ID, ...flags);
const watch = (fake: FakeCli, ...flags: string[]) => fake.run("plan", "watch", PLAN_ID, ...flags);

const RUN = [
  taskItem(WAITING),
  statusUpdate(WORKING, { event: "plan.phase_changed", phase: "execute", state: "processing" }),
  statusUpdate(WORKING, {
    event: "decision.created",
    decision_id: "d",
    label: "how",
    question: "How?",
    chosen: "edit",
    confidence: 0.8,
  }),
  statusUpdate(WORKING, { event: "step.started", index: 0, label: "run the tests", kind: "run" }),
  statusUpdate(WORKING, { event: "tool.output", chunk: "1 passed\n2 passed\n", stream: "stdout" }),
  statusUpdate(WORKING, {
    event: "step.finished",
    index: 0,
    label: "run the tests",
    status: "done",
    detail: "exit 0",
  }),
  statusUpdate(WORKING, {
    event: "plan.changeset_ready",
    digest: "sha256:ab",
    files: 2,
    insertions: 12,
    deletions: 3,
  }),
  gate(),
];

describe("plan execute", () => {
  test("tells progress on stderr, line by line without a terminal, and the state it stops in on stdout", async () => {
    const fake = cli({ streams: [RUN] });
    expect(await execute(fake)).toBe(0);
    expect(fake.stderr).toBe(
      [
        "Stage: execute / running",
        "◇ How? -> edit (80 %)",
        "▸ 1 run the tests",
        "✓ 1 run the tests (exit 0)",
        "Changes: 2 files, +12 -3  sha256:ab",
        "Waits for: Apply 2 files to local/app?",
        "  apply: Apply",
        "  reject: Reject",
        "",
      ].join("\n"),
    );
    expect(fake.stdout).toMatch(/^Plan: +01J9K2TQ4M8R3V5W7X9Y0Z1A2B\n/);
  });

  test("subscribes before it starts, with the resume extension", async () => {
    const fake = cli({ streams: [RUN] });
    await execute(fake);
    expect(fake.requests.map(({ method }) => method)).toEqual([
      "SubscribeToTask",
      "_cleveragents/plan/execute",
      "_cleveragents/plan/status",
    ]);
    expect(fake.serviceParameters[0]).toMatchObject({
      "A2A-Extensions": "urn:cleveragents:extensions:resume:v1",
    });
  });

  test("prints one JSON document with -o json, and nothing on the way with -q", async () => {
    const fake = cli({ streams: [RUN] });
    expect(await execute(fake, "-o", "json", "-q")).toBe(0);
    expect(JSON.parse(fake.stdout)).toMatchObject({ plan_id: PLAN_ID, task_state: WAITING });
    expect(fake.stderr).toBe("");
  });

  test("shows what tools write with -v", async () => {
    const fake = cli({ streams: [RUN] });
    await execute(fake, "-v");
    expect(fake.stderr).toContain("  | 1 passed\n  | 2 passed\n");
  });

  test("ends at once when there was nothing to start", async () => {
    const fake = cli({
      streams: [[taskItem(WAITING), "hang"]],
      execute: { ...STARTED, state: "complete", already: true },
    });
    expect(await execute(fake)).toBe(0);
  });

  test("ends at once where it waits in the middle of its steps for an answer that it does not give", async () => {
    const fake = cli({
      streams: [[taskItem(WAITING), "hang"]],
      execute: { ...STARTED, already: true },
      status: { ...STATUS, waiting_for: { ...QUESTION, kind: "guard" } },
    });
    await execute(fake);
    expect(fake.stdout).toContain("Which?");
  });

  test("a plan that was still planning is told to go on when it asks for that", async () => {
    const start = { request_id: "s-1", kind: "start", prompt: "Go on?", options: [], free_text: false };
    let executed = 0;
    const fake = cli({
      streams: [
        [taskItem(WORKING), gate(start)],
        [taskItem(WAITING), statusUpdate(WORKING), gate()],
      ],
      calls: {
        "_cleveragents/plan/execute": () => ({ ...STARTED, already: executed++ === 0 }),
        "_cleveragents/plan/status": () => (executed < 2 ? { ...STATUS, waiting_for: start } : STATUS),
      },
    });
    expect(await execute(fake)).toBe(0);
    expect(executed).toBe(2);
  });

  test("tells what went wrong, what tools write as artifacts, and changes of state", async () => {
    const output = {
      artifactUpdate: {
        taskId: PLAN_ID,
        contextId: "c",
        artifact: { artifactId: "a", parts: [{ text: "boom\n" }] },
        metadata: { "urn:cleveragents:extensions:v1": { event: "tool.output" } },
      },
    };
    const events = [
      output,
      statusUpdate(WORKING, { event: "plan.state_changed", phase: "execute", state: "errored" }),
      statusUpdate(WORKING, {
        event: "plan.errored",
        reason: "COMMAND_FAILED",
        message: "exit 1",
        recoverable: true,
      }),
    ];
    const fake = cli({ streams: [[taskItem(WAITING), ...events, gate()]] });
    await execute(fake, "-v");
    expect(fake.stderr).toMatch(/^ {2}\| boom\nStage: execute \/ errored\nError: exit 1\n/);
  });

  test("follows a plan that is running already", async () => {
    const fake = cli({ streams: [[taskItem(WORKING), gate()]], execute: { ...STARTED, already: true } });
    expect(await execute(fake)).toBe(0);
    expect(fake.stderr).toContain("Waits for");
  });

  test("is not stopped by a question that has been answered meanwhile", async () => {
    const fake = cli({ streams: [[taskItem(WORKING), gate(QUESTION), statusUpdate(WORKING), gate()]] });
    expect(await execute(fake)).toBe(0);
    expect(fake.requests.filter(({ method }) => method === "_cleveragents/plan/status")).toHaveLength(2);
  });

  test("starts a plan that cannot be subscribed to, and tells its state", async () => {
    const ended = new Refusal(-32004, "ended", { reason: "UNSUPPORTED_OPERATION" });
    const fake = cli({
      streams: [[ended]],
      execute: { ...STARTED, already: true },
      status: { ...STATUS, task_state: "TASK_STATE_COMPLETED" },
    });
    expect(await execute(fake)).toBe(0);
    expect(fake.paramsOf("_cleveragents/plan/execute")).toEqual({ plan_id: PLAN_ID });
  });

  test("resumes after the last event when the connection is lost", async () => {
    const lost = new TransportError("CONNECTION_LOST", "gone");
    const streams = [
      [taskItem(WAITING), statusUpdate(WORKING), lost],
      [taskItem(WORKING), statusUpdate(WORKING), gate()],
    ];
    const fake = cli({ streams });
    expect(await execute(fake)).toBe(0);
    expect(fake.serviceParameters[1]).toMatchObject({ "Last-Event-ID": "P:1" });
    expect(fake.stderr).toContain("Connection lost; trying again (1)\n");
    expect(fake.requests.filter(({ method }) => method === "_cleveragents/plan/execute")).toHaveLength(1);
  });

  test("an execute that is refused is its error", async () => {
    const fake = cli({
      streams: [RUN],
      execute: new Refusal(-32004, "not now", { reason: "INVALID_STATE" }),
    });
    expect(await execute(fake)).toBe(1);
    expect(fake.stderr).toBe("error: not now\n");
  });

  test.each([
    ["waits to be applied", {}, [], 0],
    ["waits to be applied, with --detailed-exitcode", {}, ["--detailed-exitcode"], 10],
    [
      "is finished without changes, with --detailed-exitcode",
      { task_state: "TASK_STATE_COMPLETED", changes: undefined },
      ["--detailed-exitcode"],
      0,
    ],
    ["waits for an answer", { waiting_for: QUESTION }, [], 11],
    ["waits for a credential", { task_state: "TASK_STATE_AUTH_REQUIRED", waiting_for: undefined }, [], 11],
    ["has failed", { task_state: "TASK_STATE_FAILED" }, [], 12],
    ["is cancelled", { task_state: "TASK_STATE_CANCELED" }, [], 12],
    ["was refused", { task_state: "TASK_STATE_REJECTED" }, [], 12],
    [
      "has used up its budget",
      {
        task_state: "TASK_STATE_FAILED",
        error: { reason: "BUDGET_EXCEEDED", message: "x", recoverable: false },
      },
      [],
      14,
    ],
  ])("a plan that %s", async (_, change, flags, code) => {
    const status = { ...STATUS, ...change };
    const event = status.task_state === WAITING ? gate(status.waiting_for) : statusUpdate(status.task_state);
    expect(await execute(cli({ streams: [[taskItem(WAITING), event]], status }), ...flags)).toBe(code);
  });
});

describe("plan watch", () => {
  test("tells a finished plan from its beginning", async () => {
    const fake = cli({
      streams: [
        [
          taskItem("TASK_STATE_COMPLETED"),
          ...RUN.slice(1),
          statusUpdate(
            "TASK_STATE_COMPLETED",
            { event: "plan.applied", files: 2 },
            { messageId: "m2", role: "ROLE_AGENT", parts: [{ text: "Applied 2 files to local/app." }] },
          ),
        ],
      ],
      status: { ...STATUS, task_state: "TASK_STATE_COMPLETED", waiting_for: undefined },
    });
    expect(await watch(fake)).toBe(0);
    expect(fake.serviceParameters[0]).toMatchObject({ "Last-Event-ID": `${PLAN_ID}:0` });
    expect(fake.stderr).toMatch(/^Stage: execute \/ running\n(?:.*\n)*Applied 2 files to local\/app\.\n$/);
    expect(fake.requests.map(({ method }) => method)).not.toContain("_cleveragents/plan/execute");
  });

  test("stops at a waiting plan even if the peer knows nothing of resuming", async () => {
    const fake = cli({ streams: [[{ ...taskItem("TASK_STATE_SUBMITTED") }, taskItem(WAITING)]] });
    expect(await watch(fake)).toBe(0);
  });

  test("goes on through questions with --until-done", async () => {
    const status = { ...STATUS, task_state: "TASK_STATE_COMPLETED" };
    const fake = cli({
      streams: [[taskItem(WAITING), gate(), statusUpdate("TASK_STATE_COMPLETED")]],
      status,
    });
    expect(await watch(fake, "--until-done")).toBe(0);
    expect(fake.stderr).toContain("Waits for");
  });

  test("tolerates events that lack everything", async () => {
    const odd = [
      statusUpdate(WORKING, { event: "step.started" }),
      statusUpdate(WORKING, { event: "decision.created" }),
      statusUpdate(WORKING, { event: "plan.changeset_ready" }),
      statusUpdate(WORKING, { event: "new.thing", x: 1 }),
      statusUpdate(WORKING, {}),
      { artifactUpdate: { taskId: PLAN_ID, contextId: "c", artifact: { artifactId: "a", parts: [] } } },
    ];
    const fake = cli({ streams: [[taskItem(WORKING), ...odd, statusUpdate(WAITING)]] });
    expect(await watch(fake)).toBe(0);
    expect(fake.stderr).toBe("Waits for: an answer\n");
  });

  test("on a terminal the drawing makes room for the state that it stops in", async () => {
    const fake = cli({
      streams: [[taskItem(WORKING), ...RUN.slice(1)]],
      isTTY: true,
      columns: 80,
      env: { NO_COLOR: "1" },
    });
    expect(await watch(fake, "--no-input")).toBe(0);
    expect(new Screen(80, fake.terminal).text.split("\n").slice(0, 2)).toEqual([
      `Plan:       ${PLAN_ID}`,
      "Action:     local/fix-tests: make the tests pass",
    ]);
  });

  test("--stream is each event as a JSON line, and the state that it stops in last", async () => {
    const fake = cli({ streams: [RUN] });
    expect(await watch(fake, "--stream", "-o", "json")).toBe(0);
    const lines = fake.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(lines).toEqual([...RUN, JSON.parse(JSON.stringify(STATUS))]);
    expect(await watch(cli({ streams: [RUN] }), "--stream")).toBe(2);
  });
});

describe("leaving a plan that goes on", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const hanging = { streams: [[taskItem(WAITING), statusUpdate(WORKING), "hang" as const]], status: RUNNING };

  /** Runs it until the plan has been started; the exit code is a promise inside, so that awaiting this does not wait for it. */
  async function begin(fake: FakeCli, ...flags: string[]) {
    const code = execute(fake, ...flags);
    await vi.waitFor(() => expect(fake.paramsOf("_cleveragents/plan/execute")).toBeDefined());
    return { code };
  }

  test("Ctrl-C once detaches, says how to return, and ends with 130", async () => {
    const fake = cli(hanging);
    const { code } = await begin(fake);
    fake.interrupt();
    await vi.advanceTimersByTimeAsync(2000);
    expect(await code).toBe(130);
    expect(fake.stderr).toContain(
      `interrupted; plan ${PLAN_ID} goes on\nhint: to return: agents plan watch ${PLAN_ID}\n`,
    );
    expect(fake.paramsOf("_cleveragents/plan/cancel")).toBeUndefined();
  });

  test("Ctrl-C twice within two seconds cancels the plan", async () => {
    let now = 0;
    const fake = cli({
      ...hanging,
      now: () => now,
      calls: { "_cleveragents/plan/cancel": { plan_id: PLAN_ID } },
    });
    const { code } = await begin(fake);
    fake.interrupt();
    now = 900;
    fake.interrupt();
    expect(await code).toBe(130);
    expect(fake.paramsOf("_cleveragents/plan/cancel")).toMatchObject({ plan_id: PLAN_ID });
    expect(fake.stderr).toContain(`interrupted twice; plan ${PLAN_ID} is cancelled`);
  });

  test("a plan that comes to wait while Ctrl-C is thought about is left all the same", async () => {
    const go = Promise.withResolvers<void>();
    const fake = cli({
      streams: [[taskItem(WAITING), statusUpdate(WORKING), go.promise, gate(QUESTION)]],
      isTTY: true,
      status: { ...STATUS, waiting_for: QUESTION },
    });
    const { code } = await begin(fake);
    fake.interrupt();
    go.resolve();
    expect(await code).toBe(130);
    expect(fake.stdinRead).toBe(false);
  });

  test("one press that arrives twice is one", async () => {
    const fake = cli(hanging);
    const { code } = await begin(fake);
    fake.interrupt();
    fake.interrupt();
    await vi.advanceTimersByTimeAsync(2000);
    expect(await code).toBe(130);
    expect(fake.paramsOf("_cleveragents/plan/cancel")).toBeUndefined();
  });

  test("--timeout ends the waiting with 5, names the plan, and is JSON with -o json", async () => {
    const fake = cli(hanging);
    const { code } = await begin(fake, "--timeout", "5", "-o", "json");
    await vi.advanceTimersByTimeAsync(5000);
    expect(await code).toBe(5);
    expect(JSON.parse(fake.stdout)).toMatchObject({
      error: { code: "TIMEOUT", hint: `to return: agents plan watch ${PLAN_ID}` },
    });
  });
});
