import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Caller, type LiveAgent, type TaskJson } from "./a2a-cli-live.ts";

export interface Agents {
  /** Asks nobody who they are. */
  readonly open: () => Promise<LiveAgent>;
  /** Without streams. */
  readonly quiet: () => Promise<LiveAgent>;
  /** Wants a token. */
  readonly guarded: () => Promise<LiveAgent & { readonly token: string }>;
}

const SLOW = 180_000;
const stateOf = ({ status }: TaskJson) => status.state.replace(/^TASK_STATE_/, "");
const UNKNOWN = "01J9K2TQ4M8R3V5W7X9Y0Z1A2B";
const errorOf = (json: Record<string, unknown>) => json["error"] as { code: string; hint?: string };

/**
 * The a2a-cli specification's registry of requirements, item by item, by the built command before a live agent. What an
 * agent that does as it should cannot provoke (a stream that is cut, an issuer of tokens) is in the command's own tests.
 */
export function registry(name: string, agents: Agents): void {
  describe(`the registry of a2a-cli, before ${name}`, () => {
    let agent: LiveAgent;
    beforeAll(async () => {
      agent = await agents.open();
    }, SLOW);
    afterAll(() => agent[Symbol.asyncDispose]());
    const item = (title: string, body: (caller: Caller, url: string) => Promise<void>) =>
      test(title, { timeout: SLOW }, async () => {
        await using caller = new Caller(agent.url);
        await body(caller, agent.url);
      });

    item(
      "CARD_GET_001, 002: a card by host, address and file, and against the schema",
      async (caller, url) => {
        const address = `${url}/.well-known/agent-card.json`;
        const byHost = await caller.a2a("card", "get", url, "-o", "json");
        const file = caller.file("card.json", byHost.stdout);
        const others = await Promise.all(
          [address, file, `file://${file}`].map((from) => caller.a2a("card", "get", from, "-o", "json")),
        );
        expect([byHost, ...others].map(({ code, json }) => [code, json["name"]])).toEqual(
          Array.from({ length: 4 }, () => [0, byHost.json["name"]]),
        );
        expect(byHost.json["name"]).toEqual(expect.any(String));
        expect(await caller.a2a("card", "get", url, "--validate")).toMatchObject({ code: 0 });
      },
    );

    item(
      "SEND_001, INTERACT_001, 003, 004, OUT_001: ids that go on, and nothing else on stdout",
      async (caller) => {
        const first = await caller.a2a("send", "echo hello");
        expect([first.code, first.field("State")]).toEqual([0, "TASK_STATE_COMPLETED"]);
        // What is said while it waits is no result.
        expect(first.stderr.replace(/^waiting for task .*\n/, "")).toBe("");
        expect(first.stdout).toContain("\nText:\necho hello\n\n");
        const next = await caller.shell(first.field("Next") ?? "false");
        expect([next.code, next.field("Context")]).toEqual([0, first.field("Context")]);
        expect(next.field("Task")).not.toBe(first.field("Task"));
        const wire = await caller.a2a("send", "echo hello", "--debug");
        const sent = wire.stderr.split("\n").find((line) => /^--> .*"parts"/.test(line)) ?? "";
        expect(sent).not.toBe("");
        expect(sent).not.toMatch(/taskId|contextId/);
      },
    );

    item("INTERACT_002: an answer to a task, and an id that is refused makes no task", async (caller) => {
      const asked = await caller.a2a("send", "ask");
      expect([asked.code, asked.field("State")]).toEqual([0, "TASK_STATE_INPUT_REQUIRED"]);
      expect(asked.stderr).toContain("warning: the task waits for you");
      const id = asked.field("Task") ?? "";
      const answered = await caller.a2a("send", "echo Rex", "--task-id", id);
      expect([answered.field("Task"), answered.field("State")]).toEqual([id, "TASK_STATE_COMPLETED"]);
      const wrong = await caller.a2a("send", "Rex", "--task-id", UNKNOWN, "-o", "json");
      expect([wrong.code, errorOf(wrong.json).code]).toEqual([1, "TaskNotFoundError"]);
      expect(errorOf(wrong.json).hint).toContain("--debug");
      const context = answered.field("Context") ?? "";
      const { json } = await caller.a2a("task", "list", "--context-id", context, "-o", "json");
      expect((json["tasks"] as TaskJson[]).map((task) => task.id)).toEqual([id]);
    });

    item("INTERACT_005, CONFIG_001: nothing is kept of what was said", async (caller) => {
      await caller.a2a("send", "echo hello");
      expect(caller.kept()).toEqual([]);
      expect((await caller.a2a("send", "hi", "--continue")).code).toBe(2);
    });

    item(
      "SEND_002, OUT_006, TASK_POLL_001: --async leaves with the ids, and the task is asked for later",
      async (caller) => {
        const left = await caller.a2a("send", "slow-600s", "--async", "-o", "json");
        const task = (left.json["task"] ?? left.json) as TaskJson;
        expect([left.code, task.id, task.contextId]).toEqual([0, expect.any(String), expect.any(String)]);
        expect(stateOf(await caller.task("task", "get", task.id))).toMatch(/SUBMITTED|WORKING/);
        const waiting = caller.a2a("task", "get", task.id, "--wait", "--poll-interval", "100ms");
        expect(stateOf(await caller.task("task", "cancel", task.id))).toBe("CANCELED");
        expect(await waiting).toMatchObject({
          code: 0,
          stdout: expect.stringContaining("TASK_STATE_CANCELED"),
        });
      },
    );

    item("TASK_POLL_002: a wait ends with --timeout, and its task is not lost", async (caller) => {
      const ran = await caller.a2a(
        "send",
        "slow-600s",
        "--timeout",
        "3s",
        "--poll-interval",
        "50ms",
        "-o",
        "json",
      );
      const id = /task (\S+)/.exec(ran.stderr)?.[1] ?? "";
      expect([ran.code, errorOf(ran.json).code]).toEqual([5, "A2ACLI_ERR_TIMEOUT"]);
      expect(stateOf(await caller.task("task", "get", id))).toBe("WORKING");
      await caller.a2a("task", "cancel", id);
    });

    item(
      "TASK_POLL_003, EXIT_002: a wait ends where the agent waits or gives up, with 0 and a warning",
      async (caller) => {
        for (const [words, state] of [
          ["ask", "INPUT_REQUIRED"],
          ["auth-600", "AUTH_REQUIRED"],
          ["boom", "FAILED"],
          ["reject", "REJECTED"],
        ] as const) {
          const ran = await caller.a2a("send", words);
          expect([words, ran.code, ran.field("State")]).toEqual([words, 0, `TASK_STATE_${state}`]);
          expect(ran.stderr).toContain("warning: ");
        }
      },
    );

    item(
      "SEND_003, OUT_003, TASK_POLL_004: --stream is a line for each event, ended by the task's end",
      async (caller) => {
        for (const binding of ["JSONRPC", "HTTP+JSON"]) {
          const ran = await caller.a2a("send", "burst-3", "--stream", "-o", "json", "--transport", binding);
          const last = (ran.lines.at(-1)?.["statusUpdate"] ?? ran.lines.at(-1)?.["task"]) as TaskJson;
          expect([binding, ran.code, ran.lines.length, stateOf(last)]).toEqual([
            binding,
            0,
            expect.any(Number),
            "COMPLETED",
          ]);
          expect(ran.lines.length).toBeGreaterThanOrEqual(4);
          expect(ran.lines.every((line) => Object.keys(line).length > 0)).toBe(true);
        }
        for (const flags of [[], ["--stream"]]) {
          const message = await caller.a2a("send", "msg", ...flags, "-o", "json");
          expect([message.code, message.lines.at(-1)]).toMatchObject([0, {}]);
          expect(message.stdout).toContain("A message is all you get.");
        }
      },
    );

    item(
      "SEND_004, 005, 006: parts keep their order and their types, and come back whole",
      async (caller) => {
        caller.file("a.json", '{"n":[1]}');
        caller.file("b.bin", "bytes\n");
        const task = await caller.task(
          ...["send", "echo it", "--data", "a.json", "--media-type", "text/vnd.x"],
          ...["--file", "b.bin", "--media-type", "image/x-b", "--text", "last"],
        );
        expect(task.artifacts?.[0]?.parts).toMatchObject([
          { text: "echo it" },
          { data: { n: [1] }, mediaType: "text/vnd.x" },
          { raw: Buffer.from("bytes\n").toString("base64"), mediaType: "image/x-b", filename: "b.bin" },
          { text: "last" },
        ]);
        const people = await caller.a2a("task", "get", task.id);
        expect(people.stdout).toMatch(
          /Text:\necho it\n\nData:\n\{\n {2}"n": \[\n[^}]*\}\n\nFile: b.bin, image\/x-b, 6 B\nText:\nlast\n/,
        );
      },
    );

    item(
      "TASK_GET_001, DOWNLOAD_001: a task with what it made and was told, and its files",
      async (caller) => {
        const { id } = await caller.task("send", "echo to be kept");
        const task = await caller.task("task", "get", id, "--history", "5");
        expect([task.artifacts?.[0]?.artifactId, task.history?.length ?? 0]).toEqual([
          "echo",
          expect.any(Number),
        ]);
        expect(task.history?.length).toBeGreaterThan(0);
        const saved = await caller.a2a("task", "download", id, "--dir", "out");
        expect([saved.code, saved.field("Saved")]).toEqual([0, "out/echo.txt, 15 B"]);
        expect(caller.read("out/echo.txt")).toBe("echo to be kept");
      },
    );

    item("TASK_CANCEL_001: asked twice it is cancelled, and says so", async (caller) => {
      const { id } = await caller.task("send", "slow-600s", "--async");
      const cancel = () => caller.a2a("task", "cancel", id);
      const [first, again] = [await cancel(), await cancel()];
      expect([first.code, first.field("State")]).toEqual([0, "TASK_STATE_CANCELED"]);
      // A2A lets an agent refuse what has ended (§10.4 of a2a-cli); the state is told either way.
      expect(`${again.stdout}${again.stderr}`).toContain("TASK_STATE_CANCELED");
    });

    item("OUT_002, 004, TX_001, 002, 004: one document, and one error, over each binding", async (caller) => {
      const ran = async (...flags: string[]) =>
        caller.a2a("task", "get", UNKNOWN, "-o", "json", "--debug", ...flags);
      const runs = await Promise.all([
        ran(),
        ran("--transport", "JSONRPC"),
        ran("--transport", "HTTP+JSON"),
        ran("--transport", "GRPC", "--transport", "HTTP+JSON"),
      ]);
      expect(runs.map(({ code, json }) => [code, errorOf(json).code])).toEqual(
        Array.from({ length: 4 }, () => [1, "TaskNotFoundError"]),
      );
      const spoken = runs.map(({ stderr }) => /^\.\.\. (\S+) 1\.0 at /m.exec(stderr)?.[1]);
      expect(spoken.slice(1)).toEqual(["JSONRPC", "HTTP+JSON", "HTTP+JSON"]);
      const card = await caller.a2a("card", "get", "-o", "json");
      const faces = card.json["supportedInterfaces"] as { protocolBinding: string }[];
      expect(spoken[0]).toBe(
        faces.find(({ protocolBinding }) => protocolBinding !== "GRPC")?.protocolBinding,
      );
    });

    item("OUT_005: a label and a value on each line, and no control characters", async (caller) => {
      const { stdout } = await caller.a2a("send", "echo hello", "--stream");
      expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
      for (const block of stdout
        .replace(/^(Text|Data):\n(?:.+\n)*\n/gm, "")
        .trimEnd()
        .split("\n"))
        expect(block).toMatch(/^[A-Z][A-Za-z-]*: \S/);
    });

    item("OUT_007, VER_001: --debug shows the wire, and each request says its version", async (caller) => {
      for (const version of ["1.0", "0.3"]) {
        const { code, stderr } = await caller.a2a("send", "echo hello", "--debug", "--a2a-version", version);
        expect([code, stderr.match(/^--> a2a-version: (.*)$/gm)]).toEqual([
          0,
          expect.arrayContaining([`--> a2a-version: ${version}`]),
        ]);
        expect(new Set(stderr.match(/^--> a2a-version: (.*)$/gm)).size).toBe(1);
        expect(stderr.match(/^--> (GET|POST) /gm)?.length).toBe(stderr.match(/^--> a2a-version: /gm)?.length);
      }
    });

    item(
      "EXIT_001, CLI_001, 002, DEFAULT_001, CONFIG_002: usage, help, defaults, and where settings are from",
      async (caller, url) => {
        const [usage, help, version, script, settings, nobody] = await Promise.all([
          caller.a2a("send", "--no-such-flag", "-o", "json"),
          caller.a2a("send", "--help"),
          caller.a2a("--version"),
          caller.place.agents(["completion", "bash"]),
          caller.a2a("config", "show", "-o", "json", "--poll-interval", "1s"),
          caller.a2a("send", "hi", "-a", "http://127.0.0.1:9", "-o", "json"),
        ]);
        expect([usage.code, errorOf(usage.json).code]).toEqual([2, "A2ACLI_ERR_USAGE"]);
        expect(help.stdout).toMatch(/--a2a-version V .*1\.0/);
        expect([version.code, script.code]).toEqual([0, 0]);
        expect(settings.stdout).toContain(url);
        expect(settings.stdout).toMatch(/"environment"[\s\S]*"flag"|"flag"[\s\S]*"environment"/);
        expect([nobody.code, errorOf(nobody.json).code]).toEqual([3, "A2ACLI_ERR_UNREACHABLE"]);
      },
    );

    item("TASK_LIST_001: page by page, by state and by context", async (caller) => {
      const first = await caller.task("send", "echo 1");
      const here = ["--context-id", first.contextId];
      const tasks = [
        first,
        await caller.task("send", "echo 2", ...here),
        await caller.task("send", "ask", ...here),
      ];
      const list = (...flags: string[]) => caller.a2a("task", "list", ...here, ...flags);
      const page = await list("--page-size", "2", "-o", "json");
      expect((page.json["tasks"] as object[]).length).toBe(2);
      const token = String(page.json["nextPageToken"]);
      const rest = await list("--page-size", "2", "--page-token", token, "-o", "json");
      const ids = [page, rest].flatMap(({ json }) => (json["tasks"] as TaskJson[]).map(({ id }) => id));
      expect(ids.sort()).toEqual(tasks.map(({ id }) => id).sort());
      const done = await list("--status", "completed");
      expect(done.stdout.match(/^State: TASK_STATE_COMPLETED$/gm)?.length).toBe(2);
      const all = await caller.a2a("task", "list", "-o", "name");
      expect(all.stdout).toContain(first.id);
    });

    item("TASK_SUBSCRIBE_001, 002: the task first, then what happens, to its end", async (caller) => {
      const { id } = await caller.task("send", "slow-600s", "--async");
      const following = caller.a2a("task", "subscribe", id, "--stream", "-o", "json");
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await caller.a2a("task", "cancel", id);
      const { code, lines } = await following;
      expect([code, lines[0]]).toMatchObject([0, { task: { id } }]);
      expect(JSON.stringify(lines.at(-1))).toContain("TASK_STATE_CANCELED");
    });

    item("PUSH_001: a configuration is made, read, listed and taken away", async (caller) => {
      const { id } = await caller.task("send", "ask");
      const push = (verb: string, ...args: string[]) => caller.a2a("task", "push-config", verb, id, ...args);
      const made = await push("create", "--url", "https://93.184.215.14/hook", "--id", "hook");
      const shown = `Task: ${id}\nConfig: hook\nURL: https://93.184.215.14/hook\n`;
      expect([made.code, (await push("get", "hook")).stdout, (await push("list")).stdout]).toEqual([
        0,
        shown,
        shown,
      ]);
      expect([(await push("delete", "hook")).code, (await push("list")).stdout]).toEqual([
        0,
        expect.not.stringContaining("hook"),
      ]);
    });

    item("CONFORM_001: the smoke check passes", async (caller, url) => {
      const ran = await caller.a2a("conformance", url, "-o", "json");
      expect([ran.json["checks"], ran.code]).toEqual([
        expect.not.arrayContaining([expect.objectContaining({ status: "fail" })]),
        0,
      ]);
    });

    test("VER_003, SEND_003: what the card does not declare is not asked for", {
      timeout: SLOW,
    }, async () => {
      await using agent = await agents.quiet();
      await using caller = new Caller(agent.url);
      const sent = await caller.a2a("send", "echo hello", "--stream", "--debug");
      expect([sent.code, sent.stdout]).toEqual([0, expect.stringContaining("TASK_STATE_COMPLETED")]);
      expect(sent.stderr).not.toMatch(/SendStreamingMessage|message:stream/);
    });

    test("AUTH_001 to 004: a credential as the card declares it, from a variable, never shown", {
      timeout: SLOW,
    }, async () => {
      await using agent = await agents.guarded();
      await using caller = new Caller(agent.url);
      const list = (...flags: string[]) => caller.a2a("task", "list", "-o", "json", "--debug", ...flags);
      const [none, wrong] = await Promise.all([list(), list("--bearer", "wrong-token-of-mine")]);
      expect([none.code, errorOf(none.json).code]).toEqual([4, "A2ACLI_ERR_CREDENTIALS_MISSING"]);
      expect([wrong.code, errorOf(wrong.json).code]).toEqual([4, "A2ACLI_ERR_AUTH_FAILED"]);
      expect(wrong.stderr + wrong.stdout).not.toContain("wrong-token-of-mine");
      await using known = new Caller(agent.url, { A2ACLI_BEARER: agent.token });
      const right = await known.a2a("task", "list", "-o", "json", "--debug", "--insecure");
      expect([right.code, right.json]).toMatchObject([0, { tasks: [] }]);
      expect(right.stderr).not.toContain(agent.token);
      expect(right.stderr).toContain("warning: certificates are not verified");
    });
  });
}
