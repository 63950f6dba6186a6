import { request } from "node:http";
import type { Dispatcher } from "@cleveragents/protocol";
import { afterEach, expect, test } from "vitest";
import { createHttpServer, type HttpServer } from "./create-http-server.ts";

// Over a socket: what a test injects takes the way through the router.
const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close(0)));
});

const CARD = { name: "test" } as never;
const ORIGIN = "https://ui.example";

async function open(dispatch: Dispatcher["dispatch"]) {
  const server = createHttpServer({
    dispatcher: { dispatch },
    authenticator: undefined,
    card: () => CARD,
    probes: { service: "test", version: "1", ready: async () => ({ ready: true, checks: {} }) },
    allowedHosts: [],
    allowedOrigins: [ORIGIN],
  });
  servers.push(server);
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  return (path: string, headers: Record<string, string> = {}, method = "POST") =>
    new Promise<{ status: number | undefined; headers: Record<string, unknown>; body: string }>(
      (resolve, reject) => {
        const type = { "content-type": "application/json" };
        const sent = request({ port, host: "127.0.0.1", path, method, headers: { ...type, ...headers } });
        sent.on("error", reject).on("response", (answer) => {
          let body = "";
          answer.setEncoding("utf8").on("data", (piece: string) => {
            body += piece;
          });
          answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, body }));
        });
        sent.end(
          method === "POST" ? JSON.stringify({ jsonrpc: "2.0", id: 1, method: "GetTask" }) : undefined,
        );
      },
    );
}

const answering = (result: unknown): Dispatcher["dispatch"] => {
  return async () => ({ kind: "one", response: { jsonrpc: "2.0", id: 1, result }, serviceParameters: {} });
};

test.each(["/a2a", "/rpc", "/a2a/", "/a2a?A2A-Version=1.0"])(
  "a call at %s is answered, with the length of the answer in bytes",
  async (path) => {
    const ask = await open(answering({ text: "größer" }));
    const { status, headers, body } = await ask(path, { origin: ORIGIN });
    expect([status, JSON.parse(body)]).toEqual([200, { jsonrpc: "2.0", id: 1, result: { text: "größer" } }]);
    expect(headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "content-length": String(Buffer.byteLength(body)),
      "access-control-allow-origin": ORIGIN,
      vary: "Origin",
    });
  },
);

test.each([
  ["host", { host: "evil.example" }],
  ["origin", { origin: "https://evil.example" }],
])("a call under a foreign %s reaches no dispatcher", async (_, headers) => {
  let dispatched = 0;
  const ask = await open(async () => {
    dispatched++;
    return { kind: "none" };
  });
  expect((await ask("/a2a", headers)).status).toBe(403);
  expect(dispatched).toBe(0);
});

test("another verb at a path of calls is told what it takes", async () => {
  const { status, headers } = await (await open(answering({})))("/a2a", {}, "GET");
  expect([status, headers["allow"]]).toEqual([405, "POST, OPTIONS"]);
});

test("a frozen result is written down once, one that is not each time anew", async () => {
  let written = 0;
  const result = {
    toJSON() {
      written++;
      return { n: written };
    },
  };
  const ask = await open(answering(result));
  const bodies = async () => [(await ask("/a2a")).body, (await ask("/a2a")).body];
  const texts = (...numbers: number[]) => numbers.map((n) => `{"jsonrpc":"2.0","id":1,"result":{"n":${n}}}`);
  expect(await bodies()).toEqual(texts(1, 2));
  Object.freeze(result);
  expect(await bodies()).toEqual(texts(3, 3));
});
