import { mkdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@cleveragents/protocol";
import { createHttpTransport } from "@cleveragents/transport-http/client";
import { expect, test } from "vitest";
import { startPlan } from "./fronts-support.ts";
import { type Held, MeasuredPlace } from "./measured-process.ts";
import { type RunningServer, SERVER, until } from "./support.ts";

/** The same server, with somebody who answers messages as they ask. */
const AGENT = fileURLToPath(new URL("../../../apps/server/test/conformance/agent.ts", import.meta.url));

/** What may be held after many, of what was held after the first hundred. */
const MOST = 1.2;

function compare(what: string, before: Held, after: Held): void {
  const ratio = { heap: after.heap / before.heap, rss: after.rss / before.rss };
  const figures = (["heap", "rss"] as const).map(
    (name) =>
      `${name} ${before[name].toFixed(1)} -> ${after[name].toFixed(1)} MiB (${ratio[name].toFixed(2)})`,
  );
  process.stderr.write(`memory: ${what}: ${figures.join(", ")}\n`);
  expect(ratio.heap, `heap, ${what}`).toBeLessThanOrEqual(MOST);
  expect(ratio.rss, `resident, ${what}`).toBeLessThanOrEqual(MOST);
}

/** Does it so many times, a few at once. */
async function times(count: number, work: (n: number) => Promise<unknown>, atOnce = 8): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** As `start` serves it, or before somebody who answers messages. */
async function open(place: MeasuredPlace, what: "the product" | "who answers") {
  const server: RunningServer =
    what === "the product"
      ? await place.server(["--no-auth"])
      : await place.ready(["--conditions=@cleveragents/source", AGENT, "--port", "0"]);
  const client = createClient(createHttpTransport({ url: `${server.url}/a2a` }));
  return { server, client, held: () => place.held(server.child) };
}

const say = (text: string, more = {}) => ({
  message: { messageId: crypto.randomUUID(), role: "ROLE_USER" as const, parts: [{ text }], ...more },
});

async function taskOf(client: Client, text: string): Promise<string> {
  const answer = await client.call("SendMessage", say(text));
  if (!("task" in answer)) throw new Error("answered with a message");
  return answer.task.id;
}

test("1,000 streams that are opened and dropped leave nothing behind", async () => {
  await using place = new MeasuredPlace();
  const { client, held } = await open(place, "who answers");
  const ids = await Promise.all([1, 2, 3, 4].map(() => taskOf(client, "ask")));
  const openAndDrop = async (n: number) => {
    const leaving = new AbortController();
    const id = ids[n % ids.length] as string;
    for await (const _ of client.stream("SubscribeToTask", { id }, { signal: leaving.signal })) break;
    leaving.abort();
  };
  await times(100, openAndDrop);
  const before = await held();
  await times(1000, openAndDrop);
  compare("after 1,000 streams that were dropped", before, await held());
});

test("10,000 tasks of messages are on the disk", async () => {
  await using place = new MeasuredPlace();
  const { client, held } = await open(place, "who answers");
  const work = async (n: number) => {
    const id = await taskOf(client, n % 4 === 0 ? "ask" : "echo hello");
    await client.call("GetTask", { id });
  };
  await times(100, work);
  const before = await held();
  await times(10_000, work);
  compare("after 10,000 tasks of messages", before, await held());
});

test("1,000 plans that wait are on the disk", async () => {
  await using place = new MeasuredPlace();
  const { client, held } = await open(place, "the product");
  const path = join(place.dir, "project");
  mkdirSync(path);
  await client.call("_cleveragents/registry/project/add", { name: "p", path });
  const document =
    "name: idle\ndescription: d\ndefinition_of_done: d\nscript:\n  steps:\n    - say: { text: hi }\n";
  await client.call("_cleveragents/registry/action/add", { document, file: "idle.yaml" });
  const work = () =>
    client.call("_cleveragents/plan/use", { action_name: "idle", automation_profile: "manual" });
  await times(100, work);
  const before = await held();
  await times(1000, work);
  compare("after 1,000 plans that wait", before, await held());
});

test("200 messages of 1 MB are on the disk", async () => {
  await using place = new MeasuredPlace();
  const { client, held } = await open(place, "who answers");
  const large = "x".repeat(1_000_000);
  const work = async (n: number) => {
    await client.call("GetTask", { id: await taskOf(client, `echo ${n} ${large}`) });
  };
  await times(100, work, 4);
  const before = await held();
  await times(200, work, 4);
  compare("after 200 messages of 1 MB", before, await held());
});

/** A subscription over HTTP whose answer nobody reads. */
async function neverRead(url: string, id: string): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id } });
  const head = ["POST /a2a HTTP/1.1", `Host: ${host}`, "Content-Type: application/json", "A2A-Version: 1.0"];
  const socket = connect(Number(port), hostname);
  await new Promise((connected) => socket.once("connect", connected));
  socket.pause();
  socket.write([...head, `Content-Length: ${body.length}`, "", body].join("\r\n"));
  return socket;
}

