import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import {
  encodeFrame,
  FrameDecoder,
  type JsonRpcRequest,
  RESUME_EXTENSION,
  type StdioFraming,
} from "@cleveragents/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openSocket } from "../socket/open-socket.ts";
import { FakeOwners } from "../testing/fake-owners.ts";
import { type PumpOptions, pump } from "./pump.ts";

let root: string;
let owners: FakeOwners;
const outputs: PassThrough[] = [];
/** Whether a lost owner is taken for dead; called when its loss has been noticed. */
const ownerDied = vi.fn(async () => true);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "ca-"));
  owners = new FakeOwners(join(root, "a.sock"));
  ownerDied.mockReset().mockResolvedValue(true);
});
afterEach(async () => {
  for (const output of outputs.splice(0)) output.destroy();
  await owners[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

type Message = Record<string, unknown> & {
  readonly id?: unknown;
  readonly params: { readonly seq: number; readonly result: Record<string, { status: { state: string } }> };
};

/** A front with a client that keeps what it is sent. */
function front(framing: StdioFraming = "length", more: Partial<PumpOptions> = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  outputs.push(output);
  const seen: Message[] = [];
  const decoder = new FrameDecoder({ framing });
  output.on("data", (chunk: Uint8Array) => {
    decoder.push(chunk);
    for (let frame = decoder.next(); frame !== undefined; frame = decoder.next())
      seen.push(JSON.parse(new TextDecoder().decode(frame)));
  });
  const over = pump({ input, output, connect: () => owners.connect(), ownerDied, ...more });
  over.catch(() => {});
  return {
    input,
    output,
    seen,
    over,
    send: (message: unknown) => void input.write(encodeFrame(framing, JSON.stringify(message))),
    answer: (id: unknown) => vi.waitUntil(() => seen.find((one) => one.id === id)),
    states: () =>
      seen
        .filter((one) => one["method"] === "$/stream")
        .map(({ params: { seq, result } }) =>
          "task" in result ? "task" : `${seq} ${result["statusUpdate"]?.status.state.slice(11)}`,
        ),
  };
}

function call(id: unknown, method: string, params: unknown = {}, a2a?: Record<string, string>) {
  return { jsonrpc: "2.0", id, method, params, a2a: { "A2A-Version": "1.0", ...a2a } } as JsonRpcRequest;
}
const subscribe = (id: unknown, a2a?: Record<string, string>) =>
  call(id, "SubscribeToTask", { id: "t1" }, a2a);
const wasAsked = (method: string) => owners.asked.filter((request) => request.method === method);

test.each<StdioFraming>(["length", "newline", "header"])(
  "copies both ways in the client's framing (%s), and loses nothing at the end of the input",
  async (framing) => {
    owners.task.add("WORKING", "COMPLETED");
    const { send, input, seen, over } = front(framing);
    for (let id = 1; id <= 50; id++) send(call(id, "Echo", { text: `测试 🚀 ${id}` }));
    for (let id = 51; id <= 60; id++)
      send(subscribe(id, { "A2A-Extensions": RESUME_EXTENSION, "Last-Event-ID": "t1:0" }));
    input.end();
    await over;
    expect(seen).toHaveLength(50 + 10 * 4);
    expect(seen.find(({ id }) => id === 7)).toMatchObject({ result: { text: "测试 🚀 7" } });
    expect(owners.started).toBe(1);
  },
);

test("messages with a Content-Length arrive whole however they are cut", async () => {
  const bytes = Buffer.concat(
    [1, 2, 3].map((id) => encodeFrame("header", JSON.stringify(call(id, "Echo", `测试 ${"🚀".repeat(id)}`)))),
  );
  for (let size = 1; size <= 64; size++) {
    const { input, seen, over } = front("header");
    for (let at = 0; at < bytes.length; at += size) input.write(bytes.subarray(at, at + size));
    input.end();
    await over;
    expect(seen.map(({ result }) => result).sort()).toEqual(["测试 🚀", "测试 🚀🚀", "测试 🚀🚀🚀"]);
  }
});

test.each<StdioFraming>(["length", "newline", "header"])(
  "a dead owner's requests are answered with an error that may be tried again, and are not sent again (%s)",
  async (framing) => {
    const { send, answer } = front(framing);
    send(call("a", "Wait"));
    send([call("b", "Wait"), call("c", "Echo")]);
    await vi.waitFor(() => expect(wasAsked("Echo")).toHaveLength(1));
    await owners.kill();
    expect(await answer("a")).toMatchObject({ error: { code: -32000, data: [{ reason: "SHUTTING_DOWN" }] } });
    send(call("later", "Echo", 7));
    expect(await answer("later")).toMatchObject({ result: 7 });
    expect(wasAsked("Wait")).toHaveLength(2);
    expect(wasAsked("Echo")).toHaveLength(2);
  },
);

test("a batch that a dead owner left is answered by one array, an entry for each request", async () => {
  const { send, seen } = front();
  send([call(1, "Wait"), call(2, "Echo"), { jsonrpc: "2.0", method: "Echo" }]);
  await vi.waitFor(() => expect(wasAsked("Wait")).toHaveLength(1));
  await owners.kill();
  await vi.waitFor(() => expect(seen).toHaveLength(1));
  expect(seen[0]).toMatchObject([
    { id: 1, error: {} },
    { id: 2, error: {} },
  ]);
});

test("a stream goes on with the next owner: every event once, and nothing else", async () => {
  owners.task.add("SUBMITTED");
  const { send, seen, states, answer } = front();
  send(subscribe("s"));
  await vi.waitFor(() => expect(states()).toEqual(["task"]));
  for (let n = 2; n <= 5; n++) {
    owners.task.add("WORKING");
    await vi.waitFor(() => expect(states().at(-1)).toBe(`${n} WORKING`));
    await owners.kill();
  }
  owners.task.add("COMPLETED");
  expect(await answer("s")).toEqual({ jsonrpc: "2.0", id: "s", result: {} });
  expect(states()).toEqual(["task", "2 WORKING", "3 WORKING", "4 WORKING", "5 WORKING", "6 COMPLETED"]);
  expect(JSON.stringify(seen)).not.toContain(RESUME_EXTENSION);
  expect(owners.started).toBe(5);
});

test("a stream of notifications goes on by its own cursors, to its end", async () => {
  owners.task.add("SUBMITTED");
  const { send, seen, answer } = front();
  const events = () => seen.filter(({ method }) => typeof method === "string").map(({ params }) => params);
  send(call("s", "_cleveragents/event/subscribe"));
  await vi.waitFor(() => expect(events()).toHaveLength(1));
  await owners.kill();
  for (let n = 2; n <= 4; n++) {
    owners.task.add("WORKING");
    await vi.waitFor(() => expect(events().at(-1)).toMatchObject({ sequence: n }));
    await owners.kill();
  }
  owners.task.add("COMPLETED");
  expect(await answer("s")).toEqual({ jsonrpc: "2.0", id: "s", result: {} });
  expect(events()).toMatchObject([
    { subscription: {}, sequence: 1, cursor: "e1", requestId: "s" },
    ...[2, 3, 4].map((sequence) => ({ sequence, state: "working", cursor: `e${sequence}`, requestId: "s" })),
    { sequence: 5, state: "completed", final: true, cursor: "e5", requestId: "s" },
  ]);
  expect(owners.started).toBe(5);
});

test("a client that has asked for the resume extension itself is told of it once, as without a death", async () => {
  owners.task.add("SUBMITTED", "WORKING");
  const { send, seen, states, answer } = front();
  send(subscribe(1, { "a2a-extensions": `${RESUME_EXTENSION}, urn:x`, "Last-Event-ID": "t1:1" }));
  await vi.waitFor(() => expect(states()).toEqual(["task", "2 WORKING"]));
  await owners.kill();
  owners.task.add("COMPLETED");
  expect(await answer(1)).toMatchObject({
    result: {},
    a2a: { "A2A-Extensions": `${RESUME_EXTENSION},urn:x` },
  });
  expect(states()).toEqual(["task", "2 WORKING", "3 COMPLETED"]);
  expect(seen.filter(({ a2a }) => a2a !== undefined)).toHaveLength(2);
});

test("a task that ended while nobody looked: the rest of its events, then the end", async () => {
  owners.task.add("WORKING");
  const { send, states, answer } = front("length", {
    connect: async () => {
      if (owners.started === 1) owners.task.add("WORKING", "COMPLETED");
      return owners.connect();
    },
  });
  send(subscribe(1));
  await vi.waitFor(() => expect(states()).toEqual(["task"]));
  await owners.kill();
  await answer(1);
  expect(states()).toEqual(["task", "2 WORKING", "3 COMPLETED"]);
});

test("a stream that had given nothing yet is asked for once more", async () => {
  owners.silent = true;
  const { send, states } = front();
  send(subscribe(1));
  await vi.waitFor(() => expect(wasAsked("SubscribeToTask")).toHaveLength(1));
  owners.silent = false;
  await owners.kill();
  await vi.waitFor(() => expect(states()).toEqual(["task"]));
  expect(wasAsked("SubscribeToTask")[1]).toEqual(wasAsked("SubscribeToTask")[0]);
});

test("what was sent with a stream is not sent again, and its stream ends where it would have ended", async () => {
  owners.task.add("WORKING");
  const { send, states, answer, seen } = front();
  send(call("m", "SendStreamingMessage", { message: {} }));
  await vi.waitFor(() => expect(states()).toEqual(["task"]));
  await owners.kill();
  owners.task.add("WORKING", "INPUT_REQUIRED");
  expect(await answer("m")).toEqual({ jsonrpc: "2.0", id: "m", result: {} });
  owners.task.add("WORKING");
  send(call("m", "Echo", "again"));
  await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ id: "m", result: "again" }));
  expect(states()).toEqual(["task", "2 WORKING", "3 INPUT_REQUIRED"]);
  expect(wasAsked("SendStreamingMessage")).toHaveLength(1);
});

