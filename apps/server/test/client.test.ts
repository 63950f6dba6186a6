import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { type Client, createClient, encodeFrame, FrameDecoder } from "@cleveragents/protocol";
import { createHttpTransport } from "@cleveragents/transport-http/client";
import { createStreamTransport } from "@cleveragents/transport-stdio/client";
import { describe, expect, test } from "vitest";

/** What a peer answers to a request with this id. */
type Answer = (id: unknown) => unknown;

/** Our client, connected to a peer that answers every request like that. */
const peers: Readonly<
  Record<string, (answer: Answer) => Promise<{ readonly client: Client } & AsyncDisposable>>
> = {
  async "over HTTP"(answer) {
    const server = createServer((request, response) => {
      request.setEncoding("utf8");
      let body = "";
      request.on("data", (chunk: string) => {
        body += chunk;
      });
      request.on("end", () => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(answer((JSON.parse(body) as { id: unknown }).id)));
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const client = createClient(
      createHttpTransport({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }),
    );
    return {
      client,
      async [Symbol.asyncDispose]() {
        await client[Symbol.asyncDispose]();
        server.closeAllConnections();
        server.close();
      },
    };
  },

  async "over stdio"(answer) {
    const toPeer = new PassThrough();
    const toClient = new PassThrough();
    const decoder = new FrameDecoder({ framing: "length" });
    toPeer.on("data", (chunk: Buffer) => {
      decoder.push(chunk);
      for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) {
        const { id, method } = JSON.parse(new TextDecoder().decode(frame)) as { id: unknown; method: string };
        if (method !== "$/cancelRequest") toClient.write(encodeFrame("length", JSON.stringify(answer(id))));
      }
    });
    toPeer.on("end", () => toClient.end());
    const client = createClient(createStreamTransport({ input: toClient, output: toPeer }));
    return { client, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
  },
};

describe.each(Object.entries(peers))("our client %s", (_, connect) => {
  const refused = { name: "TransportError", reason: "BAD_RESPONSE" };

  test.each([
    ["another number", (id: unknown) => ({ jsonrpc: "2.0", id: Number(id) + 1, result: "somebody else's" })],
    [
      "the same number as a string",
      (id: unknown) => ({ jsonrpc: "2.0", id: String(id), result: "somebody else's" }),
    ],
  ])("does not take the answer to %s for its own", async (_what, answer) => {
    await using peer = await connect(answer);
    const given = peer.client.request("GetTask", { id: "x" }, { timeoutMs: 500 });
    await expect(given).rejects.toMatchObject({
      name: "TransportError",
      reason: expect.stringMatching(/^(BAD_RESPONSE|TIMEOUT)$/),
    });
  });

  test("takes a result beside `error: null` for a result", async () => {
    await using peer = await connect((id) => ({ jsonrpc: "2.0", id, result: { ok: true }, error: null }));
    expect(await peer.client.request("GetTask", { id: "x" })).toEqual({ ok: true });
  });

  test("takes a result of null for success", async () => {
    await using peer = await connect((id) => ({ jsonrpc: "2.0", id, result: null }));
    expect(await peer.client.request("DeleteTaskPushNotificationConfig", {})).toBeNull();
  });

  test("an error with a null id is the answer to the only request there is", async () => {
    await using peer = await connect(() => ({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32700, message: "cannot read that" },
    }));
    await expect(peer.client.request("GetTask", { id: "x" })).rejects.toMatchObject({
      code: -32700,
      reason: "PARSE_ERROR",
    });
  });

  test.each([
    ["neither result nor error", (id: unknown) => ({ jsonrpc: "2.0", id })],
    ["an error without code", (id: unknown) => ({ jsonrpc: "2.0", id, error: { message: "oops" } })],
  ])("refuses an answer with %s", async (_what, answer) => {
    await using peer = await connect(answer);
    await expect(peer.client.request("GetTask", { id: "x" }, { timeoutMs: 500 })).rejects.toMatchObject(
      refused,
    );
  });
});
