import { describe, expect, test } from "vitest";
import {
  AgentRefuses,
  Elements,
  ORIGIN,
  REST,
  RPC,
  ScriptedAgent,
  type ScriptedAgentOptions,
  statusOf,
  task,
} from "../testing/scripted-agent.ts";

const ARTIFACT = {
  artifactId: "a-1",
  name: "poem",
  parts: [
    { text: "one\n\ntwo\n" },
    { data: { n: [1] }, mediaType: "application/json" },
    { raw: "aGVsbG8=", filename: "h.txt", mediaType: "text/plain" },
    { url: "https://files.example/x", mediaType: "image/png" },
    { newKind: true },
  ],
  metadata: { unknownToUs: 1 },
};
const DONE = task("COMPLETED", { artifacts: [ARTIFACT], extra: { kept: true } });
const POLL = ["--poll-interval", "1ms"];

const agent = (answers: ScriptedAgentOptions["answers"], card: object = {}) =>
  new ScriptedAgent({ answers: answers ?? {}, card });
const send = (state: string) => ({ SendMessage: () => ({ task: task(state) }) });
const messageOf = (a: ScriptedAgent) => a.seen[0]?.params["message"] as Record<string, unknown>;

describe("agents a2a send waits", () => {
  test("until the task has ended, and prints it as it came", async () => {
    const states = ["SUBMITTED", "WORKING", "UNSPECIFIED"];
    const a = agent({
      ...send("SUBMITTED"),
      GetTask: (_, times) => (times < states.length ? task(states[times] ?? "") : DONE),
    });
    const run = await a.run(["send", "hi", ...POLL, "-o", "json"]);
    expect([run.code, run.json()]).toEqual([0, { task: DONE }]);
    expect(a.calls).toEqual(["SendMessage", "GetTask", "GetTask", "GetTask", "GetTask"]);
    // Known before the wait, so that it may be interrupted.
    expect(run.stderr).toBe("waiting for task t-1 of context c-1\n");
  });

  test.each(["INPUT_REQUIRED", "AUTH_REQUIRED"])(
    "no longer where the agent waits too: %s, with the command that goes on",
    async (state) => {
      const run = await agent({ ...send("WORKING"), GetTask: () => task(state) }).run([
        "send",
        "hi",
        ...POLL,
      ]);
      expect(run.code).toBe(0);
      expect(run.stdout).toBe(
        `Task: t-1\nContext: c-1\nState: TASK_STATE_${state}\nNext: agents a2a send -a ${ORIGIN} --task-id t-1 "REPLY"\n`,
      );
      expect(run.stderr).toContain(`warning: the task waits for you: TASK_STATE_${state}\n`);
    },
  );

  test.each(["FAILED", "REJECTED", "CANCELED"])("and ends with 0 and a warning for %s", async (state) => {
    const run = await agent(send(state)).run(["send", "hi", "-o", "json"]);
    expect([run.code, run.json()]).toEqual([0, { task: task(state) }]);
    expect(run.stderr).toBe(`warning: the task ended as TASK_STATE_${state}\n`);
  });

  test("not at all with --async, under each of its names, and says how to ask later", async () => {
    for (const flag of ["--async", "--no-wait", "--return-immediately"]) {
      const a = agent(send("WORKING"));
      const run = await a.run(["send", "hi", flag]);
      expect(run.stdout).toBe(
        `Task: t-1\nContext: c-1\nState: TASK_STATE_WORKING\nNext: agents a2a task get -a ${ORIGIN} t-1 --wait\n`,
      );
      expect(a.calls).toEqual(["SendMessage"]);
    }
    const waiting = agent({ ...send("WORKING"), GetTask: () => DONE });
    await waiting.run(["send", "hi", "--wait", ...POLL], {
      env: { A2ACLI_ASYNC: "true", A2ACLI_AGENT_CARD: ORIGIN },
    });
    expect(waiting.calls).toEqual(["SendMessage", "GetTask"]);
  });

  test("through failures that may pass, and ends with the first that does not", async () => {
    const patient = agent({
      ...send("WORKING"),
      GetTask: (_, times) => (times < 2 ? new Response("", { status: 503 }) : DONE),
    });
    expect((await patient.run(["send", "hi", ...POLL])).code).toBe(0);
    const gone = agent({
      ...send("WORKING"),
      GetTask: () => new AgentRefuses(-32001, 404, "TASK_NOT_FOUND"),
    });
    const run = await gone.run(["send", "hi", ...POLL, "-o", "json"]);
    expect([run.code, run.json()]).toMatchObject([
      1,
      { error: { code: "TaskNotFoundError", a2aCode: -32001 } },
    ]);
  });

  test("as long as --timeout says, and tells how to go on", async () => {
    const a = agent({ ...send("WORKING"), GetTask: () => task("WORKING") });
    const run = await a.run(["send", "hi", ...POLL, "--timeout", "50ms", "-o", "json"]);
    expect([run.code, run.json()]).toMatchObject([
      5,
      { error: { code: "A2ACLI_ERR_TIMEOUT", hint: `agents a2a task get -a ${ORIGIN} t-1 --wait` } },
    ]);
  });
});

