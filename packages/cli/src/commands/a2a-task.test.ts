import { describe, expect, test } from "vitest";
import {
  AgentRefuses,
  Elements,
  ORIGIN,
  REST,
  RPC,
  ScriptedAgent,
  statusOf,
  task,
} from "../testing/scripted-agent.ts";

const DONE = task("COMPLETED", { artifacts: [{ artifactId: "a-1", parts: [{ text: "the result" }] }] });
const POLL = ["--poll-interval", "1ms"];
const legacyCard = {
  supportedInterfaces: [
    { ...RPC, protocolVersion: "0.3" },
    { ...REST, protocolVersion: "0.3" },
  ],
};

describe("agents a2a task get", () => {
  test("shows a task as it is, with its artifacts, and no more history than was asked for", async () => {
    const a = new ScriptedAgent({ answers: { GetTask: () => DONE } });
    const run = await a.run(["task", "get", "t-1", "--history", "0"]);
    expect(run.stdout).toContain("State: TASK_STATE_COMPLETED\nArtifact: a-1\nText:\nthe result\n\n");
    expect(a.seen[0]?.params).toEqual({ id: "t-1", historyLength: 0 });
    expect((await a.run(["task", "get", "t-1", "-o", "json"])).json()).toEqual(DONE);
    const line = await a.run(["task", "get", "t-1", "-o", "json", "--stream"]);
    expect(line.stdout).toBe(`${JSON.stringify(DONE)}\n`);
  });

  test("asks until it rests with --wait or --watch, and once without", async () => {
    for (const flag of ["--wait", "--watch"]) {
      const a = new ScriptedAgent({
        answers: { GetTask: (_, times) => (times < 2 ? task("WORKING") : task("INPUT_REQUIRED")) },
      });
      const run = await a.run(["task", "get", "t-1", flag, ...POLL]);
      expect([run.code, a.calls.length]).toEqual([0, 3]);
    }
    const a = new ScriptedAgent({ answers: { GetTask: () => task("WORKING") } });
    await a.run(["task", "get", "t-1"]);
    expect(a.calls).toEqual(["GetTask"]);
  });

  test("is GET in HTTP+JSON, and what an id has in it stays in its place", async () => {
    const a = new ScriptedAgent({
      card: { supportedInterfaces: [REST] },
      answers: { "GET /tasks/a%2Fb?historyLength=2": () => DONE },
    });
    expect((await a.run(["task", "get", "a/b", "--history", "2", "-o", "json"])).json()).toEqual(DONE);
  });
});

describe("agents a2a task cancel", () => {
  test("shows the state that comes of it, or that there is nothing left to stop", async () => {
    const a = new ScriptedAgent({ answers: { CancelTask: () => task("CANCELED") } });
    const run = await a.run(["task", "cancel", "t-1", "--metadata", '{"why":"late"}']);
    expect([run.code, run.stdout.split("\n")[2]]).toEqual([0, "State: TASK_STATE_CANCELED"]);
    expect(a.seen[0]?.params).toEqual({ id: "t-1", metadata: { why: "late" } });
    const ended = new ScriptedAgent({
      answers: {
        CancelTask: () => new AgentRefuses(-32002, 400, "TASK_NOT_CANCELABLE"),
        GetTask: () => task("COMPLETED"),
      },
    });
    const late = await ended.run(["task", "cancel", "t-1", "-o", "json"]);
    expect(late.json()).toMatchObject({ error: { code: "TaskNotCancelableError" } });
    expect(late.stderr).toContain("warning: the task is TASK_STATE_COMPLETED already\n");
  });
});

describe("agents a2a task list", () => {
  const page = {
    tasks: [task("WORKING"), { ...task("FAILED"), id: "t-2" }],
    nextPageToken: "p2",
    pageSize: 2,
    totalSize: 5,
  };

  test("shows a page, how to get the next one, and takes filters", async () => {
    const a = new ScriptedAgent({ answers: { ListTasks: () => page } });
    const argv = [
      "--context-id",
      "c-1",
      "--status",
      "input-required",
      "--page-size",
      "2",
      "--page-token",
      "p1",
    ];
    const run = await a.run(["task", "list", ...argv, "--artifacts"]);
    expect(run.stdout).toBe(
      "Task: t-1\nContext: c-1\nState: TASK_STATE_WORKING\n\nTask: t-2\nContext: c-1\nState: TASK_STATE_FAILED\n\nTotal: 5\nNext-Page: p2\n",
    );
    expect(a.seen[0]?.params).toEqual({
      contextId: "c-1",
      status: "TASK_STATE_INPUT_REQUIRED",
      pageSize: 2,
      pageToken: "p1",
      includeArtifacts: true,
    });
    expect((await a.run(["task", "list", "-o", "json"])).json()).toEqual(page);
    const lines = await a.run(["task", "list", "-o", "json", "--stream"]);
    expect(lines.stdout).toBe(page.tasks.map((one) => `${JSON.stringify(one)}\n`).join(""));
  });
});

