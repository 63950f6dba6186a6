import { type A2aVersion, type Client, createClient } from "@cleveragents/protocol";
import { createHttpTransport } from "@cleveragents/transport-http/client";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openReceiver } from "../webhook-receiver.ts";
import { conformanceActor } from "./conformance-actor.ts";
import { itkBehaviours } from "./itk-behaviours.ts";
import { readInstruction } from "./itk-instruction.ts";
import { type ScriptedServer, serveScripted } from "./serve-scripted.ts";

const varint = (n: number): number[] => (n < 128 ? [n] : [(n % 128) + 128, ...varint(Math.floor(n / 128))]);

function field(number: number, value: number | string | Uint8Array): Uint8Array {
  if (typeof value === "number") return Uint8Array.from([...varint(number * 8), ...varint(value)]);
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return Buffer.concat([Uint8Array.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]);
}

const message = (number: number, ...fields: Uint8Array[]) => field(number, Buffer.concat(fields));
const respond = (words: string, hold: boolean) => message(2, field(1, words), ...(hold ? [field(2, 1)] : []));
const steps = (...instructions: Uint8Array[]) => message(3, ...instructions.map((each) => field(1, each)));

const BEHAVIOURS = ["send", "stream", "push", "resubscribe"] as const;
interface Round {
  readonly transport: string;
  readonly behaviour: (typeof BEHAVIOURS)[number];
  readonly notify: string;
}

function call(to: ScriptedServer, instruction: Uint8Array, { transport, behaviour, notify }: Round) {
  const how = { send: 5, stream: 5, push: 6, resubscribe: 7 }[behaviour];
  const streaming = behaviour === "stream" || behaviour === "resubscribe";
  return message(
    1,
    field(1, transport),
    field(2, to.url),
    field(3, instruction),
    field(4, streaming ? 1 : 0),
    message(how, ...(behaviour === "push" ? [field(1, notify)] : [])),
  );
}

/** To each of them and back: what the kit's runner sends for two agents. */
function roundTrip(servers: readonly ScriptedServer[], round: Round): Uint8Array {
  const hold = round.behaviour === "resubscribe";
  let instruction = respond("traversal-completed", hold);
  for (const [n, server] of [...servers.entries()].reverse())
    instruction = steps(respond(`[hop ${n}]`, hold), call(server, instruction, round));
  return instruction;
}
const TOKENS = ["[hop 0]", "[hop 1]", "traversal-completed"];
const all = (said: string) => TOKENS.every((token) => said.includes(token));

describe.each<A2aVersion>(["1.0", "0.3"])("two agents that speak A2A %s to each other", (version) => {
  let one: ScriptedServer;
  let two: ScriptedServer;
  let client: Client;
  beforeAll(async () => {
    const options = { actor: conformanceActor([itkBehaviours]), versions: [version] };
    [one, two] = await Promise.all([serveScripted(options), serveScripted(options)]);
    client = createClient(createHttpTransport({ url: `${one.url}/a2a` }));
  });
  afterAll(async () => {
    await Promise.all([one[Symbol.asyncDispose](), two[Symbol.asyncDispose]()]);
  });

  const rounds = ["JSONRPC", "HTTP_JSON"].flatMap((transport) =>
    BEHAVIOURS.map((behaviour) => [behaviour, transport] as const),
  );
  test.each(rounds)("by %s over %s: what was asked of both comes back", async (behaviour, transport) => {
    await using receiver = await openReceiver();
    const instruction = roundTrip([two, one], { transport, behaviour, notify: receiver.url });
    const raw = Buffer.from(instruction).toString("base64");
    const part = { raw, mediaType: "application/x-protobuf", filename: "instruction.bin" };
    const said = { messageId: crypto.randomUUID(), role: "ROLE_USER" as const, parts: [part] };
    if (behaviour === "send" || behaviour === "push") {
      const told = { taskPushNotificationConfig: { url: receiver.url, token: "itk-token" } };
      const configuration = behaviour === "push" ? told : {};
      const answer = await client.call("SendMessage", { message: said, configuration });
      expect(JSON.stringify(answer)).toSatisfy(all);
    } else {
      let heard = "";
      let id = "";
      for await (const { result } of client.stream("SendStreamingMessage", { message: said })) {
        heard += JSON.stringify(result);
        if ("task" in result) id = result.task.id;
        if (all(heard)) break;
      }
      expect(heard).toSatisfy(all);
      if (behaviour === "resubscribe") await client.call("CancelTask", { id });
    }
    if (behaviour === "push") {
      const hits = await receiver.until((seen) => all(JSON.stringify(seen)));
      expect(new Set(hits.map(({ headers }) => headers["x-a2a-notification-token"]))).toEqual(
        new Set(["itk-token"]),
      );
    }
    expect([...one.faults, ...two.faults]).toEqual([]);
  });
});

test("bytes that are no instruction are none, whatever they are", () => {
  const some = steps(respond("a", true), respond("b", false));
  expect(readInstruction(some)).toMatchObject({ kind: "steps", steps: [{ hold: true }, { response: "b" }] });
  fc.assert(
    fc.property(fc.uint8Array(), fc.nat(some.length - 1), (bytes, cut) => {
      readInstruction(bytes);
      expect(readInstruction(some.subarray(0, cut))).toBe(undefined);
    }),
  );
});