describe("agents a2a send shows people", () => {
  test("every part of an artifact: texts and data as blocks, files by name, type and size", async () => {
    const run = await agent({ SendMessage: () => ({ task: DONE }) }).run(["send", "hi"]);
    expect(run.stdout).toBe(
      [
        "Task: t-1",
        "Context: c-1",
        "State: TASK_STATE_COMPLETED",
        "Artifact: a-1 (poem)",
        "Text:",
        "one",
        " ",
        "two",
        "",
        "Data:",
        '{\n  "n": [\n    1\n  ]\n}',
        "",
        "File: h.txt, text/plain, 5 B",
        "File: (no name), image/png, https://files.example/x",
        "Data:",
        '{\n  "newKind": true\n}',
        "",
        `Next: agents a2a send -a ${ORIGIN} --context-id c-1 "TEXT"`,
        "",
      ].join("\n"),
    );
  });

  test("the message of an agent that made no task, and nothing that moves a terminal", async () => {
    const message = { messageId: "m-1", role: "ROLE_AGENT", parts: [{ text: "a\u001b[2Jb" }] };
    const run = await agent({ SendMessage: () => ({ message }) }).run(["send", "hi"]);
    expect([run.code, run.stdout]).toEqual([0, "Message: m-1\nText:\na\\x1b[2Jb\n\n"]);
    const json = await agent({ SendMessage: () => ({ message }) }).run(["send", "hi", "-o", "json"]);
    expect(json.json()).toEqual({ message });
  });
});

