import { A2aActorSchema } from "@cleveragents/domain";
import { HttpRemoteAgents } from "@cleveragents/infrastructure/a2a-agents";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Altered, openAltered } from "./altered-server.ts";
import { type Does, type SampleAgent, startSampleAgent } from "./sample-agent.ts";

let server: Altered;
beforeAll(async () => {
  server = await openAltered();
});
afterAll(() => server[Symbol.asyncDispose]());

interface Talk extends AsyncDisposable {
  readonly agent: SampleAgent;
  tell(text: string, more?: { readonly task_id?: string; readonly wait?: boolean }): Promise<Told>;
}
type Told = Awaited<ReturnType<typeof tellIn>>;

let opened = 0;

async function talk(
  does: Does,
  options: Parameters<typeof startSampleAgent>[1] = {},
  lines = "",
): Promise<Talk> {
  const agent = await startSampleAgent(does, options);
  const name = `talker-${++opened}`;
  const document = `name: ${name}\ntype: a2a\ndescription: x\ncard: ${agent.url}/\n${lines}`;
  await server.client.call("_cleveragents/registry/actor/add", { document });
  const { session_id } = await server.client.call("session.create", { actor: `local/${name}` });
  return {
    agent,
    tell: (text, more = {}) => tellIn(session_id, text, more),
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  };
}

function tellIn(session_id: string, text: string, more: object) {
  return server.client.call("_cleveragents/session/tell", { session_id, text, ...more });
}

describe.each(["1.0", "0.3"] as const)("a session whose actor is an agent of A2A %s", (version) => {
  test("is answered with what the agent says and sends, and goes on where it was", async () => {
    const contexts: string[] = [];
    await using here = await talk(
      (text, agent) => {
        agent.artifact({ artifactId: "a", name: "words", parts: [{ text: "You " }] });
        agent.artifact({ artifactId: "a", name: "words", parts: [{ text: `said ${text}` }] }, true);
        agent.status("COMPLETED");
      },
      { version },
    );
    const first = await here.tell("one");
    contexts.push(JSON.stringify(first.task?.status.message?.metadata));
    expect(first.response).toBe("You said one");
    expect(first.task?.artifacts).toMatchObject([
      { name: "words", parts: [{ text: "You " }, { text: "said one" }] },
    ]);
    const second = await here.tell("two");
    contexts.push(JSON.stringify(second.task?.status.message?.metadata));
    expect(second.response).toBe("You said two");
    expect(contexts[0]).toContain("context_id");
    expect(contexts[1]).toBe(contexts[0]);
  });
});