describe("agents a2a task subscribe", () => {
  const events = [{ task: task("WORKING") }, statusOf("COMPLETED")];

  test.each([
    [RPC, "SubscribeToTask", "GetTask"],
    [REST, "GET /tasks/t-1:subscribe", "GET /tasks/t-1"],
  ])(
    "follows a task: each event with --stream, else the task in the end: %o",
    async (face, subscribe, get) => {
      const a = new ScriptedAgent({
        card: { supportedInterfaces: [face] },
        answers: { [subscribe]: () => new Elements(events), [get]: () => DONE },
      });
      const lines = await a.run(["task", "subscribe", "t-1", "--stream", "-o", "json"]);
      expect(lines.stdout).toBe(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
      expect((await a.run(["task", "subscribe", "t-1", "-o", "json"])).json()).toEqual(DONE);
    },
  );

  test("shows one that has ended already, and asks where the agent does not stream", async () => {
    const refuses = () => new AgentRefuses(-32004, 400, "UNSUPPORTED_OPERATION");
    const ended = new ScriptedAgent({ answers: { SubscribeToTask: refuses, GetTask: () => DONE } });
    const run = await ended.run(["task", "subscribe", "t-1", "--stream", "-o", "json"]);
    expect(run.json()).toEqual({ task: DONE });
    const silent = new ScriptedAgent({ card: { capabilities: {} }, answers: { GetTask: () => DONE } });
    expect((await silent.run(["task", "subscribe", "t-1", "-o", "json"])).json()).toEqual(DONE);
    expect(silent.calls).toEqual(["GetTask", "GetTask"]);
  });

  test("stops where the agent waits for somebody", async () => {
    const a = new ScriptedAgent({
      answers: {
        SubscribeToTask: () => new Elements([{ task: task("INPUT_REQUIRED") }, statusOf("WORKING")]),
      },
    });
    const run = await a.run(["task", "subscribe", "t-1", "--stream"]);
    expect([run.code, run.stdout]).toMatchObject([0, expect.stringContaining('--task-id t-1 "REPLY"')]);
    expect(run.stdout).not.toContain("WORKING");
  });

  test("speaks 0.3 too", async () => {
    const events = [
      { kind: "task", id: "t-1", contextId: "c-1", status: { state: "working" } },
      { kind: "status-update", taskId: "t-1", contextId: "c-1", status: { state: "completed" }, final: true },
    ];
    const a = new ScriptedAgent({
      card: legacyCard,
      answers: { "tasks/resubscribe": () => new Elements(events) },
    });
    const run = await a.run(["task", "subscribe", "t-1", "--stream", "--a2a-version", "0.3"]);
    expect(run.stdout).toContain("State: completed\n");
    expect(a.seen[0]?.params).toEqual({ id: "t-1" });
  });
});

describe("agents a2a task push-config", () => {
  const config = { taskId: "t-1", id: "p-1", url: "https://me.example/hook" };

  test("creates, shows, lists and deletes over both bindings", async () => {
    for (const [face, names] of [
      [
        RPC,
        [
          "CreateTaskPushNotificationConfig",
          "GetTaskPushNotificationConfig",
          "ListTaskPushNotificationConfigs",
          "DeleteTaskPushNotificationConfig",
        ],
      ],
      [
        REST,
        [
          "POST /tasks/t-1/pushNotificationConfigs",
          "GET /tasks/t-1/pushNotificationConfigs/p-1",
          "GET /tasks/t-1/pushNotificationConfigs",
          "DELETE /tasks/t-1/pushNotificationConfigs/p-1",
        ],
      ],
    ] as const) {
      const [create, get, list, remove] = names;
      const a = new ScriptedAgent({
        card: { supportedInterfaces: [face] },
        answers: {
          [create]: () => config,
          [get]: () => config,
          [list]: () => ({ configs: [config] }),
          [remove]: () =>
            new Response(face === RPC ? '{"jsonrpc":"2.0","id":1,"result":null}' : null, {
              headers: { "content-type": "application/json" },
            }),
        },
      });
      const hook = ["--url", config.url, "--token", "tok-123456", "--auth-scheme", "Bearer"];
      const made = await a.run(["task", "push-config", "create", "t-1", ...hook, "--debug", "-o", "json"]);
      expect(made.json()).toEqual(config);
      expect(made.stderr).not.toContain("tok-123456");
      expect(a.seen[0]?.params).toMatchObject({ token: "tok-123456", authentication: { scheme: "Bearer" } });
      const shown = "Task: t-1\nConfig: p-1\nURL: https://me.example/hook\n";
      expect((await a.run(["task", "push-config", "get", "t-1", "p-1"])).stdout).toBe(shown);
      expect((await a.run(["task", "push-config", "list", "t-1"])).stdout).toBe(shown);
      const gone = await a.run(["task", "push-config", "delete", "t-1", "p-1"]);
      expect([gone.code, gone.stdout]).toEqual([0, "Task: t-1\nDeleted: p-1\n"]);
      expect(a.calls).toEqual(names);
    }
  });

  test("asks no agent that declares no notifications, and sends no address that is none", async () => {
    const a = new ScriptedAgent({ card: { capabilities: {} } });
    const run = await a.run(["task", "push-config", "list", "t-1", "-o", "json"]);
    expect([run.code, run.json()]).toMatchObject([
      1,
      { error: { code: "PushNotificationNotSupportedError" } },
    ]);
    expect((await a.run(["task", "push-config", "create", "t-1", "--url", "nowhere"])).code).toBe(2);
    expect(a.calls).toEqual([]);
  });

  test("has the shapes of 0.3 there", async () => {
    const wrapped = { taskId: "t-1", pushNotificationConfig: { id: "p-1", url: config.url } };
    const a = new ScriptedAgent({
      card: legacyCard,
      answers: { "tasks/pushNotificationConfig/set": () => wrapped },
    });
    const argv = ["--url", config.url, "--auth-scheme", "Bearer", "--a2a-version", "0.3"];
    const run = await a.run(["task", "push-config", "create", "t-1", ...argv]);
    expect(run.stdout).toBe("Task: t-1\nConfig: p-1\nURL: https://me.example/hook\n");
    expect(a.seen[0]?.params).toEqual({
      taskId: "t-1",
      pushNotificationConfig: { url: config.url, authentication: { schemes: ["Bearer"] } },
    });
  });
});

describe("agents a2a task download", () => {
  const made = task("COMPLETED", {
    artifacts: [
      { artifactId: "a-1", name: "poem", parts: [{ text: "one " }, { text: "two" }, { data: { n: 1 } }] },
      {
        artifactId: "a-2",
        parts: [
          { raw: "aGVsbG8=", filename: "../../etc/.passwd" },
          { raw: "aGk=", filename: "passwd" },
          { url: "https://files.example/x" },
        ],
      },
    ],
  });
  const answers = { GetTask: () => made };

  test("saves texts, data and files inside of the folder, each under a name of its own", async () => {
    const run = await new ScriptedAgent({ answers }).run(["task", "download", "t-1", "--dir", "out"]);
    expect([...run.cli.written]).toEqual([
      ["out/poem.txt", "one two"],
      ["out/poem.json", '{\n  "n": 1\n}\n'],
      ["out/passwd", "hello"],
      ["out/passwd-2", "hi"],
    ]);
    expect(run.stdout).toContain("Saved: out/passwd, 5 B\n");
    expect(run.stdout).toContain("Link: https://files.example/x\n");
  });

  test("writes nothing where a file is there already, unless told to, and takes one artifact alone", async () => {
    const files = { "out/passwd": "mine" };
    const env = { A2ACLI_AGENT_CARD: ORIGIN };
    const argv = ["task", "download", "t-1", "--dir", "out"];
    const refused = await new ScriptedAgent({ answers }).run(argv, { files, env });
    expect([refused.code, refused.cli.written.size]).toEqual([2, 0]);
    const forced = await new ScriptedAgent({ answers }).run([...argv, "--force"], { files, env });
    expect(forced.cli.written.size).toBe(4);
    const one = await new ScriptedAgent({ answers }).run([...argv, "--artifact", "poem", "-o", "name"]);
    expect(one.stdout).toBe("out/poem.txt\nout/poem.json\n");
    expect((await new ScriptedAgent({ answers }).run([...argv, "--artifact", "x"])).code).toBe(2);
  });
});