describe("agents a2a send sends", () => {
  test("parts in the order in which they were given, each with its media type", async () => {
    const a = agent({ SendMessage: () => ({ task: DONE }) });
    const files = { "a.json": '{"k":1}', "report.bin": "PDF", "b.md": "# b" };
    const argv = ["--file", "report.bin", "--media-type", "application/pdf", "--text", "then"];
    await a.run(
      ["send", "first", ...argv, "--data", "a.json", "--file", "b.md", "--file", "https://x.example/p.png"],
      {
        files,
        env: { A2ACLI_AGENT_CARD: ORIGIN },
      },
    );
    expect(messageOf(a)).toEqual({
      messageId: expect.any(String),
      role: "ROLE_USER",
      parts: [
        { text: "first" },
        { raw: "UERG", filename: "report.bin", mediaType: "application/pdf" },
        { text: "then" },
        { data: { k: 1 }, mediaType: "application/json" },
        { raw: "IyBi", filename: "b.md", mediaType: "text/markdown" },
        { url: "https://x.example/p.png", filename: "p.png", mediaType: "image/png" },
      ],
    });
    expect(a.seen[0]?.headers.get("a2a-version")).toBe("1.0");
  });

  test("text or data from stdin, ids as they were given and none that it made up, and metadata", async () => {
    const a = agent({ SendMessage: () => ({ task: DONE }) });
    await a.run(["send", "-", "--task-id", "t-1", "--context-id", "c-1", "--metadata", '{"k":[1]}'], {
      stdin: "from stdin\n",
    });
    expect(a.seen[0]?.params).toMatchObject({
      message: { parts: [{ text: "from stdin" }], taskId: "t-1", contextId: "c-1" },
      metadata: { k: [1] },
    });
    await a.run(["send", "--data", "-", "--svc-param", "x-trace-id: abc"], { stdin: "[1,2]" });
    expect(a.seen[1]?.params).toEqual({
      message: {
        messageId: expect.any(String),
        role: "ROLE_USER",
        parts: [{ data: [1, 2], mediaType: "application/json" }],
      },
      configuration: { returnImmediately: true },
    });
    expect(a.seen[1]?.headers.get("x-trace-id")).toBe("abc");
  });

  test.each([
    [["send"]],
    [["send", "--media-type", "text/plain", "--text", "x"]],
    [["send", "x", "--media-type", "text/plain"]],
    [["send", "-", "--data", "-"]],
    [["send", "x", "--metadata", "[1]"]],
    [["send", "x", "--data", "missing.json"]],
    [["send", "x", "--file", "missing.bin"]],
    [["send", "x", "--svc-param", "no colon"]],
    [["send", "x", "--transport", "carrier-pigeon"]],
    [["send", "x", "--timeout", "soon"]],
    [["send", "x", "--poll-interval", "0"]],
    [["send", "x", "--stream", "--async"]],
    [["send", "x", "--unknown"]],
    [["send", "x", "--a2a-version", "2.0"]],
    [["task", "get"]],
    [["task", "get", "t-1", "--history", "many"]],
    [["nothing"]],
  ])("nothing that is written wrongly: %j is wrong usage", async (argv) => {
    const a = agent({ SendMessage: () => ({ task: DONE }), GetTask: () => DONE });
    const run = await a.run([...argv, "-o", "json"]);
    expect([run.code, run.json()]).toMatchObject([2, { error: { code: "A2ACLI_ERR_USAGE", a2aCode: null } }]);
    expect(a.calls).toEqual([]);
  });
});