test("who follows a task over HTTP and never reads does not make the server keep what happens", async () => {
  await using place = new MeasuredPlace();
  const { client, server, held } = await open(place, "who answers");
  for (let n = 0; n < 5; n++) await taskOf(client, "burst-2000");
  const taskId = await taskOf(client, "ask");
  const before = await held();
  const readers = await Promise.all([1, 2, 3].map(() => neverRead(server.url, taskId)));
  // Its stream is read, so that all of it has been told to those who read when it has ended.
  for await (const _ of client.stream("SendStreamingMessage", say("burst-20000", { taskId })));
  compare("while three readers over HTTP do not read 20,000 events", before, await held());
  for (const reader of readers) reader.destroy();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  compare("after they have gone", before, await held());
});

test("who follows a plan over stdio and never reads makes neither the front nor the owner keep what happens", async () => {
  await using place = new MeasuredPlace();
  const { client, held } = await open(place, "the product");
  const loud = (n: number) => `seq ${n} ${n + 150_000}`;
  const over = (id: string) => async () =>
    (await client.call("GetTask", { id })).status.state === "TASK_STATE_COMPLETED";
  await until(over(await startPlan(place, [loud(1), loud(2)])), 120_000);
  const front = place.start(process.execPath, [SERVER, "stdio", "--data-dir", place.dataDir]);
  const send = (id: number, method: string, params: object) =>
    front.stdin?.write(
      `${JSON.stringify({ jsonrpc: "2.0", id, method, params, a2a: { "A2A-Version": "1.0" } })}\n`,
    );
  send(1, "ListTasks", {});
  await until(() => (front.stdout?.readableLength ?? 0) > 0);
  const [ours, theirs] = [await held(), await place.held(front)];
  await client.call("_cleveragents/registry/action/list", {});
  const steps = Array.from({ length: 12 }, (_, n) => `    - run: { command: "${loud(n + 3)}" }\n`);
  const document = `name: loud\ndescription: d\ndefinition_of_done: d\nscript:\n  steps:\n    - { name: begin, ask: { question: "Begin?" } }\n${steps.join("")}`;
  await client.call("_cleveragents/registry/action/add", { document, file: "loud.yaml" });
  const { plan_id: plan } = await client.call("_cleveragents/plan/use", {
    action_name: "loud",
    automation_profile: "ci",
  });
  for (let n = 0; n < 10; n++) send(n + 2, "SubscribeToTask", { id: plan });
  await until(
    async () => (await client.call("GetTask", { id: plan })).status.state === "TASK_STATE_INPUT_REQUIRED",
    60_000,
  );
  await client.call("SendMessage", say("begin", { taskId: plan }));
  await until(over(plan), 300_000);
  compare("the owner, while a reader over stdio does not read ten streams", ours, await held());
  compare("its front", theirs, await place.held(front));
});
