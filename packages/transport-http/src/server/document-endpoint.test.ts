import { buildAgentCard } from "@cleveragents/protocol";
import { expect, test } from "vitest";
import { createHttpServer } from "./create-http-server.ts";

function open() {
  let written = 0;
  const { inject } = createHttpServer({
    dispatcher: { dispatch: async () => ({ kind: "none" }) },
    authenticator: { schemes: ["bearer"], authenticate: async () => undefined },
    card: () => buildAgentCard({ version: "1", schemes: [], retentionSeconds: 1 }),
    probes: { service: "s", version: "1", ready: async () => ({ ready: true, checks: {} }) },
    documents: {
      "/openrpc.json": { type: "application/json; charset=utf-8", text: () => `{"n":${++written}}` },
    },
    allowedHosts: ["*"],
  });
  return inject;
}

test("a public document needs no credential, is written once, and is not sent again to who has it", async () => {
  const inject = open();
  const first = await inject({ url: "/openrpc.json" });
  expect([first.statusCode, first.body]).toEqual([200, '{"n":1}']);
  expect(first.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "public, max-age=60",
    etag: expect.stringMatching(/^"[\w-]+"$/),
    "last-modified": expect.stringMatching(/ GMT$/),
  });
  const again = await inject({
    url: "/openrpc.json",
    headers: { "if-none-match": `W/${first.headers["etag"]}` },
  });
  expect([again.statusCode, again.body, again.headers["etag"]]).toEqual([304, "", first.headers["etag"]]);
  expect((await inject({ url: "/openrpc.json", headers: { "if-none-match": '"other"' } })).body).toBe(
    '{"n":1}',
  );
  const head = await inject({ method: "HEAD", url: "/openrpc.json" });
  expect([head.statusCode, head.body, head.headers["etag"]]).toEqual([200, "", first.headers["etag"]]);
});

test("a public document takes no other verb", async () => {
  const posted = await open()({ method: "POST", url: "/openrpc.json" });
  expect([posted.statusCode, posted.headers["allow"]]).toEqual([405, "GET, HEAD, OPTIONS"]);
});