describe("agents a2a send --stream", () => {
  const begun = [{ task: task("SUBMITTED") }, statusOf("WORKING")];
  const chunk = {
    artifactUpdate: {
      taskId: "t-1",
      contextId: "c-1",
      append: true,
      artifact: { artifactId: "a-1", parts: [{ text: "x" }] },
    },
  };
  const lines = (text: string) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);

  test("prints each event as one line, the last one with the state that it ends in", async () => {
    const events = [...begun, chunk, statusOf("COMPLETED")];
    const a = agent({ SendStreamingMessage: () => new Elements([...events, statusOf("WORKING")]) });
    const run = await a.run(["send", "hi", "--stream", "-o", "json"]);
    expect([run.code, lines(run.stdout)]).toEqual([0, events]);
    const text = await agent({ SendStreamingMessage: () => new Elements(events) }).run([
      "send",
      "hi",
      "--stream",
    ]);
    expect(text.stdout.split("Task: ")).toHaveLength(5);
    expect(text.stdout).toContain("Artifact: a-1, continued\nText:\nx\n\n");
    expect(text.stdout).toMatch(/Task: t-1\nContext: c-1\nState: TASK_STATE_COMPLETED\nNext: .*\n$/);
  });

  test("ends with the one message of an agent that made no task", async () => {
    const message = { messageId: "m-1", role: "ROLE_AGENT", parts: [{ text: "hi" }] };
    const run = await agent({ SendStreamingMessage: () => new Elements([{ message }]) }).run([
      "send",
      "hi",
      "--stream",
      "-o",
      "json",
    ]);
    expect([run.code, lines(run.stdout)]).toEqual([0, [{ message }]]);
  });

  test("takes a stream that was lost up again, and asks after the task where that does not work", async () => {
    const resumed = agent({
      SendStreamingMessage: () => new Elements(begun, true),
      SubscribeToTask: (_, times) =>
        new Elements(
          times === 0 ? [{ task: task("WORKING") }] : [{ task: task("WORKING") }, statusOf("COMPLETED")],
        ),
    });
    const run = await resumed.run(["send", "hi", "--stream", "-o", "json", ...POLL]);
    expect(resumed.calls).toEqual(["SendStreamingMessage", "SubscribeToTask", "SubscribeToTask"]);
    expect(lines(run.stdout).at(-1)).toEqual(statusOf("COMPLETED"));
    expect(run.stderr).toContain("the stream was lost");
    const ended = agent({
      SendStreamingMessage: () => new Elements(begun),
      SubscribeToTask: () => new AgentRefuses(-32004, 400, "UNSUPPORTED_OPERATION"),
      GetTask: () => DONE,
    });
    const polled = await ended.run(["send", "hi", "--stream", "-o", "json", ...POLL]);
    expect([polled.code, lines(polled.stdout).at(-1)]).toEqual([0, { task: DONE }]);
  });

  test("asks again and again where the agent does not stream, and never tries to", async () => {
    const a = agent(
      { ...send("WORKING"), GetTask: (_, times) => (times === 0 ? task("WORKING") : DONE) },
      { capabilities: {} },
    );
    const run = await a.run(["send", "hi", "--stream", "-o", "json", ...POLL]);
    expect(lines(run.stdout)).toEqual([{ task: task("WORKING") }, { task: DONE }]);
    expect(a.calls).toEqual(["SendMessage", "GetTask", "GetTask"]);
  });

  test.each([
    [RPC, "SendStreamingMessage"],
    [REST, "POST /message:stream"],
  ])("prints an error that ends the stream as the last line: %o", async (face, call) => {
    const broken = new Elements([...begun, new AgentRefuses(-32603, 500, "INTERNAL_ERROR")]);
    const a = agent({ [call]: () => broken }, { supportedInterfaces: [face] });
    const run = await a.run(["send", "hi", "--stream", "-o", "json"]);
    expect([run.code, lines(run.stdout)]).toMatchObject([1, [{}, {}, { error: { code: "InternalError" } }]]);
  });

  test("is a flag only: no variable turns it on", async () => {
    const a = agent({ SendMessage: () => ({ task: DONE }) });
    await a.run(["send", "hi"], { env: { A2ACLI_STREAM: "1", A2ACLI_AGENT_CARD: ORIGIN } });
    expect(a.calls).toEqual(["SendMessage"]);
  });
});

