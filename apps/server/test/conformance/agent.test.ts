import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { SseDecoder } from "@cleveragents/protocol";
import { expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("agent.ts", import.meta.url));

async function start(...flags: string[]) {
  const child = spawn(
    process.execPath,
    ["--conditions=@cleveragents/source", PROGRAM, "--port", "0", ...flags],
    {
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const url = await new Promise<string>((ready, failed) => {
    child.stdout.on("data", (chunk) => {
      said += chunk;
      const [, found] = /ready at (\S+)/.exec(said) ?? [];
      if (found !== undefined) ready(found);
    });
    void exited.then(() => failed(new Error(`the agent left: ${said}`)));
  });
  return {
    url,
    exited,
    stop: () => child.kill("SIGTERM"),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

const V1 = { "content-type": "application/json", "a2a-version": "1.0" };
const sent = (method: string, text: string, n = 1) => ({
  method: "POST",
  headers: V1,
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: n,
    method,
    params: { message: { messageId: `m-${n}`, role: "ROLE_USER", parts: [{ text }] } },
  }),
});

test("the agent serves both versions; told to stop, it ends its streams on whole events and leaves in good order", async () => {
  await using agent = await start();
  const card = (await (await fetch(`${agent.url}/.well-known/agent-card.json`)).json()) as {
    protocolVersion: string;
    supportedInterfaces: { protocolVersion: string }[];
  };
  expect(card.protocolVersion).toBe("0.3.0");
  expect(card.supportedInterfaces.map(({ protocolVersion }) => protocolVersion)).toEqual([
    "1.0",
    "1.0",
    "0.3",
    "0.3",
  ]);
  const streams = await Promise.all(
    [1, 2, 3].map((n) => fetch(`${agent.url}/a2a`, sent("SendStreamingMessage", "slow-60s", n))),
  );
  const texts = streams.map((response) => response.text());
  agent.stop();
  for (const text of await Promise.all(texts)) {
    expect(text.endsWith("\n\n")).toBe(true);
    const events = new SseDecoder().push(Buffer.from(text)).filter(({ data }) => data !== "");
    expect(events.length).toBeGreaterThan(0);
    for (const { data } of events) JSON.parse(data);
  }
  expect(await agent.exited).toEqual([0, null]);
});

test("with neither streams nor notifications it says so and refuses them, over both bindings", async () => {
  await using agent = await start("--only-1.0", "--no-capabilities");
  const card = (await (await fetch(`${agent.url}/.well-known/agent-card.json`)).json()) as object;
  expect(card).toMatchObject({ capabilities: { streaming: false, pushNotifications: false } });
  expect(card).not.toHaveProperty("protocolVersion");
  const post = async (path: string, body: object, method = "POST") => {
    const sent = method === "POST" ? { body: JSON.stringify(body) } : {};
    const response = await fetch(`${agent.url}${path}`, { method, headers: V1, ...sent });
    return (await response.json()) as { error: { details: { reason: string }[] } };
  };
  const said = { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "ask" }] } };
  const asked = await fetch(`${agent.url}/a2a`, sent("SendMessage", "ask", 3));
  const { id } = ((await asked.json()) as { result: { task: { id: string } } }).result.task;
  const url = "https://example.com/webhook";
  const refused = [
    ["SendStreamingMessage", said, -32004, "POST", "/message:stream"],
    ["SubscribeToTask", { id }, -32004, "GET", `/tasks/${id}:subscribe`],
    [
      "CreateTaskPushNotificationConfig",
      { taskId: id, url },
      -32003,
      "POST",
      `/tasks/${id}/pushNotificationConfigs`,
    ],
    [
      "GetTaskPushNotificationConfig",
      { taskId: id, id: "x" },
      -32003,
      "GET",
      `/tasks/${id}/pushNotificationConfigs/x`,
    ],
    [
      "ListTaskPushNotificationConfigs",
      { taskId: id },
      -32003,
      "GET",
      `/tasks/${id}/pushNotificationConfigs`,
    ],
    [
      "DeleteTaskPushNotificationConfig",
      { taskId: id, id: "x" },
      -32003,
      "DELETE",
      `/tasks/${id}/pushNotificationConfigs/x`,
    ],
    ["GetExtendedAgentCard", {}, -32004, "GET", "/extendedAgentCard"],
  ] as const;
  for (const [method, params, code, verb, path] of refused) {
    const answer = await post("/a2a", { jsonrpc: "2.0", id: 1, method, params });
    expect(answer, method).toMatchObject({ error: { code } });
    const { error } = await post(`/a2a/rest${path}`, params, verb);
    expect(error.details[0]?.reason, path).toBe(
      code === -32003 ? "PUSH_NOTIFICATION_NOT_SUPPORTED" : "UNSUPPORTED_OPERATION",
    );
  }
  const answered = await fetch(`${agent.url}/a2a`, sent("SendMessage", "echo", 2));
  expect(await answered.json()).toMatchObject({
    result: { task: { status: { state: "TASK_STATE_COMPLETED" } } },
  });
});
