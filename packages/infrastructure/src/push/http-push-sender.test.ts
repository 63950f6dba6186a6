import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { describe, expect, test } from "vitest";
import { HttpPushSender } from "./http-push-sender.ts";

const never = new AbortController().signal;
const LOOPBACK = { address: "127.0.0.1", family: 4 };

async function listen(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const to = (url: string, headers = {}) => ({ url, headers, body: '{"ü":1}' });

describe("a post", () => {
  test("goes to the address that was looked up and judged, under the name that was asked for", async () => {
    const asked: IncomingMessage[] = [];
    await using server = await listen((request, response) => {
      asked.push(request);
      response.writeHead(503, { "retry-after": "7" }).end("later");
    });
    const lookedUp: string[] = [];
    const sender = new HttpPushSender({
      allow: ["127.0.0.0/8"],
      resolve: async (host) => {
        lookedUp.push(host);
        return [LOOPBACK];
      },
    });
    const outcome = await sender.post(to(`http://hooks.example:${server.port}/a?b`, { "X-One": "1" }), never);
    expect(outcome).toEqual({ kind: "answered", status: 503, retryAfter: "7" });
    expect(lookedUp).toEqual(["hooks.example"]);
    expect(asked.map(({ method, url, headers }) => [method, url, headers.host, headers["x-one"]])).toEqual([
      ["POST", "/a?b", `hooks.example:${server.port}`, "1"],
    ]);
    expect(asked[0]?.headers).toMatchObject({ "content-length": "8" });
  });

  test("is not made where one of the addresses of a name is an internal one", async () => {
    let connections = 0;
    await using server = await listen(() => connections++);
    for (const addresses of [[LOOPBACK], [{ address: "93.184.215.14", family: 4 }, LOOPBACK], []]) {
      const sender = new HttpPushSender({ resolve: async () => addresses });
      expect(await sender.post(to(`http://rebound.example:${server.port}/`), never)).toMatchObject({
        kind: "refused",
      });
    }
    const literal = await new HttpPushSender().post(to(`http://127.0.0.1:${server.port}/`), never);
    expect(literal).toMatchObject({ kind: "refused" });
    expect(connections).toBe(0);
  });

  test("follows no redirect", async () => {
    const paths: unknown[] = [];
    await using server = await listen((request, response) => {
      paths.push(request.url);
      response.writeHead(302, { location: "/internal" }).end();
    });
    const sender = new HttpPushSender({ allow: ["127.0.0.1"] });
    const outcome = await sender.post(to(`http://127.0.0.1:${server.port}/redir`), never);
    expect(outcome).toEqual({ kind: "answered", status: 302 });
    expect(paths).toEqual(["/redir"]);
  });

  test("ends when its time is over, whether nobody answers or the answer does not end", async () => {
    await using silent = await listen(() => undefined);
    const sender = new HttpPushSender({ allow: ["127.0.0.1"], timeoutMs: 50 });
    expect(await sender.post(to(`http://127.0.0.1:${silent.port}/`), never)).toEqual({
      kind: "failed",
      why: "timeout",
    });
    let cutOff: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => {
      cutOff = resolve;
    });
    await using endless = await listen((_, response) => {
      response.on("close", cutOff);
      response.writeHead(200).write("a");
    });
    expect(await sender.post(to(`http://127.0.0.1:${endless.port}/`), never)).toMatchObject({ status: 200 });
    await closed;
  });

  test("reads little of an answer that says much", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await using server = await listen((_, response) => {
      response.on("close", resolve);
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(16_384)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    const sender = new HttpPushSender({ allow: ["127.0.0.1"], timeoutMs: 600_000 });
    expect(await sender.post(to(`http://127.0.0.1:${server.port}/`), never)).toMatchObject({ status: 200 });
    await promise;
  });

  test("fails in a word where nobody listens, no name is, or no HTTP is spoken", async () => {
    const tcp = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.resume().end("SSH-2.0-x\r\n");
    });
    await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
    const { port } = tcp.address() as AddressInfo;
    const sender = new HttpPushSender({
      allow: ["127.0.0.1", "gone.example"],
      resolve: async () => {
        throw Object.assign(new Error("getaddrinfo ENOTFOUND gone.example"), { code: "ENOTFOUND" });
      },
    });
    expect(await sender.post(to(`http://127.0.0.1:${port}/`), never)).toEqual({
      kind: "failed",
      why: expect.stringMatching(/^HPE_/),
    });
    await new Promise((resolve) => tcp.close(resolve));
    expect(await sender.post(to(`http://127.0.0.1:${port}/`), never)).toEqual({
      kind: "failed",
      why: "ECONNREFUSED",
    });
    expect(await sender.post(to("http://gone.example/"), never)).toEqual({
      kind: "failed",
      why: "ENOTFOUND",
    });
  });

  test("is cut off by its signal", async () => {
    const left = new AbortController();
    await using server = await listen(() => left.abort());
    const sender = new HttpPushSender({ allow: ["127.0.0.1"] });
    expect(await sender.post(to(`http://127.0.0.1:${server.port}/`), left.signal)).toMatchObject({
      kind: "failed",
    });
  });
});