describe("agents a2a send speaks", () => {
  test("HTTP+JSON where the caller or the card prefers that, a tenant in its place", async () => {
    const rest = {
      "POST /acme%20inc/message:send": () => ({ task: DONE }),
      "POST /message:send": () => ({ task: DONE }),
    };
    const a = agent(rest, { supportedInterfaces: [RPC, { ...REST, tenant: "acme inc" }] });
    const run = await a.run(["send", "hi", "--transport", "GRPC", "--transport", "http+json", "-o", "json"]);
    expect([run.code, run.json()]).toEqual([0, { task: DONE }]);
    expect(a.calls).toEqual(["POST /acme%20inc/message:send"]);
    expect(a.seen[0]?.params["tenant"]).toBeUndefined();
    const b = agent(rest, { supportedInterfaces: [{ ...REST, protocolBinding: "GRPC" }, REST, RPC] });
    await b.run(["send", "hi"]);
    expect(b.calls).toEqual(["POST /message:send"]);
    const c = agent(
      { SendMessage: () => ({ task: DONE }) },
      { supportedInterfaces: [{ ...RPC, tenant: "acme" }] },
    );
    await c.run(["send", "hi"]);
    expect(c.seen[0]?.params["tenant"]).toBe("acme");
  });

  test("0.3 where it is asked for, over both bindings, and prints what comes as it came", async () => {
    const legacy = { protocolVersion: "0.3.0" };
    const interfaces = {
      supportedInterfaces: [
        { ...RPC, ...legacy },
        { ...REST, ...legacy },
      ],
    };
    const result = { kind: "task", id: "t-1", contextId: "c-1", status: { state: "completed" } };
    const rpc = agent({ "message/send": () => result }, interfaces);
    const files = { "a.bin": "A", "d.json": '{"k":1}' };
    const argv = ["send", "hi", "--file", "a.bin", "--data", "d.json", "--a2a-version", "0.3", "-o", "json"];
    const env = { A2ACLI_AGENT_CARD: ORIGIN };
    expect((await rpc.run(argv, { files, env })).json()).toEqual(result);
    expect(rpc.seen[0]?.params).toMatchObject({
      configuration: { blocking: false },
      message: {
        kind: "message",
        role: "user",
        parts: [
          { kind: "text", text: "hi" },
          { kind: "file", file: { bytes: "QQ==", name: "a.bin" } },
          { kind: "data", data: { k: 1 } },
        ],
      },
    });
    expect(rpc.seen[0]?.headers.get("a2a-version")).toBe("0.3");
    const rest = agent({ "POST /v1/message:send": () => ({ task: DONE }) }, interfaces);
    const run = await rest.run([...argv, "--transport", "HTTP+JSON"], { files, env });
    expect(run.json()).toEqual({ task: DONE });
    expect(rest.seen[0]?.params).toMatchObject({
      message: {
        role: "ROLE_USER",
        content: [{ text: "hi" }, { file: { fileWithBytes: "QQ==" } }, { data: { data: { k: 1 } } }],
      },
    });
  });

  test("no version that was not asked for: an agent of 0.3 alone is an error that names the flag", async () => {
    const a = agent({}, { supportedInterfaces: [{ ...RPC, protocolVersion: "0.3" }] });
    const run = await a.run(["send", "hi", "-o", "json"]);
    expect([run.code, run.json()]).toMatchObject([
      1,
      { error: { code: "VersionNotSupportedError", hint: expect.stringContaining("--a2a-version 0.3") } },
    ]);
    const grpc = agent({}, { supportedInterfaces: [{ ...RPC, protocolBinding: "GRPC" }] });
    expect((await grpc.run(["send", "hi", "-o", "json"])).code).toBe(3);
  });

  test.each([
    ["TaskNotFoundError", -32001, 404, "TASK_NOT_FOUND"],
    ["TaskNotCancelableError", -32002, 400, "TASK_NOT_CANCELABLE"],
    ["PushNotificationNotSupportedError", -32003, 400, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
    ["UnsupportedOperationError", -32004, 400, "UNSUPPORTED_OPERATION"],
    ["ContentTypeNotSupportedError", -32005, 400, "CONTENT_TYPE_NOT_SUPPORTED"],
    ["InvalidAgentResponseError", -32006, 500, "INVALID_AGENT_RESPONSE"],
    ["ExtendedAgentCardNotConfiguredError", -32007, 400, "EXTENDED_AGENT_CARD_NOT_CONFIGURED"],
    ["ExtensionSupportRequiredError", -32008, 400, "EXTENSION_SUPPORT_REQUIRED"],
    ["VersionNotSupportedError", -32009, 400, "VERSION_NOT_SUPPORTED"],
    ["InvalidParamsError", -32602, 400, ""],
    ["InternalError", -32603, 500, ""],
  ])("the same of both bindings: %s", async (name, code, status, reason) => {
    const refuses = () => new AgentRefuses(code, status, reason);
    for (const [face, call] of [
      [RPC, "SendMessage"],
      [REST, "POST /message:send"],
    ] as const) {
      const a = agent({ [call]: refuses }, { supportedInterfaces: [face] });
      const run = await a.run(["send", "hi", "--task-id", "t-1", "-o", "json"]);
      expect([run.code, run.json()]).toMatchObject([1, { error: { code: name, hint: expect.any(String) } }]);
      // A rejected id is told; no other task is begun.
      expect(a.calls).toEqual([call]);
    }
  });
});

describe("a credential", () => {
  const card = {
    securitySchemes: {
      token: { httpAuthSecurityScheme: { scheme: "Bearer" } },
      key: { apiKeySecurityScheme: { location: "query", name: "k" } },
    },
    securityRequirements: [{ schemes: { token: { list: [] } } }],
  };

  test("is sent as the card declares it, by flag before variable", async () => {
    const a = agent({ SendMessage: () => ({ task: DONE }) }, card);
    await a.run(["send", "hi"], { env: { A2ACLI_BEARER: "from-env", A2ACLI_AGENT_CARD: ORIGIN } });
    await a.run(["send", "hi", "--bearer", "from-flag"], {
      env: { A2ACLI_BEARER: "from-env", A2ACLI_AGENT_CARD: ORIGIN },
    });
    expect(a.seen.map(({ headers }) => headers.get("authorization"))).toEqual([
      "Bearer from-env",
      "Bearer from-flag",
    ]);
  });

  test("is sent to an agent whose card spells its schemes as the official SDK serves them", async () => {
    const value = { description: "", scheme: "Bearer", bearerFormat: "" };
    const a = agent(send("COMPLETED"), {
      securitySchemes: { token: { scheme: { $case: "httpAuthSecurityScheme", value } } },
      securityRequirements: [{ schemes: { token: { list: [] } } }],
    });
    expect((await a.run(["send", "hi", "--bearer", "t"])).code).toBe(0);
    expect(a.seen[0]?.headers.get("authorization")).toBe("Bearer t");
  });

  test("that is missing, or that is refused, ends with 4 on either binding", async () => {
    const missing = agent({}, card);
    const run = await missing.run(["send", "hi", "-o", "json"]);
    expect([run.code, run.json()]).toMatchObject([4, { error: { code: "A2ACLI_ERR_CREDENTIALS_MISSING" } }]);
    expect(missing.calls).toEqual([]);
    const refuse = () => Response.json({ error: { code: 401, message: "no" } }, { status: 401 });
    for (const face of [RPC, REST]) {
      const a = agent(
        { SendMessage: refuse, "POST /message:send": refuse },
        { ...card, supportedInterfaces: [face] },
      );
      const refused = await a.run(["send", "hi", "--bearer", "wrong-token", "-o", "json"]);
      expect([refused.code, refused.json()]).toMatchObject([
        4,
        { error: { code: "A2ACLI_ERR_AUTH_FAILED" } },
      ]);
    }
  });

  test("of the settings stays at home where a card asks for none; by flag that is a mistake", async () => {
    const a = agent({ SendMessage: () => ({ task: DONE }) });
    const env = { A2ACLI_BEARER: "secret-token", A2ACLI_AGENT_CARD: ORIGIN };
    expect((await a.run(["send", "hi"], { env })).code).toBe(0);
    expect(a.seen[0]?.headers.get("authorization")).toBeNull();
    expect((await a.run(["send", "hi", "--bearer", "secret-token"])).code).toBe(2);
  });

  test("is not in what --debug shows, nor are service parameters and what an agent repeats", async () => {
    const echo = { task: { ...DONE, metadata: { heard: "secret-token", apiKey: "k-9" } } };
    const a = agent({ SendMessage: () => echo }, card);
    const argv = ["send", "hi", "--debug", "--verbose", "--svc-param", "x-auth: hidden-value", "-o", "json"];
    const run = await a.run([...argv, "--bearer", "secret-token"]);
    expect(run.stderr).toContain(`--> POST ${ORIGIN}/rpc`);
    expect(run.stderr).toContain("--> a2a-version: 1.0");
    expect(run.stderr).toContain('"method":"SendMessage"');
    expect(run.stderr).toContain("<-- 200 after ");
    expect(run.stderr).toContain('"TASK_STATE_COMPLETED"');
    for (const secret of ["secret-token", "hidden-value", "k-9"]) expect(run.stderr).not.toContain(secret);
    expect(run.json()).toEqual(echo);
  });

  test("is sent with a warning where certificates are not verified", async () => {
    const a = agent({ SendMessage: () => ({ task: DONE }) }, card);
    const run = await a.run(["send", "hi", "--insecure", "--bearer", "t"]);
    expect(run.cli.trustsAnyCertificate).toBe(true);
    expect(run.stderr).toContain("warning: certificates are not verified (--insecure)");
    const safe = await a.run(["send", "hi", "--bearer", "t"]);
    expect([safe.cli.trustsAnyCertificate, safe.stderr]).toEqual([false, ""]);
  });
});
