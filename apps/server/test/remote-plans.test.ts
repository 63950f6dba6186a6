import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RemoteAgents } from "@cleveragents/application";
import { HttpRemoteAgents } from "@cleveragents/infrastructure/a2a-agents";
import { eventOf, logOf } from "@cleveragents/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Altered, openAltered } from "./altered-server.ts";
import { atRest } from "./llm-server.ts";
import { type Does, type SampleAgent, startSampleAgent } from "./sample-agent.ts";

const HELLO = {
  raw: Buffer.from("Hello\n").toString("base64"),
  filename: "hello.txt",
  mediaType: "text/plain",
};
const GREETING: Does = (_text, agent) => {
  agent.status("WORKING", "I write.");
  agent.artifact({ artifactId: "a", name: "hello", parts: [HELLO] });
  agent.status("COMPLETED", "It is written.");
};

const example = (name: string) => readFile(new URL(`../../../examples/${name}`, import.meta.url), "utf8");

let server: Altered;
let dataDir: string;
let opened = 0;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "remote-"));
  await mkdir(join(dataDir, "keys"));
  server = await openAltered(() => ({
    remoteAgents: cutOff(new HttpRemoteAgents({ env: {}, dataDir, loopback: () => true })),
  }));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true });
});

/** Nobody hears that a message was taken, as long as this is set. */
let deaf = false;

function cutOff(agents: RemoteAgents): RemoteAgents {
  return {
    probe: (actor, signal) => agents.probe(actor, signal),
    async open(actor, signal) {
      const agent = await agents.open(actor, signal);
      return {
        async send(message, until) {
          const never = deaf;
          const sent = await agent.send(message, until);
          if (never) await new Promise(() => {});
          return sent;
        },
        say: (message, until) => agent.say(message, until),
        follow: (place, until) => agent.follow(place, until),
        find: (messageId, place, until) => agent.find(messageId, place, until),
        cancel: (place, until) => agent.cancel(place, until),
        download: (url, atMost, until) => agent.download(url, atMost, until),
      };
    },
  };
}

interface Elsewhere extends AsyncDisposable {
  readonly agent: SampleAgent;
  /** Makes a plan of a task for the agent; `action` are more lines of its action. */
  task(description: string, action?: string): Promise<string>;
  rest(plan_id: string): ReturnType<typeof atRest>;
  answer(plan_id: string, option: string): ReturnType<typeof atRest>;
}

/** An agent of its own for a test, registered at the server that all of them share. */
async function open(
  does: Does = GREETING,
  options: Parameters<typeof startSampleAgent>[1] = {},
  lines = "",
): Promise<Elsewhere> {
  const agent = await startSampleAgent(does, options);
  const { client } = server;
  const n = ++opened;
  const document = `name: helper-${n}\ntype: a2a\ndescription: x\ncard: ${agent.url}\n${lines}`;
  await client.call("_cleveragents/registry/actor/add", { document });
  return {
    agent,
    async task(description, action = "") {
      const text = `name: task-${n}\ndescription: ${JSON.stringify(description)}\ndefinition_of_done: x\nexecution_actor: local/helper-${n}\n${action}`;
      await client.call("_cleveragents/registry/action/add", { document: text });
      const used = await client.call("_cleveragents/plan/use", {
        action_name: `task-${n}`,
        project: "demo",
        automation_profile: "trusted",
      });
      return used.plan_id;
    },
    rest: (plan_id) => atRest(client, plan_id),
    async answer(plan_id, option) {
      await client.call("_cleveragents/plan/approve", { plan_id, option });
      return atRest(client, plan_id);
    },
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  };
}

describe.each([
  { version: "1.0", streaming: false },
  { version: "0.3", streaming: true },
] as const)("a plan whose actor is an agent of A2A $version (streaming: $streaming)", (kind) => {
  test("has its files as steps and offers them as its change", async () => {
    await using here = await open(GREETING, kind);
    const plan_id = await here.task("Greet");
    const status = await here.rest(plan_id);
    expect(status).toMatchObject({
      waiting_for: { kind: "apply" },
      changes: { files: 1, insertions: 1 },
      steps: [{ label: "write_file hello.txt", status: "done" }],
    });
    expect(here.agent.heard).toHaveLength(1);
    expect(here.agent.heard[0]).toContain("Task: Greet");
  });
});

