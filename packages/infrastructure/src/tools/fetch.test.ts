import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Sandbox } from "@cleveragents/application";
import type { JsonObject } from "@cleveragents/domain";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchTool } from "./fetch.ts";
import { htmlText } from "./html-text.ts";

let server: Server;
let port: number;
const asked: string[] = [];
const PAGES: Readonly<
  Record<string, { type?: string; body?: string | Buffer; status?: number; headers?: object }>
> = {
  "/page": { type: "text/html; charset=utf-8", body: "<title>t</title><h1>Head</h1><p>Text &amp; more</p>" },
  "/text": { type: "text/plain", body: "0123456789" },
  "/zip": { type: "text/plain", body: gzipSync("packed"), headers: { "content-encoding": "gzip" } },
  "/bomb": {
    type: "text/plain",
    body: gzipSync("x".repeat(6_000_000)),
    headers: { "content-encoding": "gzip" },
  },
  "/image": { type: "image/png", body: "png" },
  "/gone": { type: "text/plain", body: "no such page", status: 404 },
  "/moved": { status: 302, headers: { location: "/text" } },
  "/inside": { status: 302, headers: { location: "http://10.0.0.1/secret" } },
  "/circle": { status: 302, headers: { location: "/circle" } },
};

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const { type, body = "", status = 200, headers = {} } = PAGES[request.url ?? ""] ?? { status: 404 };
    response.writeHead(status, { ...(type === undefined ? {} : { "content-type": type }), ...headers });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const context = {
  planId: "plan",
  sandbox: {} as Sandbox,
  signal: new AbortController().signal,
  network: false,
};
/** The server's name is trusted; whatever else leads to the loopback is not. */
const read = (path: string, more: JsonObject = {}, host = "pages.example") =>
  fetchTool({
    allow: [`pages.example:${port}`],
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  }).call({ url: `http://${host}:${port}${path}`, ...more }, context);

test("a page is text, unless it is wanted as it is", async () => {
  expect((await read("/page")).value).toMatchObject({
    status: 200,
    content: "# Head\nText & more",
    truncated: false,
  });
  expect((await read("/page", { raw: true })).value["content"]).toContain("<h1>");
});

test("a part is read by characters, and that there is more is said", async () => {
  expect((await read("/text", { offset: 2, limit: 3 })).value).toMatchObject({
    content: "234",
    offset: 2,
    total: 10,
    truncated: true,
  });
});

test("redirects are followed, each judged anew, and not for ever", async () => {
  expect((await read("/moved")).value).toMatchObject({ content: "0123456789" });
  await expect(read("/inside")).rejects.toMatchObject({ reason: "ADDRESS_REFUSED" });
  await expect(read("/circle")).rejects.toMatchObject({ reason: "FETCH_FAILED" });
});

test("packed answers are unpacked up to the limit", async () => {
  expect((await read("/zip")).value["content"]).toBe("packed");
  await expect(read("/bomb")).rejects.toMatchObject({ reason: "TOO_LARGE" });
});

test("what is no text, and what the server refuses, are told", async () => {
  await expect(read("/image")).rejects.toMatchObject({ reason: "BINARY_CONTENT" });
  await expect(read("/gone")).rejects.toMatchObject({
    reason: "HTTP_STATUS",
    details: { status: 404, content: "no such page" },
  });
});

test.each([
  ["an address of an internal network", "http://10.1.2.3/"],
  ["the loopback", "http://127.0.0.1/"],
  ["IPv4 in IPv6", "http://[::ffff:127.0.0.1]/"],
  ["the metadata service of a cloud", "http://169.254.169.254/latest"],
  ["a local name", "http://localhost/"],
  ["a file", "file:///etc/passwd"],
  ["a password in it", "http://user:secret@pages.example/"],
])("%s is refused, and nothing is asked", async (_, url) => {
  asked.length = 0;
  await expect(fetchTool().call({ url }, context)).rejects.toMatchObject({ reason: "ADDRESS_REFUSED" });
  expect(asked).toEqual([]);
});

test("a name that leads to an internal network is refused", async () => {
  asked.length = 0;
  await expect(read("/text", {}, "evil.example")).rejects.toMatchObject({ reason: "ADDRESS_REFUSED" });
  expect(asked).toEqual([]);
});

test("it always asks for the network, so a profile has its say", () => {
  expect(fetchTool().descriptor.networkOf?.({})).toBe(true);
});

test("of HTML a person's text is kept: blocks, lists, links, code; nothing that is not shown", () => {
  expect(
    htmlText(
      "<html><head><title>x</title></head><body><script>evil()</script><h2>A  title</h2>\n<ul><li>one</li><li>two <b>bold</b></li></ul><p>See <a href='https://x.example/'>this</a>.</p><pre>a\n  b</pre><table><tr><td>1</td><td>2</td></tr></table></body></html>",
    ),
  ).toBe("## A title\n- one\n- two bold\nSee this (https://x.example/).\na\n  b\n1 | 2");
});