test("an owner that leaves in good order ends no stream, and none is started for nobody", async () => {
  owners.task.add("WORKING");
  ownerDied.mockResolvedValue(false);
  const { send, states, answer } = front();
  send(subscribe(1));
  await vi.waitFor(() => expect(states()).toEqual(["task"]));
  await owners.leave();
  await vi.waitFor(() => expect(owners.started).toBe(2));
  owners.task.add("COMPLETED");
  expect(await answer(1)).toMatchObject({ result: {} });
  expect(states()).toEqual(["task", "2 COMPLETED"]);
  await owners.leave();
  await vi.waitFor(() => expect(ownerDied).toHaveBeenCalledOnce());
  expect(owners.started).toBe(2);
  send(call(2, "Echo", "hello"));
  expect(await answer(2)).toMatchObject({ result: "hello" });
  expect(owners.started).toBe(3);
});

test("an owner that died is replaced though nobody waits, so that plans go on", async () => {
  const { send, answer } = front();
  send(call(1, "Echo"));
  await answer(1);
  await owners.kill();
  await vi.waitFor(() => expect(owners.started).toBe(2));
});

test("where events are gone the client gets the whole Task, and no word of the extension", async () => {
  owners.task.add("WORKING");
  const { send, states, seen } = front();
  send(subscribe(1));
  await vi.waitFor(() => expect(states()).toEqual(["task"]));
  owners.task.goneUpTo = 3;
  await owners.kill();
  owners.task.add("WORKING", "WORKING", "WORKING");
  await vi.waitFor(() => expect(states()).toEqual(["task", "task"]));
  expect(seen[1]?.params).toEqual({
    id: 1,
    seq: 4,
    result: { task: { id: "t1", status: { state: "TASK_STATE_WORKING" } } },
  });
});