describe("a plan whose actor is another agent", () => {
  test("is what the examples make of one", async () => {
    await using agent = await startSampleAgent((_text, at) => {
      at.artifact({ artifactId: "a", parts: [{ text: "Hello Ada\n", filename: "hello.txt" }] });
      at.status("COMPLETED", "Written.");
    });
    const actor = (await example("remote-agent.yaml")).replace(/\$\{REMOTE_AGENT:.*\}/, agent.url);
    for (const document of [actor, await example("remote-graph.yaml")])
      await server.client.call("_cleveragents/registry/actor/add", { document });
    const document = await example("remote-write.yaml");
    await server.client.call("_cleveragents/registry/action/add", { document });
    const { plan_id } = await server.client.call("_cleveragents/plan/use", {
      action_name: "remote-write",
      project: "demo",
      arguments: { who: "Ada" },
      automation_profile: "trusted",
    });
    expect(await atRest(server.client, plan_id)).toMatchObject({ changes: { files: 1, insertions: 1 } });
    expect(agent.heard[0]).toContain("- who: Ada");
  });

  test("asks the user what the agent asks, and goes on in the same task with the answer", async () => {
    await using here = await open((text, agent, turn) => {
      if (turn === 1) return agent.status("INPUT_REQUIRED", "Which name?");
      agent.artifact({ artifactId: "a", parts: [{ text: `Hello ${text}\n`, filename: "hello.txt" }] });
      agent.status("COMPLETED", "Done.");
    });
    const plan_id = await here.task("Greet");
    const asked = await here.rest(plan_id);
    expect(asked.waiting_for).toMatchObject({
      kind: "question",
      prompt: expect.stringMatching(/^local\/helper-\d+ asks: Which name\?$/),
    });
    expect(await here.answer(plan_id, "Ada")).toMatchObject({ waiting_for: { kind: "apply" } });
    expect(here.agent.heard).toEqual([expect.stringContaining("Greet"), "Ada"]);
  });

  test("asks the user to identify themselves to the agent, and looks at the same task again", async () => {
    const known = Promise.withResolvers<void>();
    await using here = await open(async (_text, agent) => {
      agent.status("AUTH_REQUIRED", "Sign in at https://id.example");
      await known.promise;
      agent.status("COMPLETED", "Now I know you.");
    });
    const plan_id = await here.task("Greet");
    expect(await here.rest(plan_id)).toMatchObject({
      task_state: "TASK_STATE_AUTH_REQUIRED",
      waiting_for: {
        prompt: expect.stringContaining("wants to know who is asking: Sign in at https://id.example"),
        options: [{ id: "done" }],
      },
    });
    known.resolve();
    expect(await here.answer(plan_id, "done")).toMatchObject({ state: "applied" });
    expect(here.agent.heard).toHaveLength(1);
  });

  test("waits at AUTH_REQUIRED for a credential that is missing or refused, and sends its one message when it is there", async () => {
    await using here = await open(GREETING, {}, "credential: { env: HELPER_TOKEN }\n");
    const plan_id = await here.task("Greet");
    expect(await here.rest(plan_id)).toMatchObject({
      task_state: "TASK_STATE_AUTH_REQUIRED",
      waiting_for: {
        kind: "question",
        prompt: expect.stringMatching(
          /HELPER_TOKEN is not set.* file keys\/HELPER_TOKEN of the data directory/,
        ),
        details: { credential: { variable: "HELPER_TOKEN", file: "keys/HELPER_TOKEN" } },
      },
    });
    expect(here.agent.calls).toEqual([]);
    await server.killAndStart();
    const file = join(dataDir, "keys", "HELPER_TOKEN");
    await writeFile(file, "wrong", { mode: 0o600 });
    here.agent.broken = 401;
    const refused = await here.answer(plan_id, "done");
    expect(refused.task_state).toBe("TASK_STATE_AUTH_REQUIRED");
    expect(JSON.stringify(refused)).not.toContain("wrong");
    here.agent.broken = undefined;
    await writeFile(file, "right");
    // Any A2A client can say so.
    const message = {
      messageId: `done-${plan_id}`,
      role: "ROLE_USER" as const,
      taskId: plan_id,
      parts: [{ text: "done" }],
    };
    await server.client.call("SendMessage", { message });
    expect(await here.rest(plan_id)).toMatchObject({ waiting_for: { kind: "apply" } });
    expect(here.agent.heard).toHaveLength(1);
    expect(here.agent.calls.at(-1)?.authorization).toBe("Bearer right");
  });

  test("tells it what programs read, and shows it of the project what its actor says", async () => {
    await server.repository.write("ask.md", "Be kind.\n");
    await server.repository.write("secret.txt", "nobody's business\n");
    await using here = await open(
      GREETING,
      { inputModes: ["text/plain", "application/json"] },
      "shows: { names: ['*.md', '*.txt'], files: ['*.md'] }\n",
    );
    const plan_id = await here.task("Greet as ask.md says", "invariants: [Notes are polite]\n");
    await here.rest(plan_id);
    const [{ parts }] = here.agent.messages as [
      { parts: { data?: Record<string, unknown>; filename?: string }[] },
    ];
    expect(parts.find(({ data }) => data !== undefined)?.data).toMatchObject({
      type: "task",
      role: "execution",
      plan_id,
      description: "Greet as ask.md says",
      done_when: ["x"],
      invariants: [{ text: "Notes are polite" }],
      files: { paths: expect.arrayContaining(["ask.md", "secret.txt"]) },
    });
    expect(parts.filter(({ filename }) => filename !== undefined)).toMatchObject(
      expect.arrayContaining(
        [{ filename: "ask.md", text: "Be kind.\n" }].map((one) => expect.objectContaining(one)),
      ),
    );
    expect(JSON.stringify(parts)).not.toContain("nobody's business");
    const asked = (await logOf(server.client, plan_id))
      .map(eventOf)
      .find((of) => of?.event === "remote.asked");
    expect(asked).toMatchObject({ files: expect.arrayContaining(["ask.md"]) });
  });

  test("stops what the agent does when it is taken back, and gives it the task anew", async () => {
    let begun = 0;
    await using here = await open(async (text, agent, turn) => {
      if (++begun > 1) return GREETING(text, agent, turn);
      agent.status("WORKING");
      await agent.cancelled;
    });
    const plan_id = await here.task("Greet");
    await expect
      .poll(() => here.agent.calls.some(({ method }) => method === "SubscribeToTask"), { timeout: 15_000 })
      .toBe(true);
    await server.client.call("_cleveragents/plan/correct", { plan_id, guidance: "politely" });
    expect(here.agent.cancelled).toHaveLength(1);
    expect(await here.rest(plan_id)).toMatchObject({ waiting_for: { kind: "apply" } });
    expect(here.agent.heard[1]).toContain("politely");
    const names = (await logOf(server.client, plan_id)).map((entry) => eventOf(entry)?.event);
    expect(names.filter((name) => name === "remote.stopped")).toHaveLength(1);
  });

  test("that has failed says so, and is given the task anew when the user wants that", async () => {
    await using here = await open((_text, agent) => agent.status("FAILED", "I cannot."));
    const plan_id = await here.task("Greet");
    expect(await here.rest(plan_id)).toMatchObject({
      waiting_for: { kind: "retry" },
      error: { reason: "REMOTE_FAILED", message: expect.stringContaining("I cannot.") },
    });
    here.agent.does = GREETING;
    expect(await here.answer(plan_id, "retry")).toMatchObject({ waiting_for: { kind: "apply" } });
    expect(here.agent.heard).toHaveLength(2);
  });

  test("that is away is waited for, and followed in the task that it has", async () => {
    const free = Promise.withResolvers<void>();
    await using here = await open(async (text, agent) => {
      await free.promise;
      await GREETING(text, agent, 1);
    });
    const plan_id = await here.task("Greet");
    await expect.poll(() => here.agent.heard.length, { timeout: 15_000 }).toBe(1);
    await server.killAndStart();
    free.resolve();
    expect(await here.rest(plan_id)).toMatchObject({ waiting_for: { kind: "apply" } });
    expect(here.agent.heard).toHaveLength(1);
  });

  test("that was cut off while it handed its task over finds the task, and hands it over no second time", async () => {
    await using here = await open();
    deaf = true;
    const plan_id = await here.task("Greet");
    await expect.poll(() => here.agent.heard.length).toBe(1);
    deaf = false;
    await server.killAndStart();
    expect(await here.rest(plan_id)).toMatchObject({ waiting_for: { kind: "apply" } });
    expect(here.agent.heard).toHaveLength(1);
  });

  test("stops the agent's task when it is cancelled", async () => {
    await using here = await open(async (_text, agent) => {
      agent.status("WORKING");
      await agent.cancelled;
    });
    const plan_id = await here.task("Greet");
    await expect
      .poll(() => here.agent.calls.some(({ method }) => method === "SubscribeToTask"), { timeout: 15_000 })
      .toBe(true);
    await server.client.call("_cleveragents/plan/cancel", { plan_id });
    await expect.poll(() => here.agent.cancelled.length, { timeout: 15_000 }).toBe(1);
  });

  test("takes its decisions from the agent where it is named for that, and says what is missing", async () => {
    const decisions = [
      {
        id: "how",
        question: "How?",
        alternatives: [{ id: "plainly", description: "As it is" }],
        choice: "plainly",
        confidence: 1,
        rationale: "It is short.",
      },
    ];
    let asked = 0;
    await using here = await open((text, agent, turn) => {
      if (!text.includes("JSON Schema")) return GREETING(text, agent, turn);
      asked += 1;
      if (asked === 1) return agent.status("COMPLETED", '```json\n{"steps": []}\n```');
      agent.status("COMPLETED", undefined, { data: { decisions, steps: ["Write it"] } });
    });
    const plan_id = await here.task("Greet", `strategy_actor: local/helper-${opened}\n`);
    expect(await here.rest(plan_id)).toMatchObject({
      waiting_for: { kind: "retry" },
      error: { reason: "REMOTE_BAD_RESPONSE", message: expect.stringContaining("decisions: ") },
    });
    expect(await here.answer(plan_id, "retry")).toMatchObject({ waiting_for: { kind: "apply" } });
    expect(here.agent.heard[1]).toContain("Your last answer could not be taken: decisions: ");
    expect(here.agent.heard[2]).toContain("How? plainly: As it is (It is short.)");
    const tree = await server.client.call("_cleveragents/plan/tree", { plan_id });
    expect(JSON.stringify(tree)).toContain("How?");
  });
});
