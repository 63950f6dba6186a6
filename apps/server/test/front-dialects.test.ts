import { connect } from "node:net";
import { PassThrough } from "node:stream";
import type { MessageActor } from "@cleveragents/application";
import {
  type CallContext,
  type Dispatcher,
  encodeFrame,
  FrameDecoder,
  type JsonRpcRequest,
  LOCAL_PRINCIPAL,
  RESUME_EXTENSION,
} from "@cleveragents/protocol";
import { pump } from "@cleveragents/transport-stdio/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forwardTo } from "../src/owner/forwarding-dispatcher.ts";
import { bootMachine } from "./in-memory-server.ts";
import { KillableOwner } from "./killable-owner.ts";

const STEPS = 5;

/** Says a number whenever it may, then it is done. */
class Stepwise implements MessageActor {
  #allowed = 0;
  #wake = Promise.withResolvers<void>();

  allow(steps: number): void {
    this.#allowed = steps;
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }

  run: MessageActor["run"] = async (_turn, log) => {
    for (let step = 1; step <= STEPS; step++) {
      while (this.#allowed < step) await this.#wake.promise;
      await log.status("working", [{ kind: "text", text: `step ${step}` }]);
    }
    return { state: "completed", parts: [{ kind: "text", text: "done" }] };
  };
}

type Asked = Pick<JsonRpcRequest, "method" | "params"> & {
  readonly version?: string;
  readonly encoding?: CallContext["encoding"];
};
interface Followed {
  readonly seen: Record<string, unknown>[];
  readonly over: Promise<unknown>;
}
interface Front extends AsyncDisposable {
  follow(asked: Asked): Promise<Followed> | Followed;
}

function contextOf({ version, encoding }: Asked): CallContext {
  return {
    principal: LOCAL_PRINCIPAL,
    serviceParameters: version === undefined ? {} : { "a2a-version": version },
    binding: "http",
    signal: new AbortController().signal,
    ...(encoding === undefined ? {} : { encoding }),
  };
}

async function httpFront({ dataDir }: KillableOwner): Promise<Front> {
  const forwarding = await forwardTo({ dataDir });
  return {
    async follow(asked) {
      const { method, params } = asked;
      const request = { jsonrpc: "2.0", id: 1, method, params } as const;
      const answer = await forwarding.dispatcher.dispatch({ kind: "call", request }, contextOf(asked));
      if (answer.kind !== "stream") throw new Error(`no stream: ${JSON.stringify(answer)}`);
      const seen: Record<string, unknown>[] = [];
      const over = (async () => {
        for await (const { result } of answer.elements) seen.push(result as Record<string, unknown>);
      })();
      return { seen, over };
    },
    [Symbol.asyncDispose]: () => forwarding[Symbol.asyncDispose](),
  };
}

function stdioFront({ path }: KillableOwner): Front {
  const input = new PassThrough();
  const output = new PassThrough();
  const seen: Record<string, unknown>[] = [];
  const over = Promise.withResolvers<unknown>();
  const decoder = new FrameDecoder({ framing: "length" });
  output.on("data", (chunk: Uint8Array) => {
    decoder.push(chunk);
    for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) {
      const message = JSON.parse(new TextDecoder().decode(frame)) as Record<string, unknown>;
      if (message["method"] === undefined) over.resolve(message);
      else seen.push(message["params"] as Record<string, unknown>);
    }
  });
  const pumped = pump({
    input,
    output,
    ownerDied: async () => true,
    connect: () =>
      new Promise((resolve, reject) => {
        const socket = connect({ path, allowHalfOpen: true });
        socket.once("connect", () => resolve(socket)).once("error", reject);
      }),
  });
  return {
    follow({ method, params, version }) {
      const a2a = version === undefined ? {} : { a2a: { "A2A-Version": version } };
      const request = { jsonrpc: "2.0", id: 1, method, params, ...a2a };
      input.write(encodeFrame("length", JSON.stringify(request)));
      return { seen, over: over.promise };
    },
    async [Symbol.asyncDispose]() {
      input.end();
      await pumped;
    },
  };
}

const strict = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "go" }] };
const plain = { role: "user", parts: [{ text: "go" }] };
const proto = { messageId: "m", role: "ROLE_USER", content: [{ text: "go" }] };

describe.each([
  ["an HTTP front", httpFront],
  ["a stdio front", stdioFront],
])("through %s whose owner is killed", (name, open) => {
  const actor = new Stepwise();
  let machine: Awaited<ReturnType<typeof bootMachine>>;
  let composition: Awaited<ReturnType<typeof machine.start>>;
  let dispatcher: Dispatcher;
  beforeAll(async () => {
    machine = await bootMachine({ actor });
    composition = await machine.start();
    ({ dispatcher } = composition);
  });
  afterAll(async () => {
    await composition.stop(1000);
    await machine[Symbol.asyncDispose]();
  });

  /** A task that is under way, by a message that nobody waits for. */
  async function begun(): Promise<string> {
    const params = {
      message: { ...strict, messageId: crypto.randomUUID() },
      configuration: { blocking: false },
    };
    const request = { jsonrpc: "2.0", id: 1, method: "message/send", params } as const;
    const answer = await dispatcher.dispatch({ kind: "call", request }, contextOf(request));
    return (answer as { response: { result: { id: string } } }).response.result.id;
  }

  const asks: [string, (task: () => Promise<string>) => Promise<Asked>][] = [
    [
      "message/stream of A2A 0.3",
      async () => ({
        method: "message/stream",
        params: { message: { ...strict, messageId: crypto.randomUUID() } },
        version: "0.3",
      }),
    ],
    [
      "message/stream of the documents",
      async () => ({ method: "message/stream", params: { message: plain } }),
    ],
    ["tasks/resubscribe", async (task) => ({ method: "tasks/resubscribe", params: { id: await task() } })],
    [
      "tasks/subscribe of the documents",
      async (task) => ({ method: "tasks/subscribe", params: { id: await task() } }),
    ],
    [
      "0.3's stream over HTTP+JSON",
      async () => ({
        method: "SendStreamingMessage",
        params: { message: { ...proto, messageId: crypto.randomUUID() } },
        version: "0.3",
        encoding: "http+json",
      }),
    ],
  ];
  // That binding is HTTP's alone.
  const here = asks.filter(([words]) => name === "an HTTP front" || !words.includes("HTTP+JSON"));
  test.each(here)("%s goes on: every event once, the last one final", async (_, ask) => {
    actor.allow(0);
    const asked = await ask(begun);
    await using owner = await KillableOwner.start(dispatcher);
    await using front = await open(owner);
    const { seen, over } = await front.follow(asked);
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    for (let step = 1; step <= STEPS; step++) {
      actor.allow(step);
      await expect.poll(() => JSON.stringify(seen)).toContain(`step ${step}"`);
      if (step % 2 === 0) await owner.replace();
    }
    await over;
    const said = seen.flatMap((element) => JSON.stringify(element).match(/step \d|done/g) ?? []);
    expect(said).toEqual([...Array.from({ length: STEPS }, (_one, n) => `step ${n + 1}`), "done"]);
    const updates = seen.map((element) => (element["statusUpdate"] ?? element) as Record<string, unknown>);
    expect(updates.filter(({ final }) => final === true)).toEqual([updates.at(-1)]);
    expect(JSON.stringify(seen)).not.toContain(RESUME_EXTENSION);
  });
});