test("a stream that is cancelled while its owner dies is over", async () => {
  owners.task.add("WORKING");
  const { send, answer, states } = front();
  send(subscribe(1));
  await vi.waitFor(() => expect(states()).toEqual(["task"]));
  await owners.kill();
  send({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: 1 } });
  expect(await answer(1)).toMatchObject({ error: { data: [{ reason: "REQUEST_CANCELLED" }] } });
});

test("a request under an id that is in flight is refused, and the first one keeps its place", async () => {
  owners.task.add("WORKING");
  const { send, answer, states, seen } = front();
  send(subscribe(1));
  await vi.waitFor(() => expect(states()).toEqual(["task"]));
  send(call(1, "Echo"));
  expect(await answer(1)).toMatchObject({ error: { code: -32600 } });
  await owners.kill();
  owners.task.add("COMPLETED");
  await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ id: 1, result: {} }));
  expect(states()).toEqual(["task", "2 COMPLETED"]);
});

test("input that is no messages is answered once, what is in flight is finished, and it ends", async () => {
  const { input, send, seen, over } = front();
  send(call(1, "Echo", "one"));
  input.write("12x\n");
  await over;
  expect(seen).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: 1, result: "one" }),
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32700 }) }),
    ]),
  );
  expect(seen).toHaveLength(2);
});

test("it ends when nobody takes its output any more, and lets the owner go", async () => {
  const { output, over } = front();
  await vi.waitFor(() => expect(owners.connections).toBe(1));
  output.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  await over;
  await vi.waitFor(() => expect(owners.connections).toBe(0));
});

test("it says so when there is no owner to be had, at the beginning and later", async () => {
  await expect(front("length", { connect: () => openSocket(join(root, "none")) }).over).rejects.toMatchObject(
    {
      reason: "NOT_CONNECTED",
    },
  );
  let first = true;
  const gone = new Error("the directory is gone");
  const { send, answer, over } = front("length", {
    async connect() {
      if (!first) throw gone;
      first = false;
      return owners.connect();
    },
  });
  owners.task.add("WORKING");
  send(subscribe(1));
  await vi.waitFor(() => expect(wasAsked("SubscribeToTask")).toHaveLength(1));
  await owners.kill();
  await expect(over).rejects.toBe(gone);
  expect(await answer(1)).toMatchObject({ error: { data: [{ reason: "SHUTTING_DOWN" }] } });
});