describe("a session whose actor is another agent", () => {
  test("is asked what the agent asks, and its answer is of the same task over there", async () => {
    await using here = await talk((text, agent, turn) =>
      turn === 1 ? agent.status("INPUT_REQUIRED", "Which?") : agent.status("COMPLETED", `So ${text}.`),
    );
    const asked = await here.tell("Paint it");
    expect(asked).toMatchObject({
      response: "Which?",
      task: { status: { state: "TASK_STATE_INPUT_REQUIRED" } },
    });
    expect(await here.tell("red", { task_id: asked.task!.id })).toMatchObject({ response: "So red." });
    expect(here.agent.heard).toEqual(["Paint it", "red"]);
  });

  test("is told that the agent wants to know who is asking", async () => {
    await using here = await talk((_text, agent) => agent.status("AUTH_REQUIRED", "Sign in."));
    expect((await here.tell("Hello")).task?.status.state).toBe("TASK_STATE_AUTH_REQUIRED");
  });

  test("stops the agent's task when its own is cancelled", async () => {
    await using here = await talk(async (_text, agent) => {
      agent.status("WORKING", "I begin.");
      await agent.cancelled;
    });
    const told = await here.tell("Hello", { wait: false });
    await expect.poll(() => here.agent.heard.length, { timeout: 15_000 }).toBe(1);
    await server.client.call("CancelTask", { id: told.task!.id });
    await expect.poll(() => here.agent.cancelled.length, { timeout: 15_000 }).toBe(1);
  });

  test("is told in words why nothing came, and nothing of what is inside", async () => {
    await using here = await talk((_text, agent) => agent.status("FAILED", "I cannot."));
    expect(await here.tell("Hello")).toMatchObject({
      response: "I cannot.",
      task: { status: { state: "TASK_STATE_FAILED" } },
    });
    here.agent.broken = 401;
    const refused = await here.tell("Hello");
    expect(refused.response).toContain("wants to know who is asking (401)");
    expect(refused.task?.status).toMatchObject({
      state: "TASK_STATE_AUTH_REQUIRED",
      message: { metadata: { reason: "REMOTE_AUTHENTICATION" } },
    });
    // What was said then is said when the agent lets this caller in, and nothing else.
    here.agent.broken = undefined;
    here.agent.does = (text, agent) => agent.status("COMPLETED", `You said ${text}.`);
    expect(await here.tell("now", { task_id: refused.task!.id })).toMatchObject({
      response: "You said Hello.",
    });
    expect(here.agent.heard).toEqual(["Hello", "Hello"]);
  });

  test("is charged a call to its session for each message, and sends none when that is used up", async () => {
    await using here = await talk((_text, agent) => agent.status("COMPLETED", "Good."));
    const actor = `local/talker-${opened}`;
    const { session_id } = await server.client.call("session.create", { actor, budget: { tool_calls: 1 } });
    expect(await tellIn(session_id, "one", {})).toMatchObject({ response: "Good." });
    const second = await tellIn(session_id, "two", {});
    expect(second.task?.status).toMatchObject({
      state: "TASK_STATE_FAILED",
      message: { metadata: { reason: "BUDGET_EXCEEDED", budget: "tool_calls" } },
    });
    expect(here.agent.heard).toEqual(["one"]);
  });

  test("says so when its credential is missing, and calls nobody", async () => {
    await using here = await talk(
      (_text, agent) => agent.status("COMPLETED", "Good."),
      {},
      "credential: { env: NOBODY_HAS_SET_THIS }\n",
    );
    const told = await here.tell("Hello");
    expect(told.response).toContain("the variable NOBODY_HAS_SET_THIS is not set");
    expect(here.agent.calls).toEqual([]);
  });

  test("stops messages that agents hand on in a circle", async () => {
    await using here = await talk((_text, agent) => agent.status("COMPLETED", "Good."));
    const { session_id } = await server.client.call("session.create", { actor: `local/talker-${opened}` });
    const message = {
      messageId: `hops-${opened}`,
      role: "ROLE_USER" as const,
      contextId: session_id,
      parts: [{ text: "Hello" }],
      metadata: { "urn:cleveragents:extensions:hops:v1": 4 },
    };
    const sent = await server.client.call("SendMessage", { message });
    expect(JSON.stringify(sent)).toContain("in a circle");
    expect(here.agent.heard).toEqual([]);
  });
});

describe("a message that may have arrived at another agent", () => {
  const never = new AbortController().signal;
  const sending = async (version: "1.0" | "0.3") => {
    const agent = await startSampleAgent((_text, at) => at.status("INPUT_REQUIRED", "Which?"), { version });
    const actor = A2aActorSchema.parse({ name: "local/x", type: "a2a", description: "x", card: agent.url });
    const agents = new HttpRemoteAgents({ env: {}, dataDir: "/nowhere", loopback: () => true });
    return { agent, opened: await agents.open(actor, never) };
  };
  const message = { messageId: "m-1", parts: [{ kind: "text", text: "Hello" }], place: {} } as const;

  test("is found by its id where the agent lists its tasks, and known not to be there else", async () => {
    const { agent, opened } = await sending("1.0");
    await using _ = agent;
    expect(await opened.find("m-1", {}, never)).toBe("nothing");
    const place = await opened.send(message, never);
    expect(await opened.find("m-1", {}, never)).toEqual(place);
  });

  test("is found in the task that it answers, and nobody can say else, where tasks are not listed", async () => {
    const { agent, opened } = await sending("0.3");
    await using _ = agent;
    const place = await opened.send(message, never);
    if ("kind" in place) throw new Error("it has no task");
    expect(await opened.find("m-1", {}, never)).toBe("unknown");
    expect(await opened.find("m-1", place, never)).toEqual(place);
    expect(await opened.find("m-2", place, never)).toBe("nothing");
  });
});

describe("_cleveragents/registry/actor/test of an actor that works elsewhere", () => {
  test("is not asked without models", async () => {
    await expect(
      server.client.call("_cleveragents/registry/actor/test", { name: "talker-1" }),
    ).rejects.toMatchObject({
      reason: "NOT_AVAILABLE",
    });
  });
});
